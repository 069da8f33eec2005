import type { Command, CommandContext } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { runHook } from '../hook/run-hook.js';

/** The command behind every hook. Its exit code is 0 whatever happens, and it prints the host's answer only. */
export const hookCommand: Command = {
  name: 'hook',
  summary: 'Read an event of a host from stdin (run by hosts)',
  operands: 'HOST EVENT',
  operandCount: { min: 0, max: Infinity },
  run: (context) => deliverHook(context, context.operands[0], context.operands[1]),
};

/** Shared by the short names of the classic events. */
export async function deliverHook(
  context: CommandContext,
  host: string | undefined,
  event: string | undefined,
): Promise<ExitCode> {
  // what kept an event from being delivered is nothing that its host could mend
  const answer = await runHook({ ...context, host, event }).catch(() => '');
  context.terminal.write(answer);
  return EXIT.done;
}
