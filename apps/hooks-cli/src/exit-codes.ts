import { ClaudeMemError } from '@claude-mem/core';

/** Exit codes of the command. Hooks always exit with `done`. */
export const EXIT = { done: 0, failed: 1, usage: 2, workerNotRunning: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_ERROR: Readonly<Record<string, ExitCode>> = {
  'cli/usage': EXIT.usage,
  'cli/worker-away': EXIT.workerNotRunning,
  'worker-client/away': EXIT.workerNotRunning,
  'worker-client/not-ready': EXIT.workerNotRunning,
};

export function exitCodeOf(error: unknown): ExitCode {
  return ClaudeMemError.isInstance(error) ? (BY_ERROR[error.code] ?? EXIT.failed) : EXIT.failed;
}
