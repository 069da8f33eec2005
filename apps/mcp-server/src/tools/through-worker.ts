import { ClaudeMemError } from '@claude-mem/core';
import { McpError } from '../mcp-error.js';

/** Does what only the worker may do. What it did not answer to may be asked again: nothing is done twice. */
export async function throughWorker<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    if (!ClaudeMemError.isInstance(error)) throw error;
    const { code, data, message } = error;
    const isRouteUnknown =
      data['workerCode'] === 'worker/not-found' && /^There is no [A-Z]+ \//.test(message);
    if (isRouteUnknown)
      throw new McpError(
        'mcp/needs-worker',
        'The worker is of an older version that cannot do this. Run: claude-mem restart. Then ask again.',
        { cause: error },
      );
    if (code !== 'worker-client/away' && code !== 'worker-client/not-ready') throw error;
    const away =
      'Only the worker writes, and it does not answer. Start it with: claude-mem start. Then ask again.';
    throw new McpError('mcp/needs-worker', away, { cause: error });
  }
}
