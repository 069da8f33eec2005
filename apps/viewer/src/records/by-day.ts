import type { RecordEntry } from './record-words.js';

/** Entries in their order, cut where another day of this clock begins. `day` is when the first of it was recorded. */
export function byDay<Entry extends RecordEntry>(
  items: readonly Entry[],
): { day: number; entries: Entry[] }[] {
  const days: { day: number; entries: Entry[] }[] = [];
  let last = '';
  for (const entry of items) {
    const { createdAtEpoch } = entry.item;
    const date = new Date(createdAtEpoch).toDateString();
    if (date !== last) days.push({ day: createdAtEpoch, entries: [] });
    days.at(-1)?.entries.push(entry);
    last = date;
  }
  return days;
}
