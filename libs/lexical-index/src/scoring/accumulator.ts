import type { TermPostings } from './term-postings.js';

/** Scores by slot, most of them 0, and the slots with a score. */
export interface Accumulator {
  readonly scores: Float64Array;
  readonly touched: Uint32Array;
  /** Number of used entries of `touched`. */
  readonly count: number;
  add(postings: TermPostings, factor: number): void;
  /** Adds only to slots that have a score already. */
  addToTouched(postings: TermPostings, factor: number): void;
  clear(): void;
}

export function createAccumulator(size: number): Accumulator {
  const scores = new Float64Array(size);
  const touched = new Uint32Array(size + 1);
  let count = 0;
  return {
    scores,
    touched,
    get count() {
      return count;
    },
    add(postings, factor) {
      const { slots, strengths } = postings;
      const end = postings.count;
      let next = count;
      for (let place = 0; place < end; place += 1) {
        const slot = slots[place] as number;
        const before = scores[slot] as number;
        const score = (strengths[place] as number) * factor;
        // Written unconditionally, and kept only when the score was 0, because an unpredictable branch is slower.
        touched[next] = slot;
        if (before === 0 && score > 0) next += 1;
        scores[slot] = before + score;
      }
      count = next;
    },
    addToTouched({ slots, strengths, count: end }, factor) {
      if (count === 0) return;
      for (let place = 0; place < end; place += 1) {
        const slot = slots[place] as number;
        const before = scores[slot] as number;
        if (before > 0) scores[slot] = before + (strengths[place] as number) * factor;
      }
    },
    clear() {
      if (count > size / 8) scores.fill(0);
      else for (let place = 0; place < count; place += 1) scores[touched[place] as number] = 0;
      count = 0;
    },
  };
}
