import type { Observation, Store, UserPrompt } from '@claude-mem/core';
import {
  wordsToMark,
  type FoundSession,
  type Memory,
  type SearchAnswer,
  type SearchRequest,
} from '@claude-mem/search';
import { MAX_OFFSET, type FoundItem, type SearchQuery, type SearchReply } from '@claude-mem/worker-protocol';
import type { Freshness } from '@claude-mem/freshness';
import { countFound } from './count-found.js';
import { labelItems } from './label-items.js';
import { rankStaleLower } from './rank-stale-lower.js';

/** Number of best results that are counted for facets. */
const COUNTED = 200;
const DEFAULT_LIMIT = 20;

type Kind = NonNullable<SearchQuery['kind']>;

/** Runs one search: the page, the words to mark in it, and facets of all results. */
export async function answerSearch(
  request: SearchRequest,
  {
    kind,
    hasFacets,
    searched,
    store,
    freshness,
  }: {
    kind: Kind;
    hasFacets: boolean;
    searched: Memory;
    store: Pick<Store, 'listProjects'>;
    freshness: Pick<Freshness, 'label'>;
  },
): Promise<SearchReply> {
  const { limit = DEFAULT_LIMIT, offset = 0 } = request;
  const isCounted = hasFacets && offset + limit <= COUNTED;
  const wanted = isCounted ? { ...request, offset: 0, limit: COUNTED } : request;
  const { answers: unlabelled, strategy } = await ask(searched, kind, wanted);
  const isByRelevance = request.query !== undefined && request.orderBy !== 'date';
  const answers: Answer[] = [];
  for (const answer of unlabelled) {
    const items = await labelItems(answer.items, freshness);
    answers.push({ ...answer, items: isByRelevance ? rankStaleLower(items) : items });
  }
  const start = isCounted ? offset : 0;
  const pages = answers.map(({ items }) => items.slice(start, start + limit));
  const hasMore = answers.some((one) => one.hasMore || one.items.length > start + limit);
  const found = answers.flatMap(({ items }) => items);
  const next = offset + limit;
  const items = pages.flat();
  return {
    items,
    nextCursor: hasMore && next <= MAX_OFFSET ? String(next) : null,
    strategy,
    degraded: distinct(answers.flatMap(({ degraded }) => degraded)),
    terms: [...wordsToMark(request.query ?? '', textsOf(items), { prefix: request.prefix ?? false })],
    ...(isCounted && { facets: countFound(found, await idsByName(store)) }),
  };
}

type Answer = Omit<SearchAnswer<unknown>, 'items'> & { items: readonly FoundItem[] };
type Answers = Pick<Answer, 'strategy'> & { answers: readonly Answer[] };

async function idsByName({
  listProjects,
}: Pick<Store, 'listProjects'>): Promise<ReadonlyMap<string, number>> {
  return new Map((await listProjects()).map(({ id, name }) => [name, id]));
}

async function ask(searched: Memory, kind: Kind, request: SearchRequest): Promise<Answers> {
  switch (kind) {
    case 'observations':
      return alone(labelled('observation', await searched.search(request)));
    case 'sessions':
      return alone(labelled('session', await searched.searchSessions(request)));
    case 'prompts':
      return alone(labelled('prompt', await searched.searchUserPrompts(request)));
    case 'all': {
      const { observations, sessions, prompts, strategy } = await searched.advancedSearch(request);
      const answers = [
        labelled('observation', observations),
        labelled('session', sessions),
        labelled('prompt', prompts),
      ];
      return { answers, strategy };
    }
  }
}

const alone = (answer: Answer): Answers => ({ answers: [answer], strategy: answer.strategy });

function labelled(
  kind: FoundItem['kind'],
  { items, ...rest }: SearchAnswer<Observation> | SearchAnswer<FoundSession> | SearchAnswer<UserPrompt>,
): Answer {
  return { ...rest, items: items.map((hit) => ({ kind, ...hit }) as FoundItem) };
}

function distinct(degraded: SearchReply['degraded']): SearchReply['degraded'] {
  return [...new Map(degraded.map((one) => [`${one.part} ${one.reason}`, one])).values()];
}

/** The fields of a result on a page. */
function* textsOf(items: readonly FoundItem[]): Iterable<string> {
  for (const { item } of items) yield* textsIn(item);
}

function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) if (!UNSHOWN.has(name)) yield* textsIn(one);
}

const UNSHOWN: ReadonlySet<string> = new Set([
  'uid',
  'contentHash',
  'contentSessionId',
  'memorySessionId',
  'cwd',
  'model',
  'provider',
  'host',
  'source',
  'status',
]);
