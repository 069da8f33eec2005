import { toInstant } from '@claude-mem/core';

/** Converts a local date or time to an instant, because the worker can run in another time zone. Undefined when not set. */
export const parseInstantOption = (value: unknown, edge: 'start' | 'end'): string | undefined =>
  typeof value === 'string' ? toInstant(value, edge) : undefined;
