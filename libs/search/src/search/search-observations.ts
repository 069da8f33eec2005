import { HOST_NAMES, type Observation } from '@claude-mem/core';
import type { LexicalReader, RecordFilter } from '@claude-mem/lexical-index';
import { supersede } from '../fusion/supersede.js';
import { seenFrom } from '../fusion/recency-of.js';
import type { SearchAnswer, SearchHit } from '../memory.js';
import type { OpenParts } from './open-parts.js';
import { rankObservations } from './rank-observations.js';
import { bestOf, EVIDENCE, newest, ordered, orSyntax, poolOf, scoreQuery, type Ranking } from './ranking.js';
import { matchedWords, type MatchedWords } from './score-signals.js';
import { semanticFromEpoch, type ReadRequest } from './read-request.js';
import { resolveFilter } from './resolve-filter.js';
import type { SemanticAnswer } from './semantic-search.js';
import { strategyOf, withMeaning } from './with-meaning.js';

export async function searchObservations(
  parts: OpenParts,
  request: ReadRequest,
): Promise<SearchAnswer<Observation>> {
  const filter = await resolveFilter(parts, request, ['observation']);
  if (!filter)
    return { items: [], strategy: request.query ? 'lexical' : 'filters', degraded: [], hasMore: false };
  const { ids, ranked, strategy, degraded } = await rank(parts, request, filter);
  request.signal?.throwIfAborted();
  const { offset, limit } = request;
  const isRanked = request.orderBy === 'relevance' && strategy !== 'filters';
  const items = isRanked
    ? await inOrderOfEvidence(parts, request, ids, ranked)
    : await hydrate(parts, request, ids.slice(offset, offset + limit), ranked);
  return { items, strategy, degraded, hasMore: ids.length > offset + limit };
}

function rank(parts: OpenParts, request: ReadRequest, filter: RecordFilter): Promise<Ranking> | Ranking {
  if (request.query === '') return parts.lexical.read((reader) => newest(reader, request, filter));
  return orSyntax(parts.lexical, request, filter, 'observation', () =>
    withMeaning(parts, request, filter, {
      wordsOf: (reader) =>
        matchedWords(reader, scoreQuery(reader, request), {
          within: reader.within(filter),
          limit: poolOf(request),
        }),
      rank: (reader, words, semantic) => {
        const now = seenFrom(parts.clock.now(), filter);
        return fused(reader, { words, request, filter, semantic, now });
      },
    }),
  );
}

function fused(
  reader: LexicalReader,
  parts: {
    words: MatchedWords;
    request: ReadRequest;
    filter: RecordFilter;
    semantic: SemanticAnswer;
    now: number;
  },
): Ranking {
  const { words, request, filter, semantic, now } = parts;
  const within = reader.within(filter);
  const found = rankObservations(reader, {
    words,
    within,
    limit: bestOf(request),
    contextFiles: request.contextFiles,
    semantic: semantic.hits,
    semanticFromEpoch: semanticFromEpoch(request, now),
    now,
  });
  const ranking = ordered(reader, request, filter, found);
  return {
    ...ranking,
    strategy: strategyOf(words, semantic),
    degraded: [...ranking.degraded, ...semantic.degraded],
  };
}

/** The page, after records that replaced each other were reordered. */
async function inOrderOfEvidence(
  parts: OpenParts,
  request: ReadRequest,
  ids: readonly number[],
  ranked: Ranking['ranked'],
): Promise<readonly SearchHit<Observation>[]> {
  const { offset, limit, query } = request;
  const window = ids.slice(0, EVIDENCE).filter((id) => ranked.has(id));
  const scores = new Map(window.map((id) => [id, ranked.get(id)?.score ?? 0]));
  const changes =
    offset < window.length
      ? supersede(scores, parts.tables.changingObservations(window), query)
      : new Map<number, number>();
  if (changes.size === 0) return hydrate(parts, request, ids.slice(offset, offset + limit), ranked);
  const changed = new Map(ranked);
  for (const [id, change] of changes) {
    const before = ranked.get(id);
    if (!before) continue;
    const part = { name: 'supersession', value: change } as const;
    changed.set(id, { ...before, score: before.score + change, parts: [...before.parts, part] });
  }
  const settled = window
    .map((id) => ({ id, score: 0, time: 0, ...changed.get(id) }))
    .sort((a, b) => b.score - a.score || b.time - a.time || b.id - a.id)
    .map(({ id }) => id);
  const all = [...settled, ...ids.slice(window.length)];
  return hydrate(parts, request, all.slice(offset, offset + limit), changed);
}

async function hydrate(
  parts: OpenParts,
  request: Pick<ReadRequest, 'explain'>,
  ids: readonly number[],
  ranked: Ranking['ranked'],
): Promise<readonly SearchHit<Observation>[]> {
  const found = new Map((await parts.store.observationsByIds(ids)).map((one) => [one.id, one]));
  const names = await parts.projects.names();
  const hits: SearchHit<Observation>[] = [];
  for (const id of ids) {
    const item = found.get(id);
    const host = item && HOST_NAMES[parts.lexical.sessionHosts.numberOf(item.sessionId)];
    if (!host) continue;
    const { score = 0, parts: shown = [], evidence } = ranked.get(id) ?? {};
    const project = names.get(item.projectId) ?? '';
    hits.push({
      item,
      project,
      host,
      score,
      ...(request.explain && { parts: shown }),
      ...(evidence && { evidence }),
    });
  }
  return hits;
}
