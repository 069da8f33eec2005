import { createClaudeCodeAdapter } from './claude-code/create-claude-code-adapter.js';
import type { AdapterOptions, HostAdapter } from './host-adapter.js';

/** The adapter of a host by its name, or null when there is none. */
export function adapterFor(host: string, options: AdapterOptions = {}): HostAdapter | null {
  return host === 'claude-code' ? createClaudeCodeAdapter(options) : null;
}
