import type { FreshnessVerdict, Observation } from '@claude-mem/core';
import type { FoundItem } from '@claude-mem/worker-protocol';

/** The part of its score that a record keeps when its files were changed or deleted. */
const KEPT: Partial<Record<FreshnessVerdict, number>> = { changed: 0.9, gone: 0.6 };

/**
 * Lowers the scores of records whose files are not as they were. Records with many other files lose less. A superseded record loses the
 * same share as its replacement, so that it stays behind the replacement.
 */
export function rankStaleLower(items: readonly FoundItem[]): FoundItem[] {
  const observations = new Map(
    items.flatMap((found) => (found.kind === 'observation' ? [[found.item.id, found.item] as const] : [])),
  );
  const lowered = items.map((found) => {
    const lost = found.kind === 'observation' ? lostShare(newestOf(found.item, observations)) : 0;
    if (lost === 0) return found;
    const value = -found.score * lost;
    return {
      ...found,
      score: found.score + value,
      ...(found.parts && { parts: [...found.parts, { name: 'freshness', value }] }),
    };
  });
  return lowered.sort((a, b) => b.score - a.score);
}

function lostShare({ freshness }: Observation): number {
  const kept = KEPT[freshness?.verdict ?? 'unknown'];
  return freshness === undefined || kept === undefined
    ? 0
    : (1 - kept) * (freshness.staleCount / freshness.fileCount);
}

/** The record that replaced it, if it was found. */
function newestOf(record: Observation, found: ReadonlyMap<number, Observation>): Observation {
  const seen = new Set<number>();
  let newest = record;
  for (;;) {
    seen.add(newest.id);
    const next = newest.supersededBy === null ? undefined : found.get(newest.supersededBy);
    if (next === undefined || seen.has(next.id)) return newest;
    newest = next;
  }
}
