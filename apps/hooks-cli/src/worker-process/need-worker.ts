import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command.js';
import { startAndWait } from './start-and-wait.js';

/** For what only the worker can do: starts it unless it runs. */
export async function needWorker(
  context: Pick<CommandContext, 'loaded' | 'worker' | 'env' | 'ownFolder'>,
): Promise<void> {
  const started = await startAndWait(context);
  if (started.kind === 'failed')
    throw new CliError('cli/worker-away', `The worker cannot start: ${started.reason}`);
}
