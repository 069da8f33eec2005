import { toSingleLine, truncate } from '@claude-mem/core';
import { scrubText } from '@claude-mem/privacy';
import { WorkerError } from '../worker-error.js';

/**
 * Returns the type of a request; empty for none. An unknown type of an observer is replaced, but an unknown type of a
 * user or an agent is an error, because the record could not be found by its type.
 * @throws WorkerError for a type that is not in `types`
 */
export function readType(given: string, types: readonly string[]): string {
  const type = toSingleLine(given).toLowerCase();
  if (type === '' || types.includes(type)) return type;
  const shown = truncate(toSingleLine(scrubText(given).text), 40);
  throw new WorkerError('worker/bad-request', `There is no type "${shown}". Types: ${types.join(', ')}.`);
}
