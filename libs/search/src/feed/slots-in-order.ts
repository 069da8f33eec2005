import type { RecordPlace, RecordRange } from '@claude-mem/core';
import {
  createTopSlots,
  type DocumentSet,
  type DocumentTable,
  RECORD_KINDS,
} from '@claude-mem/lexical-index';

/** Records with the same time: prompts first, then observations, then summaries, by the number of the kind. */
const RANKS = RECORD_KINDS.map((kind) => ['prompt', 'observation', 'summary'].indexOf(kind));

/** Returns the records of a set in timeline order or in reverse, after a given position. */
export function slotsInOrder(
  documents: DocumentTable,
  { within, order, after, limit }: { within: DocumentSet } & Pick<RecordRange, 'order' | 'after' | 'limit'>,
): readonly number[] {
  const { createdAt, kind, recordId } = documents;
  const sign = order === 'newest' ? 1 : -1;
  const rankOf = (slot: number) => RANKS[kind[slot] as number] as number;
  const compare = (left: number, right: number) =>
    sign *
    ((createdAt[right] as number) - (createdAt[left] as number) ||
      rankOf(right) - rankOf(left) ||
      (recordId[right] as number) - (recordId[left] as number));
  const isBehind = (slot: number, place: RecordPlace) =>
    sign *
      (place.epoch - (createdAt[slot] as number) ||
        (RANKS[RECORD_KINDS.indexOf(place.kind)] as number) - rankOf(slot) ||
        place.id - (recordId[slot] as number)) >
    0;
  const top = createTopSlots(limit, compare);
  const edge = after === undefined ? Infinity : sign * after.epoch;
  const { bits } = within;
  let floor = top.floor;
  const look = (place: number) => {
    let rest = bits[place] as number;
    while (rest !== 0) {
      // Later slots are mostly newer, so few slots enter the heap when the loop starts at the right end.
      const bit = order === 'newest' ? 31 - Math.clz32(rest) : 31 - Math.clz32(rest & -rest);
      rest &= ~(1 << bit);
      const slot = place * 32 + bit;
      const time = sign * (createdAt[slot] as number);
      if (time < floor || time > edge) continue;
      if (time === edge && after !== undefined && !isBehind(slot, after)) continue;
      top.offer(slot, time);
      floor = top.floor;
    }
  };
  if (order === 'newest') for (let place = bits.length - 1; place >= 0; place -= 1) look(place);
  else for (let place = 0; place < bits.length; place += 1) look(place);
  return top.sorted().map(({ slot }) => slot);
}
