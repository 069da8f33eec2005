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
        'The worker has an older version without this function. Run: claude-mem restart. Then try again.',
        { cause: error },
      );
    if (code !== 'worker-client/away' && code !== 'worker-client/not-ready') throw error;
    const remedy = isSilent(error)
      ? 'the worker runs but does not answer. Run: claude-mem restart'
      : 'the worker does not run. Run: claude-mem start';
    throw new McpError('mcp/needs-worker', `This tool needs the worker, and ${remedy}. Then try again.`, {
      cause: error,
    });
  }
}
