import { analyzeQuery } from '@claude-mem/lexical-index/analysis';
import { intersectWithRanking } from '../fusion/intersect-with-ranking.js';
import type {
  LexicalIndex,
  LexicalReader,
  RecordFilter,
  RecordKind,
  TermScores,
} from '@claude-mem/lexical-index';
import type { Degradation, HitEvidence, ScorePart, SearchStrategy } from '../memory.js';
import type { ReadRequest } from './read-request.js';

/**
 * Number of best lexical results that are ranked by all signals, for every page. Further results are ranked by words
 * only.
 */
export const FULLY_RANKED = 250;
/** Number of best results that are sorted by date. */
export const DATED_POOL = 1_000;
/** Number of best results that are checked for replacements, for every page. */
export const EVIDENCE = 100;

export const NOT_SYNTAX: Degradation = {
  part: 'syntax',
  reason: 'the query is not FTS5 syntax and was read as plain text',
};

export interface RankedSlot {
  slot: number;
  score: number;
  /** The parts of the score. Must be called while the reader is open. */
  parts(): readonly ScorePart[];
  /** How well it matches by itself. Must be called while the reader is open. */
  evidence?(): HitEvidence;
}

interface Scored {
  score: number;
  /** Time of the record; for a session the time of its newest found record. */
  time: number;
  parts: readonly ScorePart[];
  evidence?: HitEvidence;
}

export interface Ranking {
  strategy: SearchStrategy;
  /** Ids in order, with their score parts. */
  ids: readonly number[];
  ranked: ReadonlyMap<number, Scored>;
  degraded: readonly Degradation[];
}

/** All records that match the filters, newest first. */
export function newest(reader: LexicalReader, request: ReadRequest, filter: RecordFilter): Ranking {
  const slots = reader.newest({ within: reader.within(filter), limit: depthOf(request) });
  return {
    strategy: 'filters',
    ids: slots.map((slot) => reader.documents.recordId[slot] ?? 0),
    ranked: new Map(),
    degraded: incomplete(reader),
  };
}

/** Runs a valid FTS5 query when requested, or else `asText`. */
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

/** Applies the requested order, and fills the page when requested. */
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

/** The records that contain words of the query. */
export function scoreQuery(reader: LexicalReader, { query, prefix, asOf }: ReadRequest): TermScores {
  return reader.score({
    terms: analyzeQuery(query).terms,
    prefixLast: prefix,
    onlyDiscriminative: true,
    ...(asOf !== undefined && { among: reader.within({ toEpoch: asOf }) }),
  });
}

/** The lexical results. */
export function byWords({ slot, score }: { slot: number; score: number }): RankedSlot {
  return { slot, score, parts: () => [{ name: 'lexical', value: score }] };
}

/** One more than the page needs, to know whether there are more. */
export const depthOf = ({ offset, limit }: ReadRequest) => offset + limit + 1;

/** Number of best results to check. */
const shownOf = (request: ReadRequest) => Math.max(depthOf(request), EVIDENCE);

/** Number of best results whose order must be known. */
export const bestOf = (request: ReadRequest) => (request.orderBy === 'date' ? DATED_POOL : shownOf(request));

/** Number of results to rank for a page. */
export const poolOf = (request: ReadRequest) =>
  Math.max(depthOf(request), request.orderBy === 'date' ? DATED_POOL : FULLY_RANKED);

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
  if (state.indexed >= state.total) return [];
  return [{ part: 'lexical', reason: `${state.indexed} of ${state.total} records are in the index so far` }];
}
