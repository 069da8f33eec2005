import type { RecordId } from '../input/fields.js';
import { InputError } from '../input/input-error.js';

/** Ids of observations, where nothing else can be meant. */
export function observationIds(given: readonly RecordId[], name: string): number[] {
  if (given.some(({ kind }) => kind !== 'observation'))
    throw new InputError(`${name} takes observations only, such as "#12".`);
  return given.map(({ id }) => id);
}
