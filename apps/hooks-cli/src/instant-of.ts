import { toInstant } from '@claude-mem/core';

/** The value of an option that is a date or a time, as the worker reads it in any time zone; undefined when it was not given. */
export const instantOf = (value: unknown, edge: 'start' | 'end'): string | undefined =>
  typeof value === 'string' ? toInstant(value, edge) : undefined;
