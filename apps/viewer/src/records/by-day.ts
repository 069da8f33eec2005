import type { RecordEntry } from './describe-record.js';

/** Groups entries by local day. `day` is the time of the first entry of the group. */
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
