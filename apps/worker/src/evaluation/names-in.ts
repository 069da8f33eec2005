import type { Names, Observation } from '@claude-mem/core';
import { filesIn, termsIn } from '@claude-mem/local-observer/names-in';

/**
 * Returns the files and identifiers that a text names, each once. A file name without all of its folders is replaced
 * by the paths of `records` that end with it.
 */
export function namesIn(
  text: string,
  records: readonly Pick<Observation, 'filesModified' | 'filesRead'>[] = [],
): Names {
  const paths = records.flatMap(({ filesModified, filesRead }) => [...filesModified, ...filesRead]);
  const parts = partsOf(text);
  const files = parts.flatMap(filesIn).flatMap((name) => {
    const file = name.replace(/^\.\//, '');
    const ending = paths.filter((path) => path.endsWith(`/${file}`));
    return ending.length > 0 ? ending : [file];
  });
  // A command in backticks is not a name, but can contain names.
  const terms = parts.flatMap(termsIn).flatMap((term) => (/\s/.test(term) ? termsIn(term) : [term]));
  const identifiers = terms.filter(isDistinctive).map((term) => term.replace(/\(\)$/, ''));
  return { files: [...new Set(files)], identifiers: [...new Set(identifiers)] };
}

/** Maximum length of a text for `filesIn` and `termsIn`. UTF-16 code units. */
const PART = 4_000;
/** Part of the text that two neighbouring parts share. A longer name between two parts is not found. UTF-16 code units. */
const OVERLAP = 200;

function partsOf(text: string): string[] {
  const count = Math.max(1, Math.ceil((text.length - OVERLAP) / (PART - OVERLAP)));
  const starts = Array.from({ length: count }, (_, index) => index * (PART - OVERLAP));
  return starts.map((start) => text.slice(start, start + PART));
}

/** The injected lines that contain stored text. The other lines are the same for all prompts. */
export const recordLinesIn = (injected: string): string =>
  injected
    .split('\n')
    .filter((line) => /^(?:\| #\d| {2}"|- )/.test(line))
    .join('\n');

/** Plain words such as `main` or `npm` occur in most turns, so they prove nothing. */
function isDistinctive(term: string): boolean {
  if (!/^[\w$.#-]{3,80}(?:\(\))?$/.test(term) || filesIn(term).length > 0) return false;
  return /\(\)$|_|^--/.test(term) || (/[A-Z]/.test(term) && /[a-z]/.test(term));
}
