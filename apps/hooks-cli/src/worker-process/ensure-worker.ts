import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command.js';
import { startAndWait } from './start-and-wait.js';

/** Starts the worker unless it runs. @throws CliError when it does not start */
export async function ensureWorker(
  context: Pick<CommandContext, 'loaded' | 'worker' | 'env' | 'ownFolder'>,
): Promise<void> {
  const started = await startAndWait(context);
  if (started.kind === 'failed')
    throw new CliError('cli/worker-away', `The worker cannot start: ${started.reason}`);
}
