import { ClaudeMemError } from '@claude-mem/core';

export type CliErrorCode =
  /** The command line cannot be understood. */
  | 'cli/usage'
  /** The worker could not be started. */
  | 'cli/worker-away'
  /** What was asked for could not be done. */
  | 'cli/failed';

/** What a command cannot do; the message is all that is printed. */
export class CliError extends ClaudeMemError<CliErrorCode> {}
