import { FIELDS } from '../analysis/analyze-record.js';
import type { DocumentSet } from '../documents/document-set.js';
import { SATURATION } from './lexical-weights.js';

/** Slots with the term in ascending order, and how strongly the term describes each document (0 to SATURATION + 1). */
export interface TermPostings {
  slots: Uint32Array;
  strengths: Float32Array;
  count: number;
}

const NO_POSTINGS: TermPostings = {
  slots: new Uint32Array(0),
  strengths: new Float32Array(0),
  count: 0,
};

/** Returns the postings of the records in a set. */
export function postingsAmong({ slots, strengths, count }: TermPostings, among: DocumentSet): TermPostings {
  const kept = { slots: new Uint32Array(count), strengths: new Float32Array(count), count: 0 };
  for (let place = 0; place < count; place += 1) {
    const slot = slots[place] as number;
    if (!among.has(slot)) continue;
    kept.slots[kept.count] = slot;
    kept.strengths[kept.count] = strengths[place] as number;
    kept.count += 1;
  }
  return kept;
}

/** Weighted frequency of a term in a document that contains it `counts[from + field]` times. */
export function strengthOf(
  counts: ArrayLike<number>,
  from: number,
  lengths: Uint8Array,
  slot: number,
  weights: Float64Array,
): number {
  let frequency = 0;
  for (let field = 0; field < FIELDS.length; field += 1) {
    const count = counts[from + field] ?? 0;
    if (count > 0)
      frequency += count * (weights[field * 256 + (lengths[slot * FIELDS.length + field] ?? 0)] ?? 0);
  }
  return strengthFor(frequency);
}

/** Converts a weighted frequency to a strength, which saturates. */
export function strengthFor(frequency: number): number {
  return (frequency * (SATURATION + 1)) / (SATURATION + frequency);
}

/** Converts a strength back to the weighted frequency. */
export function frequencyOf(strength: number): number {
  return (SATURATION * strength) / (SATURATION + 1 - strength);
}

/** The strength of the term in a document; 0 when it is missing. */
export function strengthAt(postings: TermPostings, slot: number): number {
  return strengthOfPlace(postings, firstBetween(postings, slot, 0, postings.count), slot);
}

/** The strength at a position that `placeNear` returned for the slot. */
export function strengthOfPlace(
  { slots, strengths, count }: TermPostings,
  place: number,
  slot: number,
): number {
  return place < count && slots[place] === slot ? (strengths[place] ?? 0) : 0;
}

/** Returns the first position that is not before the slot, searched from a position that is probably near. */
export function placeNear(postings: TermPostings, slot: number, near: number): number {
  const { slots, count } = postings;
  const isBefore = near < count && (slots[near] as number) < slot;
  let low = isBefore ? near + 1 : 0;
  let high = isBefore ? count : Math.min(near, count);
  for (let step = 1; low < high; step *= 2) {
    const probe = isBefore ? low + step - 1 : high - step;
    if (probe < 0 || probe >= count) break;
    const isProbeBefore = (slots[probe] as number) < slot;
    if (isProbeBefore) low = probe + 1;
    else high = probe;
    if (isProbeBefore !== isBefore) break;
  }
  return firstBetween(postings, slot, low, high);
}

function firstBetween({ slots }: TermPostings, slot: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle] ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rarity of a term: above 0 even when every record contains the term. */
export function rareness(total: number, found: number): number {
  return Math.log(1 + (total - found + 0.5) / (found + 0.5));
}

/** Merges several lists. A document in several lists gets its greatest strength. */
export function mergePostings(lists: readonly TermPostings[]): TermPostings {
  const [first, second] = lists;
  if (!first) return NO_POSTINGS;
  if (!second) return first;
  if (lists.length > 2) return mergeMany(lists);
  const isBehind = (first.slots[first.count - 1] ?? -1) < (second.slots[0] ?? Infinity);
  if (isBehind) return joined(first, second);
  const slots = new Uint32Array(first.count + second.count);
  const strengths = new Float32Array(slots.length);
  let count = 0;
  let left = 0;
  let right = 0;
  while (left < first.count || right < second.count) {
    const leftSlot = left < first.count ? (first.slots[left] ?? 0) : Infinity;
    const rightSlot = right < second.count ? (second.slots[right] ?? 0) : Infinity;
    let strength = 0;
    if (leftSlot <= rightSlot) strength = first.strengths[left++] ?? 0;
    if (rightSlot <= leftSlot) strength = Math.max(strength, second.strengths[right++] ?? 0);
    slots[count] = Math.min(leftSlot, rightSlot);
    strengths[count] = strength;
    count += 1;
  }
  return { slots, strengths, count };
}

/** New postings mostly follow all existing ones. */
function joined(first: TermPostings, second: TermPostings): TermPostings {
  const count = first.count + second.count;
  const slots = new Uint32Array(count);
  const strengths = new Float32Array(count);
  for (const [{ slots: from, strengths: values, count: end }, at] of [
    [first, 0],
    [second, first.count],
  ] as const) {
    slots.set(from.subarray(0, end), at);
    strengths.set(values.subarray(0, end), at);
  }
  return { slots, strengths, count };
}

function mergeMany(lists: readonly TermPostings[]): TermPostings {
  let end = 0;
  for (const { slots, count } of lists) if (count > 0) end = Math.max(end, (slots[count - 1] as number) + 1);
  const strongest = new Float32Array(end);
  let found = 0;
  for (const { slots, strengths, count } of lists) {
    for (let place = 0; place < count; place += 1) {
      const slot = slots[place] as number;
      const strength = strengths[place] as number;
      const before = strongest[slot] as number;
      if (before === 0) found += 1;
      if (strength > before) strongest[slot] = strength;
    }
  }
  const merged: TermPostings = {
    slots: new Uint32Array(found),
    strengths: new Float32Array(found),
    count: 0,
  };
  for (let slot = 0; slot < end; slot += 1) {
    const strength = strongest[slot] as number;
    if (strength === 0) continue;
    merged.slots[merged.count] = slot;
    merged.strengths[merged.count] = strength;
    merged.count += 1;
  }
  return merged;
}
