import type { FreshnessVerdict } from '@claude-mem/core';
import type { FoundItem } from '@claude-mem/worker-protocol';

/** The part of its score that a record keeps when its files were changed or deleted. */
const KEPT: Partial<Record<FreshnessVerdict, number>> = { changed: 0.9, gone: 0.6 };

/** Lowers the scores of records whose files are not as they were. Records with many other files lose less. */
export function rankStaleLower(items: readonly FoundItem[]): FoundItem[] {
  const lowered = items.map((found) => {
    const freshness = found.kind === 'observation' ? found.item.freshness : undefined;
    const kept = KEPT[freshness?.verdict ?? 'unknown'];
    if (freshness === undefined || kept === undefined) return found;
    const value = -found.score * (1 - kept) * (freshness.staleCount / freshness.fileCount);
    return {
      ...found,
      score: found.score + value,
      ...(found.parts && { parts: [...found.parts, { name: 'freshness', value }] }),
    };
  });
  return lowered.sort((a, b) => b.score - a.score);
}
