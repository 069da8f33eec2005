import { isSavedByAgent, MAX_AGENT_RECORDS_BESIDE, type Observation } from '@claude-mem/core';
import type { Memory, SearchHit } from '../memory.js';
import { belongsToIt, isRelevant } from './is-relevant.js';
import { typedWords } from './typed-words.js';

export interface RecallRequest {
  /** The prompt. */
  prompt: string;
  /** The first prompt of the session, for later prompts: their records match both. @default none */
  opening?: string;
  /** Name or key of the project. */
  project: string;
  /** Id of the current session, whose records are excluded. */
  session?: number;
  /** Current files. Records that touched them rank higher. @default none */
  files?: readonly string[];
  /** Ids of records that were already injected. @default none */
  exclude?: readonly number[];
  /** Whether the session received a record in another way. @default none */
  knows?(this: void, record: Observation): boolean;
  /** @default 5 */
  limit?: number;
  signal?: AbortSignal;
}

export interface Recalled {
  /** Best first; mostly empty. */
  hits: readonly SearchHit<Observation>[];
  /** The reason for the result, in one sentence for the user. */
  reason: string;
}

/** Number of best results that are checked. */
const LOOKED_AT = 20;
/** S06: the number when records that agents saved are the best results. */
const LOOKED_AT_AT_MOST = 200;
/**
 * A record that is not among so many best results for both prompts together matches the words of a later prompt by
 * chance.
 */
const BEST_FOR_BOTH = 10;

/**
 * Returns records about the subject of a prompt, or nothing instead of the nearest ones. A record must contain enough
 * discriminative words of the prompt by itself. Further records of its session need half as much. A later prompt is
 * mostly about the work of its own session, so its records must also be among the best for both prompts together.
 * Superseded records are excluded. Vectors do not change the result, so recall does not wait for them.
 * @throws SearchError like `search`, or the reason of the signal
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

/** S06: keeps the best few records that agents saved, and all others. */
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
/** A less rare word is not a plausible reason. */
const TELLING = 1 / 4;

function sharedWords(prompt: string, hits: readonly SearchHit<Observation>[]): string[] {
  const shares = new Map<string, number>();
  for (const { evidence } of hits)
    for (const { term, share, rareness } of evidence?.words ?? [])
      if (rareness >= TELLING) shares.set(term, share);
  const terms = [...shares].sort(([, left], [, right]) => right - left).map(([term]) => term);
  return typedWords(prompt, terms).slice(0, MOST_WORDS);
}
