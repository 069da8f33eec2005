import type { QueryTerm } from '../analysis/analyze-query.js';
import type { DocumentSet } from '../documents/document-set.js';
import type { DocumentTable } from '../documents/document-table.js';
import { createTopSlots } from '../documents/top-slots.js';
import type { Accumulator } from './accumulator.js';
import { createConcentration } from './create-concentration.js';
import { expectedRareness } from './expected-rareness.js';
import type { SessionLengths } from './session-lengths.js';
import {
  frequencyOf,
  placeNear,
  rareness,
  strengthAt,
  strengthFor,
  strengthOfPlace,
  type TermPostings,
} from './term-postings.js';

/** A word of a query that a record contains. */
export interface MatchedWord {
  /** As in the index. */
  term: string;
  /** Its share of the query by rarity. The shares of all words of the query sum up to 1. */
  share: number;
  /**
   * 1 for a complete word of a single record, 0 for a word of all records; less for a part of a word. With few
   * records, this predicts the rarity in a larger memory.
   */
  rareness: number;
  /**
   * Of all records of the project with this word, including summaries and prompts, the share in the session of this
   * one.
   */
  concentration: number;
}

interface ScoredTerm {
  term: string;
  weight: number;
  isCommon: boolean;
  /** Its rarity. */
  idf: number;
  /** Number of records with the term. */
  documents: number;
}

/** Found records, for loops over many of them. */
export interface FoundSlots {
  readonly slots: Uint32Array;
  /** Number of used entries of `slots`. */
  readonly count: number;
  /** By slot. */
  readonly scores: Float64Array;
}

/** The scores of all records for some terms. Larger is better. 0: the record contains no term. */
export interface TermScores {
  /** The terms that were looked up, rarest first and common ones last. */
  readonly terms: readonly ScoredTerm[];
  of(slot: number): number;
  /** The records with any of the terms, unordered. */
  readonly found: FoundSlots;
  /** Best first; for equal scores newer first, then larger ids first. */
  best(request: { within: DocumentSet; limit: number }): readonly { slot: number; score: number }[];
  /** The contribution of each term to the record. Added in this order, the sum is exactly its score. */
  explain(slot: number): readonly { term: string; score: number }[];
  /** The share of the query, by rarity, that the record contains: 0 to 1. */
  coverage(slot: number): number;
  /** The terms of the record in the same order, with their shares of the query, including skipped terms. */
  matched(slot: number): readonly MatchedWord[];
  /** The score of the record if it also contained the words of other records, with the given weight for each. */
  withNeighbours(slot: number, others: readonly number[], weights: readonly number[]): number;
  /** The score of each session as if all its records were one text, by session number. */
  scoreSessions(options: {
    /** How fast repeated occurrences of a word saturate. */
    saturation: number;
    /** Length normalization of sessions: 0 none, 1 full. */
    lengthShare: number;
  }): SessionScores;
}

interface SessionScores {
  scores: Float64Array;
  /** The maximum score of a session. With a saturation of 0, the score of a session that contains every found term. */
  most: number;
}

/** Returns zeros that are valid until the query ends. */
export type CreateZeros = (length: number) => Float64Array;

export function scoreTerms(
  /** In the order of addition, common terms last. */
  terms: readonly QueryTerm[],
  postingsOf: (term: QueryTerm) => TermPostings,
  given: {
    documents: DocumentTable;
    /** Number of records of the postings. */
    total: number;
    sessionLengths: SessionLengths;
    zeros: CreateZeros;
    accumulator: Accumulator;
    /** The complete query, including skipped terms. */
    asked: readonly QueryTerm[];
    countOf(this: void, term: QueryTerm): number;
  },
): TermScores {
  const { documents, total, sessionLengths, zeros, accumulator, asked, countOf } = given;
  const looked = terms.map((term) => {
    const postings = postingsOf(term);
    return { ...term, idf: rareness(total, postings.count), documents: postings.count, postings };
  });
  for (const { weight, idf, postings, isCommon } of looked) {
    if (isCommon) accumulator.addToTouched(postings, weight * idf);
    else accumulator.add(postings, weight * idf);
  }
  const lastPlaces = new Uint32Array(looked.length);
  const mass = looked.reduce((sum, { weight, idf }) => sum + weight * idf, 0);
  const { touched: slots, scores, count } = accumulator;
  const concentrationOf = createConcentration(documents);
  const rarenessOf = expectedRareness(total);
  const mostRare = rarenessOf({ term: '' }, 1);
  let askedMass: number | null = null;
  const massOfAll = () => {
    const all = asked.reduce((sum, term) => sum + term.weight * rarenessOf(term, countOf(term)), 0);
    const found = looked.reduce((sum, term) => sum + term.weight * rarenessOf(term, term.documents), 0);
    return Math.max(all, found);
  };

  return {
    terms: looked.map(({ term, weight, isCommon = false, idf, documents: holding }) => ({
      term,
      weight,
      isCommon,
      idf,
      documents: holding,
    })),
    found: { slots, scores, count },
    of: (slot) => scores[slot] ?? 0,
    best({ within, limit }) {
      const top = createTopSlots(limit, documents.newerFirst);
      const { bits } = within;
      let floor = top.floor;
      for (let place = 0; place < count; place += 1) {
        const slot = slots[place] as number;
        const score = scores[slot] as number;
        if (score < floor || (((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 0) continue;
        top.offer(slot, score);
        floor = top.floor;
      }
      return top.sorted();
    },
    explain: (slot) =>
      (scores[slot] ? looked : [])
        .map(({ term, weight, idf, postings }) => ({
          term,
          score: strengthAt(postings, slot) * (weight * idf),
        }))
        .filter(({ score }) => score > 0),
    coverage(slot) {
      if (mass === 0) return 0;
      let found = 0;
      for (const { weight, idf, postings } of looked)
        if (strengthAt(postings, slot) > 0) found += weight * idf;
      return found / mass;
    },
    matched(slot) {
      const mass = (askedMass ??= massOfAll());
      return looked
        .filter(({ postings }) => strengthAt(postings, slot) > 0)
        .map((word) => {
          const rare = rarenessOf(word, word.documents);
          return {
            term: word.term,
            share: (word.weight * rare) / mass,
            rareness: Math.min(word.weight, 1) * Math.min(rare / mostRare, 1),
            concentration: concentrationOf(word.postings, slot),
          };
        });
    },
    withNeighbours(slot, others, weights) {
      let sum = 0;
      // Records of a session follow each other, and their neighbours are near.
      for (const [number, { weight, idf, postings }] of looked.entries()) {
        const at = placeNear(postings, slot, lastPlaces[number] as number);
        lastPlaces[number] = at;
        let frequency = frequencyOf(strengthOfPlace(postings, at, slot));
        for (let other = 0; other < others.length; other += 1) {
          const near = others[other] as number;
          const strength = strengthOfPlace(postings, placeNear(postings, near, at), near);
          if (strength > 0) frequency += (weights[other] as number) * frequencyOf(strength);
        }
        sum += weight * idf * strengthFor(frequency);
      }
      return sum;
    },
    scoreSessions({ saturation, lengthShare }) {
      const wholes = zeros(documents.sessionCount);
      const frequencies = zeros(documents.sessionCount);
      const holding = zeros(documents.sessionCount + 1);
      const atRest = zeros(documents.sessionCount);
      const { session: sessionOf } = documents;
      const { words, average, count: sessionCount } = sessionLengths;
      for (let session = 0; session < atRest.length; session += 1)
        atRest[session] =
          saturation * (1 - lengthShare + (lengthShare * (words[session] as number)) / (average || 1));
      let most = 0;
      for (const { weight, postings, isCommon } of looked) {
        if (isCommon) continue;
        const { slots: held, strengths, count: end } = postings;
        let found = 0;
        for (let place = 0; place < end; place += 1) {
          const session = sessionOf[held[place] as number] as number;
          const before = frequencies[session] as number;
          holding[found] = session;
          if (before === 0) found += 1;
          frequencies[session] = before + frequencyOf(strengths[place] as number);
        }
        const factor = weight * rareness(sessionCount, found) * (saturation + 1);
        if (found > 0) most += factor;
        for (let place = 0; place < found; place += 1) {
          const session = holding[place] as number;
          const frequency = frequencies[session] as number;
          wholes[session] =
            (wholes[session] as number) + (factor * frequency) / ((atRest[session] as number) + frequency);
          frequencies[session] = 0;
        }
      }
      return { scores: wholes, most };
    },
  };
}
