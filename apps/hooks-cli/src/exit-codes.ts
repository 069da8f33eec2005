import { ClaudeMemError } from '@claude-mem/core';

/** How the command ends. Hooks always end with `done`. */
export const EXIT = { done: 0, failed: 1, usage: 2, workerAway: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_ERROR: Readonly<Record<string, ExitCode>> = {
  'cli/usage': EXIT.usage,
  'cli/worker-away': EXIT.workerAway,
  'worker-client/away': EXIT.workerAway,
  'worker-client/not-ready': EXIT.workerAway,
};

export function exitCodeOf(error: unknown): ExitCode {
  return ClaudeMemError.isInstance(error) ? (BY_ERROR[error.code] ?? EXIT.failed) : EXIT.failed;
}
