import { analyzeQuery } from '@claude-mem/analysis';
import { intersectWithRanking } from '../fusion/intersect-with-ranking.js';
import type { LexicalIndex, LexicalReader } from '../lexical/lexical-index.js';
import type { TermScores } from '../lexical/score-terms.js';
import type { Degradation, HitEvidence, ScorePart, SearchStrategy } from '../memory.js';
import type { RecordFilter, RecordKind } from '../ports/lexical-index.js';
import type { ReadRequest } from './read-request.js';

/** So many of the best by words are ranked by all signals, whatever page is asked for; what is behind them counts by itself. */
export const RANKED_WHOLE = 250;
/** So many of the best are ordered by date when that is asked for. */
export const DATED_POOL = 1_000;
/** So many of the best are looked at for records that replaced each other, whatever page is asked for. */
export const EVIDENCE = 100;

export const NOT_SYNTAX: Degradation = {
  part: 'syntax',
  reason: 'the query is not FTS5 syntax and was read as plain text',
};

export interface RankedSlot {
  slot: number;
  score: number;
  /** They add up to the score. To be asked for while the reader is good. */
  parts(): readonly ScorePart[];
  /** What speaks for it by itself; the same holds. */
  evidence?(): HitEvidence;
}

interface Scored {
  score: number;
  /** When it was recorded; of a session the newest that was found. */
  time: number;
  parts: readonly ScorePart[];
  evidence?: HitEvidence;
}

export interface Ranking {
  strategy: SearchStrategy;
  /** Ids in their order, and what speaks for each. */
  ids: readonly number[];
  ranked: ReadonlyMap<number, Scored>;
  degraded: readonly Degradation[];
}

/** All that the filters allow, newest first. */
export function newest(reader: LexicalReader, request: ReadRequest, filter: RecordFilter): Ranking {
  const slots = reader.newest({ within: reader.within(filter), limit: depthOf(request) });
  return {
    strategy: 'filters',
    ids: slots.map((slot) => reader.documents.recordId[slot] ?? 0),
    ranked: new Map(),
    degraded: incomplete(reader),
  };
}

/** What FTS5 finds where its syntax is asked for and is well formed, else what `asText` finds. */
export async function orSyntax(
  lexical: LexicalIndex,
  request: ReadRequest,
  filter: RecordFilter,
  kind: RecordKind,
  asText: () => Promise<Ranking> | Ranking,
): Promise<Ranking> {
  if (request.syntax === 'text') return asText();
  const found = lexical.read((reader) => bySyntax(reader, request, filter, kind));
  if (found) return found;
  const ranking = await asText();
  return { ...ranking, degraded: [NOT_SYNTAX, ...ranking.degraded] };
}

/** What was found in the order that is asked for, filled up where that is asked for. */
export function ordered(
  reader: LexicalReader,
  request: ReadRequest,
  filter: RecordFilter,
  found: readonly RankedSlot[],
): Omit<Ranking, 'strategy'> {
  const { documents } = reader;
  const within = reader.within(filter);
  const limit = shownOf(request);
  const sorted =
    request.orderBy === 'date'
      ? found.slice(0, DATED_POOL).toSorted((a, b) => documents.newerFirst(a.slot, b.slot))
      : found;
  const slots = intersectWithRanking(
    sorted.map(({ slot }) => slot),
    {
      limit,
      isAllowed: (slot) => within.has(slot),
      ...(request.complete && { fill: reader.newest({ within, limit }) }),
    },
  );
  const bySlot = new Map(sorted.map((one) => [one.slot, one]));
  const ranked = new Map<number, Scored>();
  for (const [place, slot] of slots.entries()) {
    const one = bySlot.get(slot);
    const isShown = place < EVIDENCE || place >= request.offset;
    if (one && isShown)
      ranked.set(documents.recordId[slot] ?? 0, {
        score: one.score,
        time: documents.createdAt[slot] ?? 0,
        parts: request.explain ? one.parts() : [],
        ...(request.explain && one.evidence && { evidence: one.evidence() }),
      });
  }
  return { ids: slots.map((slot) => documents.recordId[slot] ?? 0), ranked, degraded: incomplete(reader) };
}

/** What the words of the query stand in. */
export function scoreQuery(reader: LexicalReader, { query, prefix, asOf }: ReadRequest): TermScores {
  return reader.score({
    terms: analyzeQuery(query).terms,
    prefixLast: prefix,
    onlyDiscriminative: true,
    ...(asOf !== undefined && { among: reader.within({ toEpoch: asOf }) }),
  });
}

/** What words alone found. */
export function byWords({ slot, score }: { slot: number; score: number }): RankedSlot {
  return { slot, score, parts: () => [{ name: 'lexical', value: score }] };
}

/** One more than the page needs, to know whether there is more. */
export const depthOf = ({ offset, limit }: ReadRequest) => offset + limit + 1;

/** How many of the best are looked at. */
const shownOf = (request: ReadRequest) => Math.max(depthOf(request), EVIDENCE);

/** How many of the best must be known in their order. */
export const bestOf = (request: ReadRequest) => (request.orderBy === 'date' ? DATED_POOL : shownOf(request));

/** How many must be ranked for a page. */
export const poolOf = (request: ReadRequest) =>
  Math.max(depthOf(request), request.orderBy === 'date' ? DATED_POOL : RANKED_WHOLE);

function bySyntax(
  reader: LexicalReader,
  request: ReadRequest,
  filter: RecordFilter,
  kind: RecordKind,
): Ranking | null {
  const within = reader.within(filter);
  const found = reader.matchSyntax(request.query, { kind, within, limit: poolOf(request) })?.map(byWords);
  return found ? { ...ordered(reader, request, filter, found), strategy: 'fts5' } : null;
}

export function incomplete({ state }: LexicalReader): Degradation[] {
  if (state.isComplete) return [];
  return [{ part: 'lexical', reason: `${state.indexed} of ${state.total} records are in the index so far` }];
}
