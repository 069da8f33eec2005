import { noLexicalMatch } from '@claude-mem/core';
import { Info } from 'lucide-react';

/** Reports the parts of search that were not available, and results that match only semantically. */
export function Degraded({
  degraded,
  isSemanticOnly = false,
  hasFilters = false,
}: {
  degraded: readonly { part: string; reason: string }[];
  /** No result matches lexically. */
  isSemanticOnly?: boolean;
  hasFilters?: boolean;
}) {
  const messages = degraded.map(({ part, reason }) => `${PART_LABELS[part] ?? part}: ${reason}.`);
  if (isSemanticOnly) {
    const match = noLexicalMatch(hasFilters);
    messages.unshift(
      `${match[0]!.toUpperCase()}${match.slice(1)}. These results match only semantically and may be unrelated.`,
    );
  }
  if (messages.length === 0) return null;
  return (
    <p className="note muted small" role="status">
      <Info aria-hidden size={15} />
      <span>{messages.join(' ')}</span>
    </p>
  );
}

const PART_LABELS: Record<string, string> = {
  vectors: 'Without semantic search',
  embedder: 'Without semantic search',
  lexical: 'Lexical search is incomplete',
  syntax: 'Searched as plain text',
};
