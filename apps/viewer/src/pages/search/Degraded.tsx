import { noLexicalMatch } from '@claude-mem/core';
import { Info } from 'lucide-react';

/** Reports the parts of search that were not available, and results that match only semantically. */
export function Degraded({
  degraded,
  isByMeaning = false,
  hasFilters = false,
}: {
  degraded: readonly { part: string; reason: string }[];
  /** No result matches lexically. */
  isByMeaning?: boolean;
  hasFilters?: boolean;
}) {
  const words = degraded.map(({ part, reason }) => `${WORDS[part] ?? part}: ${reason}.`);
  if (isByMeaning) {
    const match = noLexicalMatch(hasFilters);
    words.unshift(
      `${match[0]!.toUpperCase()}${match.slice(1)}. These results match only semantically and may be unrelated.`,
    );
  }
  if (words.length === 0) return null;
  return (
    <p className="note muted small" role="status">
      <Info aria-hidden size={15} />
      <span>{words.join(' ')}</span>
    </p>
  );
}

const WORDS: Record<string, string> = {
  vectors: 'Without semantic search',
  embedder: 'Without semantic search',
  lexical: 'Lexical search is incomplete',
  syntax: 'Searched as plain text',
};
