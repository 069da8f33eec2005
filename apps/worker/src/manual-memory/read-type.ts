import { toSingleLine, truncate } from '@claude-mem/core';
import { scrubText } from '@claude-mem/privacy';
import { WorkerError } from '../worker-error.js';

/**
 * The type that a person or an agent means; '' for none. An observer's slip becomes another type, theirs is said: it would be found
 * under no type that anybody looks for.
 * @throws WorkerError for one that is not in `types`
 */
export function readType(given: string, types: readonly string[]): string {
  const type = toSingleLine(given).toLowerCase();
  if (type === '' || types.includes(type)) return type;
  const said = truncate(toSingleLine(scrubText(given).text), 40);
  throw new WorkerError('worker/bad-request', `There is no type "${said}". Types: ${types.join(', ')}.`);
}
