import { ClaudeMemError } from '@claude-mem/core';

/** The database let nobody write for longer than is waited for: no event is at fault. */
export const isBusy = (error: unknown): boolean =>
  ClaudeMemError.isInstance(error) && error.code === 'storage/busy';
