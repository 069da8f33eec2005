import { analyzeQuery } from '@claude-mem/lexical-index/analysis';
import type { SearchStrategy } from '../memory.js';
import type { LexicalReader, RecordFilter } from '@claude-mem/lexical-index';
import type { VectorFilter } from '../ports/vector-index.js';
import type { OpenParts } from './open-parts.js';
import type { Ranking } from './ranking.js';
import type { ReadRequest } from './read-request.js';
import type { MatchedWords } from './score-signals.js';
import { NO_MEANING, type SemanticAnswer } from './semantic-search.js';
import { withinTime } from './within-time.js';

/**
 * Number of vectors to request: several belong to one observation, and more are needed when the index does not check
 * all filters.
 */
const LIMIT = 500;
const FILTERED_LIMIT = 1_000;

/**
 * Ranks with semantic results, which get a short time limit: lexical results are returned without them afterwards.
 * Without lexical results the limit is longer. The lexical search runs while the embedder works.
 */
export async function withMeaning<Found extends Pick<Ranking, 'ids'>>(
  { lexical, meaning, clock }: OpenParts,
  request: ReadRequest,
  filter: RecordFilter,
  { wordsOf, rank }: RankedByWords<Found>,
): Promise<Found> {
  const { query, signal } = request;
  const withoutMeaning = (semantic: SemanticAnswer) =>
    lexical.read((reader) => rank(reader, wordsOf(reader), semantic));
  // A query without words has no meaning, although every model returns a vector for it.
  if (!request.meaning || analyzeQuery(query).terms.length === 0) return withoutMeaning(NO_MEANING);
  if (!meaning.find)
    return withoutMeaning({
      isAnswered: false,
      hits: [],
      degraded: meaning.missing ? [meaning.missing] : [],
    });
  const isPartly = filter.concepts ?? filter.files ?? filter.sessionIds ?? filter.hosts;
  const asked = meaning.find({
    query,
    filter: vectorFilterOf(filter),
    limit: isPartly ? FILTERED_LIMIT : LIMIT,
  });
  using words = lexical.readAhead(wordsOf);
  const rankWith = (semantic: SemanticAnswer) =>
    words.read((reader, matched) => rank(reader, matched, semantic));
  const answerWithin = (ms: number) => withinTime(asked, { ms, clock, ...(signal && { signal }) });
  const early = await answerWithin(meaning.timeoutMs);
  const found = rankWith(early ?? TOO_LATE);
  if (early || found.ids.length > 0) return found;
  const late = await answerWithin(meaning.longTimeoutMs);
  return late ? rankWith(late) : found;
}

interface RankedByWords<Found> {
  wordsOf(this: void, reader: LexicalReader): MatchedWords;
  rank(this: void, reader: LexicalReader, words: MatchedWords, semantic: SemanticAnswer): Found;
}

export function strategyOf({ best }: MatchedWords, { isAnswered }: SemanticAnswer): SearchStrategy {
  if (!isAnswered) return 'lexical';
  return best.length > 0 ? 'hybrid' : 'semantic';
}

const TOO_LATE: SemanticAnswer = {
  isAnswered: false,
  hits: [],
  degraded: [{ part: 'vectors', reason: 'vectors took too long this time' }],
};

function vectorFilterOf(filter: RecordFilter): VectorFilter {
  const { projectIds, sessionIds, hosts, types, fromEpoch, toEpoch } = filter;
  return {
    ...(projectIds && { projectIds }),
    ...(sessionIds && { sessionIds }),
    ...(hosts && { hosts }),
    ...(types && { types }),
    ...(fromEpoch !== undefined && { fromEpoch }),
    ...(toEpoch !== undefined && { toEpoch }),
  };
}
