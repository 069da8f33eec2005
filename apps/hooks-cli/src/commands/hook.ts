import type { Command, CommandContext } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { runHook } from '../hook/run-hook.js';

/** Runs a hook. Always exits with 0 and prints only the response for the host. */
export const hookCommand: Command = {
  name: 'hook',
  summary: 'Read an event of a host from stdin (run by hosts)',
  operands: 'HOST EVENT',
  operandCount: { min: 0, max: Infinity },
  run: (context) => deliverHook(context, context.operands[0], context.operands[1]),
};

export async function deliverHook(
  context: CommandContext,
  host: string | undefined,
  event: string | undefined,
): Promise<ExitCode> {
  // the host cannot fix a failed delivery, so it gets no error
  const answer = await runHook({ ...context, host, event }).catch(() => '');
  context.terminal.write(answer);
  return EXIT.done;
}
