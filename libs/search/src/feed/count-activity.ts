import type { ActivityRequest, DayActivity } from '../memory.js';
import type { OpenParts } from '../search/open-parts.js';

const DAY_MS = 86_400_000;

/** Counts observations by project, day and type, oldest day first. */
export async function countActivity(
  { lexical }: OpenParts,
  { projectIds, fromEpoch, utcOffsetMinutes }: ActivityRequest,
): Promise<readonly DayActivity[]> {
  await lexical.catchUp();
  return lexical.read((reader) => {
    const { documents } = reader;
    const { bits } = reader.within({ kinds: ['observation'], fromEpoch, ...(projectIds && { projectIds }) });
    const counts = new Map<number, Map<number, number[]>>();
    const types: string[] = [];
    // Consecutive records mostly have the same project and day.
    let last = { projectId: -1, day: 0, byType: [] as number[] };
    for (let place = 0; place < bits.length; place += 1)
      for (let rest = bits[place] as number; rest !== 0; rest &= rest - 1) {
        const slot = place * 32 + 31 - Math.clz32(rest & -rest);
        const day = Math.floor(((documents.createdAt[slot] as number) + utcOffsetMinutes * 60_000) / DAY_MS);
        const projectId = documents.projectId[slot] as number;
        const type = documents.type[slot] as number;
        types[type] ??= documents.typeOf(slot) ?? '';
        if (projectId !== last.projectId || day !== last.day) {
          const byDay = entryOf(counts, projectId, () => new Map<number, number[]>());
          last = { projectId, day, byType: entryOf(byDay, day, () => []) };
        }
        last.byType[type] = (last.byType[type] ?? 0) + 1;
      }
    return [...counts]
      .flatMap(([projectId, byDay]) =>
        [...byDay].flatMap(([day, byType]) =>
          byType.flatMap((count, type) => [{ projectId, day, type: types[type] ?? '', count }]),
        ),
      )
      .sort((a, b) => a.day - b.day || a.projectId - b.projectId || b.count - a.count);
  });
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
