import { ClaudeMemError } from '@claude-mem/core';
import { McpError } from '../mcp-error.js';

/** Does what only the worker may do. What it did not answer to may be asked again: nothing is done twice. */
export async function throughWorker<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    const code = ClaudeMemError.isInstance(error) ? error.code : '';
    if (code !== 'worker-client/away' && code !== 'worker-client/not-ready') throw error;
    const message =
      'Only the worker writes, and it does not answer. Start it with: claude-mem start. Then ask again.';
    throw new McpError('mcp/needs-worker', message, { cause: error });
  }
}
