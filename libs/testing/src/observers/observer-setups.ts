import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import {
  claudeCodeDialect,
  claudeDialect,
  createWireFake,
  geminiDialect,
  openAiDialect,
  writeFakeClaude,
  type WireDialect,
  type WireFake,
  type WireFakeOptions,
} from '@claude-mem/agent-providers/testing';
import type { ObserverName } from '@claude-mem/core';
import { workspacePaths } from '../workspace-paths.js';
import { writeSettings } from '../write-settings.js';
import { plausibleReply } from './plausible-reply.js';

/** Folders into which a setup writes files. */
export interface ObserverHome {
  root: string;
  dataDir: string;
}

/** An observer that uses a model. */
export type ModelObserver = Exclude<ObserverName, 'local'>;

interface ObserverSetup {
  dialect: WireDialect;
  /** Returns settings that connect the observer to a wire fake, a fake vendor at `url`. May write files to the home. */
  settings(url: string, home: ObserverHome): Readonly<Record<string, string>>;
  /** Setting without which the observer does not work. */
  needs: string;
}

const KEY = 'key-of-the-wire-fake';
const CLIENTS = path.join(workspacePaths.root, 'tools', 'clients', 'node_modules');

const SETUPS: Readonly<Record<ModelObserver, ObserverSetup>> = {
  claude: {
    dialect: claudeDialect,
    settings: (url) => ({ CLAUDE_MEM_ANTHROPIC_API_KEY: KEY, CLAUDE_MEM_ANTHROPIC_BASE_URL: url }),
    needs: 'CLAUDE_MEM_ANTHROPIC_API_KEY',
  },
  'claude-code': {
    dialect: claudeCodeDialect,
    settings: (url, home) => {
      linkClients(home);
      return { CLAUDE_CODE_PATH: writeFakeClaude({ folder: home.root, url, apiKey: KEY }) };
    },
    needs: 'CLAUDE_CODE_PATH',
  },
  gemini: {
    dialect: geminiDialect,
    settings: (url) => ({ CLAUDE_MEM_GEMINI_API_KEY: KEY, CLAUDE_MEM_GEMINI_BASE_URL: url }),
    needs: 'CLAUDE_MEM_GEMINI_API_KEY',
  },
  openrouter: {
    dialect: openAiDialect,
    settings: (url) => ({
      CLAUDE_MEM_OPENROUTER_API_KEY: KEY,
      CLAUDE_MEM_OPENROUTER_BASE_URL: `${url}/api/v1`,
    }),
    needs: 'CLAUDE_MEM_OPENROUTER_API_KEY',
  },
  'openai-compatible': {
    dialect: openAiDialect,
    settings: (url) => ({
      CLAUDE_MEM_OPENAI_BASE_URL: `${url}/v1`,
      CLAUDE_MEM_OPENAI_MODEL: 'a-local-model',
    }),
    needs: 'CLAUDE_MEM_OPENAI_BASE_URL',
  },
};

export const MODEL_OBSERVERS = Object.keys(SETUPS) as readonly ModelObserver[];

/** Returns the setting without which the observer does not work. */
export const getRequiredSetting = (name: ModelObserver): string => SETUPS[name].needs;

export const dialectOf = (name: ModelObserver): WireDialect => SETUPS[name].dialect;

/** Returns the reason why this observer cannot run here, or null if it can. */
export function getSkipReason(name: ModelObserver): string | null {
  if (name !== 'claude-code' || existsSync(path.join(CLIENTS, '@anthropic-ai', 'claude-agent-sdk')))
    return null;
  return 'claude-code: skipped, its SDK is not installed (npm ci --prefix tools/clients)';
}

/** Returns all settings for a worker whose observer calls the wire fake at `url`. */
export function observerSettings(
  name: ModelObserver,
  { url, home }: { url: string; home: ObserverHome },
): Readonly<Record<string, string>> {
  return { CLAUDE_MEM_PROVIDER: name, ...SETUPS[name].settings(url, home) };
}

/**
 * Starts the wire fake of an observer and writes the settings for it to the home.
 * @param answer creates the response to a request. @default a plausible reply
 */
export async function openObserver(
  name: ModelObserver,
  home: ObserverHome,
  answer: WireFakeOptions['answer'] = plausibleReply(),
): Promise<WireFake> {
  const fake = await createWireFake({ dialect: dialectOf(name), answer });
  writeSettings(home, observerSettings(name, { url: fake.url, home }));
  return fake;
}

/** The worker also loads optional packages from its data folder. */
function linkClients({ dataDir }: ObserverHome): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const link = path.join(dataDir, 'node_modules');
  if (!existsSync(link)) symlinkSync(CLIENTS, link);
}
