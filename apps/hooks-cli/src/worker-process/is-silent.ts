import { ClaudeMemError } from '@claude-mem/core';

/** The worker was there, and gave no answer in time. */
export const isSilent = (error: unknown): boolean =>
  ClaudeMemError.isInstance(error) &&
  (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT';
