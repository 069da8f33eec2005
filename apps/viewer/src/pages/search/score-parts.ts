export interface ScorePart {
  name: string;
  value: number;
  detail?: string;
}

export interface ShownPart {
  name: string;
  words: string;
  value: number;
  /** Of the largest part, 0 to 1. */
  share: number;
  detail: string | null;
}

/** The parts of a score in the order of what they count, in words a person knows. `terms`: the words that were found. */
export function scoreParts(parts: readonly ScorePart[], terms: readonly string[] = []): ShownPart[] {
  const most = Math.max(...parts.map(({ value }) => Math.abs(value)), Number.EPSILON);
  return [...parts]
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .map(({ name, value, detail }) => ({
      name,
      words: WORDS[name] ?? name,
      value,
      share: Math.abs(value) / most,
      detail: detail === undefined || HAS_NO_WORDS.has(name) ? null : termsOf(detail, terms),
    }));
}

const WORDS: Record<string, string> = {
  lexical: 'Its words',
  semantic: 'Its meaning',
  files: 'Its files',
  neighbours: 'Records before and after',
  session: 'The session it is from',
  recency: 'How recent that session is',
  supersession: 'Supersedes, or is superseded by, another record',
  freshness: 'Its files were changed or deleted since',
};
/** Their detail names an inner document. */
const HAS_NO_WORDS = new Set(['semantic']);

/** `retri 1.20, timeout 0.80` without the numbers, each stem as the word that was found by it. */
const termsOf = (detail: string, terms: readonly string[]) =>
  detail
    .split(', ')
    .map((term) => term.replace(/ -?\d+(\.\d+)?$/, ''))
    .map((stem) => terms.find((term) => term.startsWith(stem.slice(0, Math.max(3, stem.length - 1)))) ?? stem)
    .join(', ');
