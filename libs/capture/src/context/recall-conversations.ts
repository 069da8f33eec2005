import {
  estimateTokens,
  formatFact,
  type ConversationTurn,
  type Fact,
  type Observation,
  type ProjectRef,
  type Store,
} from '@claude-mem/core';
import type { Memory, RankedConversation } from '@claude-mem/search';

/** The decisions of an earlier conversation about the subject of a prompt. */
export interface RecalledConversation {
  sessionId: number;
  /** The observation with the decisions of the conversation; null when there is none. */
  record: Observation | null;
  /** Matching statements in the order of the conversation. */
  statements: readonly Fact[];
}

export interface ConversationRequest {
  prompt: string;
  project: ProjectRef;
  /** The session that sends the prompt. Its own conversation is excluded. */
  sessionId?: number;
  /** Sessions whose statements were injected already. */
  exclude?: ReadonlySet<number>;
  /** Maximum tokens of all statements together. */
  tokens: number;
  signal?: AbortSignal;
}

const MAX_PROMPTS = 60;
/**
 * Maximum number of turns that are read per conversation. For a longer conversation, the facts of its record are
 * used.
 */
const MAX_TURNS = 60;
/**
 * Factor for the required match strength. Conversations without a record decided less clearly, so they must match the
 * prompt better.
 */
const WITHOUT_RECORD = 2;
/**
 * Factors for the second conversation: its required match strength relative to the first, and its share of the
 * tokens.
 */
const SECOND = { strength: 1 / 4, tokens: 2 / 5 };

/**
 * Finds at most two earlier conversations with the same subject as a prompt, and their statements that match the prompt. Reads the
 * stored conversations, so it also finds statements without an observation. Most prompts have none.
 * @throws SearchError as `searchUserPrompts` does; the reason of the signal when it is aborted
 */
export async function recallConversations(
  {
    memory,
    store,
  }: {
    memory: Pick<Memory, 'searchUserPrompts'>;
    store: Pick<Store, 'conversation' | 'currentConversations'>;
  },
  { prompt, project, sessionId, exclude = new Set(), tokens, signal }: ConversationRequest,
): Promise<RecalledConversation[]> {
  const { CONVERSATION_STRENGTH, rankConversations } = await import('@claude-mem/search');
  const { items } = await memory.searchUserPrompts({
    query: prompt,
    project: project.key,
    limit: MAX_PROMPTS,
    explain: true,
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  const sessions = [...new Set(items.map(({ item }) => item.sessionId))];
  const known = await store.currentConversations(sessions);
  const bySession = new Map(known.map((one) => [one.sessionId, one]));
  const byCurrent = new Map(known.map((one) => [one.record?.sessionId, one]));
  const deleted = new Set(known.filter(({ record }) => record === null).map((one) => one.sessionId));
  const [first, second] = rankConversations(items, (id) => bySession.get(id)?.record?.sessionId ?? id).filter(
    (one) =>
      one.sessionId !== sessionId &&
      !exclude.has(one.sessionId) &&
      !deleted.has(one.sessionId) &&
      one.strength >= CONVERSATION_STRENGTH * (byCurrent.has(one.sessionId) ? 1 : WITHOUT_RECORD),
  );
  if (first === undefined) return [];
  const hasSecond = second !== undefined && second.strength >= first.strength * SECOND.strength;
  const share = hasSecond ? SECOND.tokens : 0;
  const recalled: RecalledConversation[] = [];
  for (const [ranked, part] of [
    [first, 1 - share] as const,
    ...(hasSecond ? [[second, share] as const] : []),
  ]) {
    const current = byCurrent.get(ranked.sessionId);
    const record = current?.record ?? null;
    const turns = await store.conversation(ranked.sessionId, {
      throughPrompt: Number.MAX_SAFE_INTEGER,
      limit: MAX_TURNS,
    });
    const isLonger = (turns[0]?.promptNumber ?? 1) > 1;
    const statements =
      record !== null && (isLonger || current?.isUnchanged === false)
        ? withinTokens(record.facts, tokens * part)
        : await chooseFacts(turns, { asked: ranked.words, tokens: tokens * part, signal });
    if (statements.length > 0) recalled.push({ sessionId: ranked.sessionId, record, statements });
  }
  // The newest conversation is last. Its statements are valid when two conversations contradict each other.
  return recalled.sort((a, b) => (b.record?.updatedAtEpoch ?? 0) - (a.record?.updatedAtEpoch ?? 0));
}

/**
 * Returns the facts that fit the limit, in their order. A user can save more and longer facts than a conversation
 * record contains.
 */
function withinTokens(facts: readonly Fact[], tokens: number): Fact[] {
  let left = tokens;
  return facts.filter((fact) => {
    const cost = estimateTokens(`- ${formatFact(fact)}\n`);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

async function chooseFacts(
  turns: readonly ConversationTurn[],
  {
    asked,
    tokens,
    signal,
  }: { asked: RankedConversation['words']; tokens: number; signal: AbortSignal | undefined },
): Promise<Fact[]> {
  const { chooseStatements, formatStatement, readConversation } =
    await import('@claude-mem/local-observer/conversation');
  const chosen = chooseStatements(await readConversation(turns, { signal }), { promptTerms: asked, tokens });
  return chosen.map((statement) => ({ text: formatStatement(statement), origin: statement.origin }));
}
