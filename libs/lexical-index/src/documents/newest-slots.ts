import type { DocumentSet } from './document-set.js';
import type { DocumentTable } from './document-table.js';
import { createTopSlots } from './top-slots.js';

/** Above this limit, sorting everything is faster than a heap. */
const LARGEST_HEAP = 4_096;

/** Returns slots, newest first, then larger ids first. */
export function newestSlots(
  { within, limit, offset = 0 }: { within: DocumentSet; limit: number; offset?: number },
  documents: DocumentTable,
): readonly number[] {
  const end = offset + limit;
  const { createdAt, size } = documents;
  if (end <= LARGEST_HEAP) {
    const top = createTopSlots(end, documents.newerFirst);
    // Later slots are mostly newer, so few slots enter the heap when the loop starts at the end.
    let floor = top.floor;
    for (let slot = size - 1; slot >= 0; slot -= 1) {
      const time = createdAt[slot] as number;
      if (time < floor || !within.has(slot)) continue;
      top.offer(slot, time);
      floor = top.floor;
    }
    return top
      .sorted()
      .slice(offset)
      .map(({ slot }) => slot);
  }
  const slots: number[] = [];
  for (let slot = size - 1; slot >= 0; slot -= 1) if (within.has(slot)) slots.push(slot);
  return slots.sort(documents.newerFirst).slice(offset, end);
}
