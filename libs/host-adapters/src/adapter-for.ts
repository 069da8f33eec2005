import { createClaudeCodeAdapter } from './claude-code/create-claude-code-adapter.js';
import { createCodexAdapter } from './codex/create-codex-adapter.js';
import { createCursorAdapter } from './cursor/create-cursor-adapter.js';
import { createGeminiCliAdapter } from './gemini-cli/create-gemini-cli-adapter.js';
import type { AdapterOptions, HostAdapter } from './host-adapter.js';
import { createOpenCodeAdapter } from './opencode/create-opencode-adapter.js';

const ADAPTERS: Readonly<Record<string, (options: AdapterOptions) => HostAdapter>> = {
  'claude-code': createClaudeCodeAdapter,
  cursor: createCursorAdapter,
  codex: createCodexAdapter,
  'gemini-cli': createGeminiCliAdapter,
  opencode: createOpenCodeAdapter,
};

/** Returns the adapter of a host by its name, or null. */
export function adapterFor(host: string, options: AdapterOptions = {}): HostAdapter | null {
  return Object.hasOwn(ADAPTERS, host) ? (ADAPTERS[host]?.(options) ?? null) : null;
}
