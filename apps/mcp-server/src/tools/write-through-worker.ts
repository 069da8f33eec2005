import { ClaudeMemError } from '@claude-mem/core';
import { isSilent } from '@claude-mem/worker-protocol/local';
import { McpError } from '../mcp-error.js';
import type { ToolContext } from './tool.js';

/**
 * Runs a write of the worker. A write can take long, but fails early when the worker does not answer `checkWorker`. A failed write
 * can be repeated, because the worker applies each write only once.
 */
export async function writeThroughWorker<Value>(
  { worker, checkWorker: checkWorker }: Pick<ToolContext, 'worker' | 'checkWorker'>,
  write: (client: ToolContext['worker']) => Promise<Value>,
): Promise<Value> {
  try {
    const written = write(worker);
    return await Promise.race([written, checkWorker().then(() => written)]);
  } catch (error) {
    if (!ClaudeMemError.isInstance(error)) throw error;
    const { code, data, message } = error;
    const isRouteUnknown =
      data['workerCode'] === 'worker/not-found' && /^There is no [A-Z]+ \//.test(message);
    if (isRouteUnknown)
      throw new McpError(
        'mcp/needs-worker',
        'The worker has an older version without this function. Run: claude-mem restart. Then try again.',
        { cause: error },
      );
    if (code !== 'worker-client/away' && code !== 'worker-client/not-ready') throw error;
    const cause = isSilent(error)
      ? 'the worker runs but does not answer. Run: claude-mem restart'
      : 'the worker does not run. Run: claude-mem start';
    throw new McpError('mcp/needs-worker', `This tool needs the worker, and ${cause}. Then try again.`, {
      cause: error,
    });
  }
}
