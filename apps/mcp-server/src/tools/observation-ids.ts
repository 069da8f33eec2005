import type { RecordId } from '../input/fields.js';
import { InputError } from '../input/input-error.js';

/** Returns the numbers of the ids. @throws InputError when an id is not an observation */
export function observationIds(ids: readonly RecordId[], name: string): number[] {
  if (ids.some(({ kind }) => kind !== 'observation'))
    throw new InputError(`${name} takes observations only, such as "#12".`);
  return ids.map(({ id }) => id);
}
