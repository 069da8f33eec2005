import { estimateTokens, systemClock, type Clock } from '@claude-mem/core';
import type { AgentProvider, Conversation, ObserverReply, ObserverRequest } from '../agent-provider.js';
import { ProviderError } from '../provider-error.js';
import { createPlaces, type PlaceOwner } from './create-places.js';

export interface ConversationsOptions {
  /** A conversation that carries more than this from earlier turns costs more than a fresh one. */
  maxHistoryTokens: number;
  /** What a request may be with all it carries; the conversation is begun anew where it would be more. @default no limit */
  maxRequestTokens?: number;
  /** How long one that is not asked stays open. @default 120_000 */
  idleMs?: number;
  /** How many are open at a time. @default 2 */
  maxOpen?: number;
  /** @default systemClock */
  clock?: Clock;
}

export interface ObservedSession {
  sessionId: number;
  /** What an earlier send, perhaps of another process, said to store. */
  memorySessionId: string | null;
}

export interface ConversationReply {
  reply: ObserverReply;
  /** To be stored with the session; null: store that there is none; undefined: the provider knows no such thing. */
  memorySessionId: string | null | undefined;
}

/**
 * One conversation per session with a provider that can go on with it; with others a fresh one for each request.
 * To be disposed when nothing is being sent.
 */
export interface Conversations extends AsyncDisposable {
  /** One at a time per session. Rejects like `Conversation.send` and `AgentProvider.startConversation`. */
  send(
    provider: AgentProvider,
    session: ObservedSession,
    request: ObserverRequest,
    options?: { signal?: AbortSignal },
  ): Promise<ConversationReply>;
  /** Ends what is open for the session, and goes on with none of what it carries: the next send begins anew. */
  forget(sessionId: number): Promise<void>;
}

export function createConversations(options: ConversationsOptions): Conversations {
  const {
    maxHistoryTokens,
    maxRequestTokens = Infinity,
    idleMs = 120_000,
    maxOpen = 2,
    clock = systemClock,
  } = options;
  const places = createPlaces(maxOpen);
  const kept = new Map<number, Kept>();
  const turns = new Map<number, Promise<unknown>>();
  /** Sessions whose stored conversation holds a request without an answer, or what is to be forgotten. */
  const spoiled = new Set<number>();
  /** Sessions that were to be forgotten while they were asked. */
  const outdated = new Set<number>();

  /** Goes on with the session's conversation, or opens one. */
  async function keep(
    provider: AgentProvider,
    { sessionId, memorySessionId }: ObservedSession,
    request: ObserverRequest,
    signal?: AbortSignal,
  ): Promise<Kept> {
    const present = kept.get(sessionId);
    // what was stored carries at most what is worth keeping
    const carried = present ? present.historyTokens : maxHistoryTokens;
    const hasRoom = carried + tokensOf(request) <= maxRequestTokens;
    if (present?.provider === provider && !present.isLeaving && hasRoom) {
      present.wake();
      await places.enter(present);
      return present;
    }
    await present?.leave();
    const found = createKept(provider, () => {
      if (kept.get(sessionId) === found) kept.delete(sessionId);
      places.leave(found);
    });
    await places.enter(found, signal);
    try {
      await found.open(hasRoom && !spoiled.has(sessionId) ? memorySessionId : null, signal);
    } catch (error) {
      await found.leave();
      throw error;
    }
    kept.set(sessionId, found);
    return found;
  }

  async function closeWhenIdle(found: Kept): Promise<void> {
    const isOver = await clock.sleep(idleMs, { signal: found.woken.signal }).then(
      () => true,
      () => false,
    );
    if (isOver) await found.leave();
  }

  async function ask(
    provider: AgentProvider,
    session: ObservedSession,
    request: ObserverRequest,
    signal?: AbortSignal,
  ): Promise<ConversationReply> {
    const found = await keep(provider, session, request, signal);
    let isWorthKeeping = true;
    try {
      const reply = await found.send(request, signal);
      const isOutdated = outdated.delete(session.sessionId);
      if (!isOutdated) spoiled.delete(session.sessionId);
      isWorthKeeping = !isOutdated && found.historyTokens <= maxHistoryTokens;
      return { reply, memorySessionId: isWorthKeeping ? (reply.memorySessionId ?? null) : null };
    } catch (error) {
      isWorthKeeping = false;
      spoiled.add(session.sessionId);
      throw error;
    } finally {
      found.isAsked = false;
      if (isWorthKeeping) void closeWhenIdle(found);
      else void found.leave();
      places.changed();
    }
  }

  async function askAgainWhenTooLong(
    provider: AgentProvider,
    session: ObservedSession,
    request: ObserverRequest,
    signal?: AbortSignal,
  ): Promise<ConversationReply> {
    const hadHistory = session.memorySessionId !== null || kept.has(session.sessionId);
    try {
      return await ask(provider, session, request, signal);
    } catch (error) {
      if (!hadHistory || !ProviderError.isInstance(error) || error.code !== 'provider/too-long') throw error;
      // a reply tells of one call: what was charged is told by the error, and the next send begins anew
      if (error.usage === null || error.usage.inputTokens > 0) throw error;
      return await ask(provider, session, request, signal);
    }
  }

  return {
    async send(provider, session, request, { signal } = {}) {
      if (!provider.capabilities.resumes) {
        await using conversation = await provider.startConversation(signal ? { signal } : {});
        const reply = await conversation.send(request, signal ? { signal } : {});
        return { reply, memorySessionId: undefined };
      }
      const { sessionId } = session;
      const before = turns.get(sessionId) ?? Promise.resolve();
      const turn = before.then(() => {
        signal?.throwIfAborted();
        return askAgainWhenTooLong(provider, session, request, signal);
      });
      const over = turn.then(
        () => undefined,
        () => undefined,
      );
      turns.set(sessionId, over);
      try {
        return await turn;
      } finally {
        if (turns.get(sessionId) === over) turns.delete(sessionId);
        outdated.delete(sessionId);
      }
    },
    async forget(sessionId) {
      spoiled.add(sessionId);
      // what is being asked gets its answer, and then ends
      if (turns.has(sessionId)) outdated.add(sessionId);
      else await kept.get(sessionId)?.leave();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...kept.values()].map((found) => found.leave()));
    },
  };
}

const tokensOf = ({ instructions, prompt }: ObserverRequest) =>
  estimateTokens(instructions) + estimateTokens(prompt);

interface Kept extends PlaceOwner {
  readonly provider: AgentProvider;
  readonly isLeaving: boolean;
  /** Aborts when it is asked again, or ends. */
  readonly woken: AbortController;
  /** What the next request would carry besides its own words. */
  readonly historyTokens: number;
  isAsked: boolean;
  open(resume: string | null, signal?: AbortSignal): Promise<void>;
  wake(): void;
  send(request: ObserverRequest, signal?: AbortSignal): Promise<ObserverReply>;
}

function createKept(provider: AgentProvider, onLeft: () => void): Kept {
  let conversation: Conversation | null = null;
  let leaving: Promise<void> | null = null;
  let woken = new AbortController();
  let historyTokens = 0;

  async function end(): Promise<void> {
    woken.abort();
    await conversation?.[Symbol.asyncDispose]();
    onLeft();
  }

  return {
    provider,
    get isLeaving() {
      return leaving !== null;
    },
    get woken() {
      return woken;
    },
    get historyTokens() {
      return historyTokens;
    },
    // from its making on, until the first answer
    isAsked: true,
    isIdle() {
      return !this.isAsked && leaving === null;
    },
    leave: () => (leaving ??= end()),
    async open(resume, signal) {
      conversation = await provider.startConversation({
        ...(signal ? { signal } : {}),
        ...(resume === null ? {} : { resume }),
      });
    },
    wake() {
      this.isAsked = true;
      woken.abort();
      woken = new AbortController();
    },
    async send(request, signal) {
      if (conversation === null) throw new Error('a conversation is asked before it is open');
      const reply = await conversation.send(request, signal ? { signal } : {});
      if (reply.kind === 'text') {
        const { inputTokens, outputTokens } = reply.usage;
        const reported = inputTokens - estimateTokens(request.instructions) + outputTokens;
        // the figures of a vendor may be none
        const written = historyTokens + estimateTokens(request.prompt) + estimateTokens(reply.text);
        historyTokens = Math.max(reported, written);
      }
      return reply;
    },
  };
}
