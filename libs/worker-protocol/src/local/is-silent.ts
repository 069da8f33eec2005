import { ClaudeMemError } from '@claude-mem/core';

/** Checks whether an error means that the worker is running but did not answer in time. */
export const isSilent = (error: unknown): boolean =>
  ClaudeMemError.isInstance(error) &&
  (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT';
