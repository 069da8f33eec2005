import { OBSERVER_NAMES, PROVIDER_ROWS } from '@claude-mem/core';
import { local, open, secret, type SettingDefinition } from './setting-definition.js';

const { claude, gemini, openrouter } = PROVIDER_ROWS;
const { 'claude-code': claudeCode, 'openai-compatible': openAiCompatible } = PROVIDER_ROWS;

const createModelSetting = <Key extends string, Property extends string>(
  { name, modelSetting }: { name: string; modelSetting: Key },
  property: Property,
) =>
  ({
    key: modelSetting,
    label: `${name}: model`,
    property,
    type: 'text',
    default: '',
    description: `Model of the ${name} observer. Overrides CLAUDE_MEM_MODEL.`,
    ...open,
  }) as const;

const createKeySetting = <Key extends string, Property extends string>(
  { name, keySetting }: { name: string; keySetting: Key },
  property: Property,
  note = '',
) =>
  ({
    key: keySetting,
    label: `${name}: key`,
    property,
    type: 'text',
    default: '',
    description: `Key for the ${name} observer.${note}`,
    ...secret,
  }) as const;

const createAddressSetting = <Key extends string, Property extends string>(
  { name, baseUrlSetting, requires }: { name: string; baseUrlSetting: Key; requires: string },
  property: Property,
) =>
  ({
    key: baseUrlSetting,
    label: `${name}: address`,
    property,
    type: 'address',
    default: '',
    description: `Address of the ${name} observer.${requires === 'address' ? '' : ' Empty: the address of the vendor.'}`,
    ...local,
  }) as const;

export const OBSERVER_SETTINGS = [
  {
    key: 'CLAUDE_MEM_PROVIDER',
    label: 'Observer',
    property: 'provider',
    type: 'choice',
    choices: ['auto', ...OBSERVER_NAMES],
    default: 'auto',
    description:
      'Observer. auto: the first observer that has a key or an address, otherwise local, which needs none.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_PROVIDER_FALLBACK',
    label: 'Fallback observers',
    property: 'providerFallback',
    type: 'list',
    choices: OBSERVER_NAMES,
    isOrdered: true,
    default: [],
    description: 'Observers that are tried in order when the first one fails, such as openrouter,local.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_MODEL',
    label: 'Model',
    property: 'model',
    type: 'text',
    default: '',
    description: 'Model of the first observer. Empty: the default model of the observer.',
    ...open,
  },
  createModelSetting(claude, 'claudeModel'),
  createModelSetting(claudeCode, 'claudeCodeModel'),
  createModelSetting(gemini, 'geminiModel'),
  createModelSetting(openrouter, 'openrouterModel'),
  createModelSetting(openAiCompatible, 'openaiModel'),
  {
    key: 'CLAUDE_CODE_PATH',
    label: 'claude-code: program',
    property: 'claudeCodePath',
    type: 'path',
    default: '',
    description:
      'Path of the Claude Code program for the claude-code observer. Empty: searched automatically.',
    ...local,
  },
  createKeySetting(claude, 'anthropicApiKey'),
  createAddressSetting(claude, 'anthropicBaseUrl'),
  createKeySetting(gemini, 'geminiApiKey'),
  createAddressSetting(gemini, 'geminiBaseUrl'),
  createKeySetting(openrouter, 'openrouterApiKey'),
  createAddressSetting(openrouter, 'openrouterBaseUrl'),
  createKeySetting(openAiCompatible, 'openaiApiKey', ' Empty: for servers that need no key.'),
  createAddressSetting(openAiCompatible, 'openaiBaseUrl'),
] as const satisfies readonly SettingDefinition[];
