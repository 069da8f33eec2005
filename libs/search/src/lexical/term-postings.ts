import { FIELDS } from '@claude-mem/analysis';
import { SATURATION } from './lexical-weights.js';

/** Where a term stands: slots in ascending order, and how well it says that a document is about it (0 to SATURATION + 1). */
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

/** How strongly a document that holds the term `counts[from + field]` times stands for it. */
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

/** What a weighted frequency says: more for each time, but less and less. */
export function strengthFor(frequency: number): number {
  return (frequency * (SATURATION + 1)) / (SATURATION + frequency);
}

/** The weighted frequency that a strength was made from. */
export function frequencyOf(strength: number): number {
  return (SATURATION * strength) / (SATURATION + 1 - strength);
}

/** The strength of the term in a document; 0 when it is not there. */
export function strengthAt(postings: TermPostings, slot: number): number {
  let low = 0;
  let high = postings.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((postings.slots[middle] ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return low < postings.count && postings.slots[low] === slot ? (postings.strengths[low] ?? 0) : 0;
}

/** How much it says that a term stands somewhere: above 0 also where it stands in every record. */
export function rareness(total: number, found: number): number {
  return Math.log(1 + (total - found + 0.5) / (found + 0.5));
}

/** Several lists as one; where a document is in more than one, its greatest strength counts. */
export function mergePostings(lists: readonly TermPostings[]): TermPostings {
  const [first, second] = lists;
  if (!first) return NO_POSTINGS;
  if (!second) return first;
  if (lists.length > 2) return mergeMany(lists);
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
