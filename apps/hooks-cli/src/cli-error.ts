import { ClaudeMemError } from '@claude-mem/core';

export type CliErrorCode =
  /** The command line is invalid. */
  | 'cli/usage'
  /** The worker does not start. */
  | 'cli/worker-away'
  /** The command failed for another reason. */
  | 'cli/failed';

/** A failure of a command. Only its message is printed. */
export class CliError extends ClaudeMemError<CliErrorCode> {}
