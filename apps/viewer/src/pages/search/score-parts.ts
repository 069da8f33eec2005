export interface ScorePart {
  name: string;
  value: number;
  detail?: string;
}

export interface ShownPart {
  name: string;
  label: string;
  value: number;
  /** Size relative to the largest part, from 0 to 1. */
  share: number;
  detail: string | null;
}

/**
 * Returns the parts of a score with labels, largest first.
 * @param terms the words that matched
 */
export function scoreParts(parts: readonly ScorePart[], terms: readonly string[] = []): ShownPart[] {
  const largest = Math.max(...parts.map(({ value }) => Math.abs(value)), Number.EPSILON);
  return [...parts]
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .map(({ name, value, detail }) => ({
      name,
      label: PART_LABELS[name] ?? name,
      value,
      share: Math.abs(value) / largest,
      detail: detail === undefined || WITHOUT_DETAIL.has(name) ? null : termsOf(detail, terms),
    }));
}

const PART_LABELS: Record<string, string> = {
  lexical: 'Lexical match',
  semantic: 'Semantic match',
  files: 'Matching files',
  neighbours: 'Records before and after',
  session: 'Other records of the session',
  recency: 'Recency of the session',
  supersession: 'Superseding or superseded record',
  freshness: 'Files were changed or deleted since',
};
/** Parts whose detail is an internal document id. */
const WITHOUT_DETAIL = new Set(['semantic']);

/** Removes the numbers of `retri 1.20, timeout 0.80` and replaces each stem by the matching word. */
const termsOf = (detail: string, terms: readonly string[]) =>
  detail
    .split(', ')
    .map((term) => term.replace(/ -?\d+(\.\d+)?$/, ''))
    .map((stem) => terms.find((term) => term.startsWith(stem.slice(0, Math.max(3, stem.length - 1)))) ?? stem)
    .join(', ');
