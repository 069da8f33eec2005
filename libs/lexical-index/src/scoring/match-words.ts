import type { DocumentSet } from '../documents/document-set.js';
import type { DocumentTable } from '../documents/document-table.js';
import { createTopSlots } from '../documents/top-slots.js';
import { RECORD_KINDS, type RecordKind } from '../documents/record.js';
import { rareness, strengthAt, type TermPostings } from './term-postings.js';

/**
 * Returns the records of a kind that are in every list, best first; for equal scores newer first, then larger ids
 * first.
 */
export function matchWords(
  lists: readonly TermPostings[],
  documents: DocumentTable,
  request: { kind: RecordKind; within: DocumentSet; limit: number },
): readonly { slot: number; score: number }[] {
  const { kind: kindOf } = documents;
  const { bits } = request.within;
  const kind = RECORD_KINDS.indexOf(request.kind);
  const total = documents.live.size;
  const [rarest, ...others] = lists
    .map((postings) => ({ postings, idf: rareness(total, postings.count) }))
    .toSorted((left, right) => left.postings.count - right.postings.count);
  if (!rarest) return [];
  const top = createTopSlots(request.limit, documents.newerFirst);
  const { slots, strengths, count } = rarest.postings;
  for (let place = 0; place < count; place += 1) {
    const slot = slots[place] as number;
    if (kindOf[slot] !== kind || (((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 0) continue;
    let score = rarest.idf * (strengths[place] as number);
    let isEverywhere = true;
    for (const { postings, idf } of others) {
      const strength = strengthAt(postings, slot);
      if (strength === 0) {
        isEverywhere = false;
        break;
      }
      score += idf * strength;
    }
    if (isEverywhere) top.offer(slot, score);
  }
  return top.sorted();
}
