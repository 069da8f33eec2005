import type { Names, Observation, Summary } from '@claude-mem/core';
import { namesIn } from './names-in.js';

/**
 * Files and identifiers that the records of a turn prove: the files that were read or changed, and the names in facts from results
 * of tools. Null when the records contain neither.
 */
export function usedInTurn(
  observations: readonly Observation[],
  summaries: readonly Summary[],
): Names | null {
  const observed = observations.filter(({ source }) => source === 'observer' || source === 'import');
  const proven = observed.flatMap(({ facts }) => facts.filter(({ origin }) => origin === 'evidence'));
  const named = proven.map(({ text }) => namesIn(text, observed));
  const files = [
    ...observed.flatMap(({ filesModified, filesRead }) => [...filesModified, ...filesRead]),
    ...summaries.flatMap(({ filesEdited, filesRead }) => [...filesEdited, ...filesRead]),
    ...named.flatMap((one) => one.files),
  ];
  const identifiers = named.flatMap((one) => one.identifiers);
  if (files.length + identifiers.length === 0) return null;
  return { files: [...new Set(files)], identifiers: [...new Set(identifiers)] };
}
