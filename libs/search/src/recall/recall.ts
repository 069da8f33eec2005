import { isSavedByAgent, MAX_AGENT_RECORDS_BESIDE, type Observation } from '@claude-mem/core';
import type { Memory, SearchHit } from '../memory.js';
import { belongsToIt, isRelevant } from './is-relevant.js';
import { typedWords } from './typed-words.js';

export interface RecallRequest {
  /** What the user typed. */
  prompt: string;
  /** What opened the session, where this is a later prompt: what comes then is on the matter of both. @default none */
  opening?: string;
  /** Name or key. */
  project: string;
  /** Our id of the session that asks: it knows its own records. */
  session?: number;
  /** Files at hand: what touched them ranks higher. @default none */
  files?: readonly string[];
  /** Ids of what the session was given already. @default none */
  exclude?: readonly number[];
  /** Whether the session has a record in another way. @default none */
  knows?(this: void, record: Observation): boolean;
  /** @default 5 */
  limit?: number;
  signal?: AbortSignal;
}

export interface Recalled {
  /** Best first; mostly empty. */
  hits: readonly SearchHit<Observation>[];
  /** In one sentence for a person: why these, or why nothing. */
  reason: string;
}

/** So many of the best are looked at. */
const LOOKED_AT = 20;
/** S06: so many are searched when records that agents saved fill the best places. */
const LOOKED_AT_AT_MOST = 200;
/** What is not among so many of the best for both together is a chance hit on the words of a later prompt. */
const BEST_FOR_BOTH = 10;

/**
 * What a memory holds on the matter of a prompt, and nothing rather than what merely comes nearest: a record must share enough of
 * the prompt's discriminative words by itself, whatever else there is. Where one does, others of its session need half as much to come
 * behind. A later prompt speaks mostly of its session's own work: what it is given is also among the best for it and the opening
 * prompt together. Superseded records are left out. Vectors would change nothing, so they are not waited for.
 * @throws SearchError as `search` does; the signal's reason when aborted
 */
export async function recall(memory: Pick<Memory, 'search'>, request: RecallRequest): Promise<Recalled> {
  const { prompt, exclude = [], knows, limit = 5 } = request;
  if (prompt.trim() === '') return { hits: [], reason: 'The prompt has no words.' };
  const given = new Set(exclude);
  const looked = LOOKED_AT + (knows ? LOOKED_AT : Math.min(given.size, LOOKED_AT));
  const items = await bestFor(memory, prompt, { request, limit: looked });
  if (items.length === 0) return { hits: [], reason: 'No record shares a word with the prompt.' };
  const candidates = items.filter((hit) => isCandidate(hit, request));
  const onMatter = candidates.filter(({ evidence }) => evidence && isRelevant(evidence));
  const sessions = new Set(onMatter.map(({ item }) => item.sessionId));
  const beside = candidates.filter(
    ({ item, evidence }) =>
      sessions.has(item.sessionId) && evidence && !isRelevant(evidence) && belongsToIt(evidence),
  );
  const relevant = [...onMatter, ...beside];
  if (relevant.length === 0)
    return { hits: [], reason: 'No record contains enough of the discriminative words of the prompt.' };
  const fresh = relevant.filter(({ item }) => !given.has(item.id) && !knows?.(item));
  if (fresh.length === 0)
    return { hits: [], reason: 'The session was given all that is relevant to the prompt already.' };
  const hits = (await onBothMatters(memory, fresh, request)).slice(0, limit);
  if (hits.length === 0)
    return { hits, reason: 'No record is on the matter of the prompt and of what opened the session.' };
  const shared = sharedWords(prompt, hits);
  const reason =
    shared.length > 0
      ? `Shares with the prompt: ${shared.join(', ')}.`
      : 'Is of a session on the matter of the prompt.';
  return { hits, reason };
}

async function bestFor(
  memory: Pick<Memory, 'search'>,
  query: string,
  { request: { project, files = [], signal }, limit }: { request: RecallRequest; limit: number },
): Promise<readonly SearchHit<Observation>[]> {
  const search = async (most: number) => {
    const { items } = await memory.search({
      query,
      project,
      contextFiles: files,
      limit: most,
      explain: true,
      meaning: false,
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    return items;
  };
  const items = await search(limit);
  if (withoutTooManyByAgents(items).length === items.length) return items;
  return withoutTooManyByAgents(await search(LOOKED_AT_AT_MOST)).slice(0, limit);
}

/** S06: keeps the best few of the records that agents saved, and all others. */
function withoutTooManyByAgents(hits: readonly SearchHit<Observation>[]): readonly SearchHit<Observation>[] {
  const byAgents = hits.filter(({ item }) => isSavedByAgent(item));
  const tooMany = new Set(byAgents.slice(MAX_AGENT_RECORDS_BESIDE));
  return hits.filter((hit) => !tooMany.has(hit));
}

const isCandidate = ({ item }: SearchHit<Observation>, { session }: RecallRequest) =>
  item.supersededBy === null && item.sessionId !== session;

async function onBothMatters(
  memory: Pick<Memory, 'search'>,
  hits: readonly SearchHit<Observation>[],
  request: RecallRequest,
): Promise<readonly SearchHit<Observation>[]> {
  const { prompt, opening = '', knows } = request;
  if (opening.trim() === '' || opening === prompt) return hits;
  const both = await bestFor(memory, `${prompt}\n${opening}`, { request, limit: LOOKED_AT + BEST_FOR_BOTH });
  const others = both.filter((hit) => isCandidate(hit, request) && !knows?.(hit.item));
  const ids = new Set(others.slice(0, BEST_FOR_BOTH).map(({ item }) => item.id));
  return hits.filter(({ item }) => ids.has(item.id));
}

const MOST_WORDS = 6;
/** No person would name a less rare word as the reason. */
const TELLING = 1 / 4;

function sharedWords(prompt: string, hits: readonly SearchHit<Observation>[]): string[] {
  const shares = new Map<string, number>();
  for (const { evidence } of hits)
    for (const { term, share, rareness } of evidence?.words ?? [])
      if (rareness >= TELLING) shares.set(term, share);
  const terms = [...shares].sort(([, left], [, right]) => right - left).map(([term]) => term);
  return typedWords(prompt, terms).slice(0, MOST_WORDS);
}
