import { ClaudeMemError } from '@claude-mem/core';

/** Whether an error of a local worker's client says that the worker was there and gave no answer in time. */
export const isSilent = (error: unknown): boolean =>
  ClaudeMemError.isInstance(error) &&
  (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT';
