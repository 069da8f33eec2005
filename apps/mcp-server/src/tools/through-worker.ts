import { ClaudeMemError } from '@claude-mem/core';
import { isSilent } from '@claude-mem/worker-protocol/local';
import { McpError } from '../mcp-error.js';
import type { ToolContext } from './tool.js';

/**
 * Does what only the worker may do. What it did not answer to may be asked again: nothing is done twice. A write may take long; a
 * worker that answers nothing at all meanwhile is not waited for.
 */
export async function throughWorker<Value>(
  { worker, workerAnswers }: Pick<ToolContext, 'worker' | 'workerAnswers'>,
  write: (client: ToolContext['worker']) => Promise<Value>,
): Promise<Value> {
  try {
    const written = write(worker);
    return await Promise.race([written, workerAnswers().then(() => written)]);
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
    const remedy = isSilent(error)
      ? 'it is there but does not answer. Run: claude-mem restart'
      : 'it does not answer. Start it with: claude-mem start';
    throw new McpError('mcp/needs-worker', `Only the worker writes, and ${remedy}. Then ask again.`, {
      cause: error,
    });
  }
}
