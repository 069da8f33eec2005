import { OBSERVER_NAMES, PROVIDER_ROWS } from '@claude-mem/core';
import { local, open, secret, type SettingDefinition } from './setting-definition.js';

const { claude, gemini, openrouter } = PROVIDER_ROWS;
const { 'claude-code': claudeCode, 'openai-compatible': openAiCompatible } = PROVIDER_ROWS;

const modelOf = <Key extends string, Property extends string>(
  { name, modelSetting }: { name: string; modelSetting: Key },
  property: Property,
) =>
  ({
    key: modelSetting,
    label: `${name}: model`,
    property,
    type: 'text',
    default: '',
    description: `Model of the ${name} observer; wins over CLAUDE_MEM_MODEL.`,
    ...open,
  }) as const;

const keyOf = <Key extends string, Property extends string>(
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
    description: `Key for the ${name} observer${note}.`,
    ...secret,
  }) as const;

const addressOf = <Key extends string, Property extends string>(
  { name, baseUrlSetting, requires }: { name: string; baseUrlSetting: Key; requires: string },
  property: Property,
) =>
  ({
    key: baseUrlSetting,
    label: `${name}: address`,
    property,
    type: 'address',
    default: '',
    description: `Address of the ${name} observer${requires === 'address' ? '' : '; empty takes the vendor’s'}.`,
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
    description: 'The observer: auto takes the first one with a key, else local, which needs none.',
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
    description: 'Observers to try in turn when the first one cannot work, such as openrouter,local.',
    ...open,
  },
  {
    key: 'CLAUDE_MEM_MODEL',
    label: 'Model',
    property: 'model',
    type: 'text',
    default: '',
    description: 'Model of the observer named first; empty takes the one the provider suggests.',
    ...open,
  },
  modelOf(claude, 'claudeModel'),
  modelOf(claudeCode, 'claudeCodeModel'),
  modelOf(gemini, 'geminiModel'),
  modelOf(openrouter, 'openrouterModel'),
  modelOf(openAiCompatible, 'openaiModel'),
  {
    key: 'CLAUDE_CODE_PATH',
    label: 'claude-code: program',
    property: 'claudeCodePath',
    type: 'path',
    default: '',
    description: 'Claude Code program for the claude-code observer; empty looks for it.',
    ...local,
  },
  keyOf(claude, 'anthropicApiKey'),
  addressOf(claude, 'anthropicBaseUrl'),
  keyOf(gemini, 'geminiApiKey'),
  addressOf(gemini, 'geminiBaseUrl'),
  keyOf(openrouter, 'openrouterApiKey'),
  addressOf(openrouter, 'openrouterBaseUrl'),
  keyOf(openAiCompatible, 'openaiApiKey', '; empty for servers that need none'),
  addressOf(openAiCompatible, 'openaiBaseUrl'),
] as const satisfies readonly SettingDefinition[];
