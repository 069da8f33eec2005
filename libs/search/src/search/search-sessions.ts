import { intersectWithRanking } from '../fusion/intersect-with-ranking.js';
import { seenFrom } from '../fusion/recency-of.js';
import { type LexicalReader, RECORD_KINDS, type RecordFilter } from '@claude-mem/lexical-index';
import type { FoundSession, ScorePart, SearchAnswer, SearchHit } from '../memory.js';
import type { OpenParts } from './open-parts.js';
import { findSessions } from './find-sessions.js';
import { rankSessions } from './rank-sessions.js';
import { matchedWords, type MatchedWords } from './score-signals.js';
import { DATED_POOL, depthOf, incomplete, NOT_SYNTAX, scoreQuery, type Ranking } from './ranking.js';
import { semanticFromEpoch, type ReadRequest } from './read-request.js';
import { resolveFilter } from './resolve-filter.js';
import { NO_MEANING, type SemanticAnswer } from './semantic-search.js';
import { strategyOf, withMeaning } from './with-meaning.js';

/** A ranking of sessions, with the matching observations of each session on the page. */
interface RankedSessions extends Ranking {
  hits: ReadonlyMap<number, readonly number[]>;
}

export async function searchSessions(
  parts: OpenParts,
  request: ReadRequest,
): Promise<SearchAnswer<FoundSession>> {
  const filter = await resolveFilter(parts, request, RECORD_KINDS);
  if (!filter)
    return { items: [], strategy: request.query ? 'lexical' : 'filters', degraded: [], hasMore: false };
  const found = await rank(parts, request, filter);
  request.signal?.throwIfAborted();
  const { strategy, degraded, ids } = found;
  const { offset, limit } = request;
  const items = await hydrate(parts, request, ids.slice(offset, offset + limit), found);
  return { items, strategy, degraded, hasMore: ids.length > offset + limit };
}

async function rank(parts: OpenParts, request: ReadRequest, filter: RecordFilter): Promise<RankedSessions> {
  const { lexical, clock } = parts;
  const now = seenFrom(clock.now(), filter);
  if (request.query === '') return lexical.read((reader) => newestSessions(reader, request, filter));
  if (request.syntax === 'fts5') {
    const found = lexical.read((reader) => {
      const words = matchedBySyntax(reader, request, filter);
      const given = { request, filter, semantic: NO_MEANING, now };
      return words && { ...bestSessions(reader, { ...given, words }), strategy: 'fts5' as const };
    });
    if (found) return found;
  }
  const ranking = await withMeaning(parts, request, filter, {
    wordsOf: (reader) =>
      matchedWords(reader, scoreQuery(reader, request), {
        within: reader.within(filter),
        limit: BEST_BY_WORDS,
      }),
    rank: (reader, words, semantic) => {
      const given = { words, request, filter, semantic, now };
      return { ...bestSessions(reader, given), strategy: strategyOf(words, semantic) };
    },
  });
  return request.syntax === 'fts5' ? { ...ranking, degraded: [NOT_SYNTAX, ...ranking.degraded] } : ranking;
}

/** Records of each kind that count for their sessions. */
const MOST_OF_A_KIND = 10_000;
/** The results that determine the weight of words. */
const BEST_BY_WORDS = 10;

function matchedBySyntax(
  reader: LexicalReader,
  request: ReadRequest,
  filter: RecordFilter,
): MatchedWords | null {
  const within = reader.within(filter);
  const all: { slot: number; score: number }[] = [];
  for (const kind of RECORD_KINDS) {
    const found = reader.matchSyntax(request.query, { kind, within, limit: MOST_OF_A_KIND });
    if (!found) return null;
    all.push(...found);
  }
  const scores = new Float64Array(reader.documents.size);
  for (const { slot, score } of all) scores[slot] = score;
  const slots = Uint32Array.from(all, ({ slot }) => slot);
  const found = { slots, scores, count: slots.length };
  return {
    best: all.sort((a, b) => b.score - a.score),
    of: (slot) => scores[slot] ?? 0,
    found,
    sessions: { asOne: reader.numbersOfSessions(), found: findSessions(reader, found, within) },
  };
}

function bestSessions(
  reader: LexicalReader,
  given: {
    words: MatchedWords;
    request: ReadRequest;
    filter: RecordFilter;
    semantic: SemanticAnswer;
    now: number;
  },
): Omit<RankedSessions, 'strategy'> {
  const { words, request, filter, semantic, now } = given;
  const { documents } = reader;
  const { ranked, hitsOf } = rankSessions(reader, {
    words,
    within: reader.within(filter),
    contextFiles: request.contextFiles,
    semantic: semantic.hits,
    limit: request.orderBy === 'date' ? DATED_POOL : depthOf(request),
    semanticFromEpoch: semanticFromEpoch(request, now),
    now,
  });
  const sessionIdOf = (session: number) => documents.sessionIdOf(session);
  const sorted =
    request.orderBy === 'date'
      ? ranked.toSorted((a, b) => b.time - a.time || sessionIdOf(b.session) - sessionIdOf(a.session))
      : ranked;
  const fill = request.complete ? newestSessions(reader, request, filter) : null;
  const ids = intersectWithRanking(
    sorted.map(({ session }) => sessionIdOf(session)),
    { limit: depthOf(request), isAllowed: () => true, ...(fill && { fill: fill.ids }) },
  );
  const page = sorted.slice(request.offset, request.offset + request.limit);
  const hits = new Map(page.map(({ session }) => [sessionIdOf(session), hitsOf(session)]));
  return {
    ids,
    ranked: new Map(ranked.map((one) => [sessionIdOf(one.session), one])),
    hits: fill ? new Map([...fill.hits, ...hits]) : hits,
    degraded: [...incomplete(reader), ...semantic.degraded],
  };
}

/** Sessions by their newest record that the filters allow. */
function newestSessions(reader: LexicalReader, request: ReadRequest, filter: RecordFilter): RankedSessions {
  const { documents } = reader;
  const within = reader.within(filter);
  const depth = depthOf(request);
  const sessions = new Map<number, number[]>();
  let offset = 0;
  while (sessions.size < depth && offset < within.size) {
    // Few sessions can contain very many records, so each iteration reads several times as many.
    const slots = reader.newest({ within, limit: Math.max(offset * 4, depth * 4), offset });
    if (slots.length === 0) break;
    offset += slots.length;
    for (const slot of slots) {
      const session = documents.session[slot] ?? 0;
      if (!sessions.has(session) && sessions.size === depth) continue;
      const hits = sessions.get(session) ?? [];
      if (documents.kind[slot] === 0 && hits.length < NEWEST_HITS) hits.push(documents.recordId[slot] ?? 0);
      sessions.set(session, hits);
    }
  }
  const ids = [...sessions.keys()].map((session) => documents.sessionIdOf(session));
  const hits = new Map([...sessions].map(([session, found]) => [documents.sessionIdOf(session), found]));
  return { ids, hits, ranked: new Map(), strategy: 'filters', degraded: incomplete(reader) };
}

const NEWEST_HITS = 5;

async function hydrate(
  { store, projects }: OpenParts,
  request: ReadRequest,
  ids: readonly number[],
  { hits, ranked }: RankedSessions,
): Promise<SearchHit<FoundSession>[]> {
  const observationIds = ids.flatMap((id) => hits.get(id) ?? []);
  const sessions = new Map((await store.sessionsByIds(ids)).map((session) => [session.id, session]));
  const summaries = new Map((await store.latestSummaries(ids)).map((one) => [one.sessionId, one]));
  const observations = new Map(
    (await store.observationsByIds(observationIds)).map((observation) => [observation.id, observation]),
  );
  const names = await projects.names();
  const found: SearchHit<FoundSession>[] = [];
  for (const id of ids) {
    const session = sessions.get(id);
    if (!session) continue;
    const { score, parts }: { score: number; parts: readonly ScorePart[] } = ranked.get(id) ?? {
      score: 0,
      parts: [],
    };
    const shown = (hits.get(id) ?? []).flatMap((hit) => observations.get(hit) ?? []);
    found.push({
      item: { ...session, summary: summaries.get(id) ?? null, hits: shown },
      project: names.get(session.projectId) ?? '',
      host: session.host,
      score,
      ...(request.explain && { parts }),
    });
  }
  return found;
}
