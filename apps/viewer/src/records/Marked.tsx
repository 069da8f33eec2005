import { markTerms } from './mark-terms.js';

/** A text with the words that were searched for marked. */
export function Marked({ text, terms = NONE }: { text: string; terms?: readonly string[] | undefined }) {
  if (terms.length === 0) return text;
  return markTerms(text, terms).map(({ text: part, isMarked }, index) =>
    isMarked ? <mark key={index}>{part}</mark> : part,
  );
}

const NONE: readonly string[] = [];
