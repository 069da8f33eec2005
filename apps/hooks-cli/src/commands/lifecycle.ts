import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { listMemoryObstacles } from '../list-memory-obstacles.js';
import { otherPluginNotices } from '../other-plugin-notices.js';
import { startAndWait } from '../worker-process/start-and-wait.js';
import { stopAndWait } from '../worker-process/stop-and-wait.js';

export const startCommand: Command = {
  name: 'start',
  summary: 'Start the worker and wait until it is ready',
  trustsEnvironment: true,
  details: [
    'Settings in the environment override settings.json. A worker that a hook starts reads only the data folder and the port from the environment.',
  ],
  run: start,
};

export const stopCommand: Command = {
  name: 'stop',
  summary: 'Stop the worker; the next event of a host starts it again',
  run: stop,
};

export const restartCommand: Command = {
  name: 'restart',
  summary: 'Stop and start the worker',
  trustsEnvironment: true,
  async run(context) {
    await stop(context);
    return start(context);
  },
};

async function start(context: CommandContext): Promise<ExitCode> {
  const { terminal, loaded } = context;
  const result = await startAndWait(context, { usesEnvironment: true });
  if (result.kind === 'failed') {
    const others = listMemoryObstacles(context).filter(
      ({ message }) => !result.reason.includes(message.slice(0, -1)),
    );
    const more = others.map(({ message, fix }) => `\n${message} ${fix}`).join('');
    throw new CliError(
      'cli/failed',
      `The worker is not ready: ${result.reason}${more}\nIts log is in ${loaded.paths.logsDir}; see also: claude-mem doctor`,
    );
  }
  const { health, wasRunning } = result;
  terminal.print(`The worker ${wasRunning ? 'is already running' : 'is ready'} (process ${health.pid}).`);
  for (const notice of [...health.notices, ...(await otherPluginNotices(context))])
    terminal.print(`Note: ${notice}`);
  return EXIT.done;
}

async function stop(context: CommandContext): Promise<ExitCode> {
  const { terminal } = context;
  const result = await stopAndWait(context);
  if (result.kind === 'stranger')
    throw new CliError(
      'cli/failed',
      `Process ${result.pid} could not be identified as the claude-mem worker and was not stopped. If it is the worker, stop it manually.`,
    );
  if (result.kind === 'not-running') terminal.print('The worker is not running.');
  else
    terminal.print(
      result.how === 'asked' ? 'The worker is stopped.' : `The worker is stopped; it took ${result.how}.`,
    );
  return EXIT.done;
}
