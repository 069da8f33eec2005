import { estimateTokens, systemClock, type Clock } from '@claude-mem/core';
import type { AgentProvider, Conversation, ObserverReply, ObserverRequest } from '../agent-provider.js';
import { ProviderError } from '../provider-error.js';
import { createSlots, type SlotOwner } from './create-slots.js';

export interface ConversationsOptions {
  /** A conversation with more tokens of earlier turns than this costs more than a new one. */
  maxHistoryTokens: number;
  /**
   * Token limit of a request with its history. A new conversation starts when a request would exceed it. @default no
   * limit
   */
  maxRequestTokens?: number;
  /** Milliseconds until an idle conversation is closed. @default 120_000 */
  idleMs?: number;
  /** Maximum number of open conversations. @default 2 */
  maxOpen?: number;
  /** @default systemClock */
  clock?: Clock;
}

export interface ObservedSession {
  sessionId: number;
  /** The value that an earlier reply asked to store, possibly in another process. */
  memorySessionId: string | null;
}

export interface ConversationReply {
  reply: ObserverReply;
  /** The value to store with the session. Null: clear the stored value. Undefined: the provider has no such value. */
  memorySessionId: string | null | undefined;
}

/**
 * Keeps one conversation per session for providers that can resume, and opens a new one per request for the others.
 * Dispose it when no request is running.
 */
export interface Conversations extends AsyncDisposable {
  /**
   * Sends one request; one at a time per session. Rejects like `Conversation.send` and
   * `AgentProvider.startConversation`.
   */
  send(
    provider: AgentProvider,
    session: ObservedSession,
    request: ObserverRequest,
    options?: { signal?: AbortSignal },
  ): Promise<ConversationReply>;
  /** Closes the conversation of the session. The next request starts a new conversation without history. */
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
  const slots = createSlots(maxOpen);
  const open = new Map<number, OpenConversation>();
  const turns = new Map<number, Promise<unknown>>();
  /**
   * Sessions whose stored conversation must not be resumed: it contains a request without an answer, or text to
   * forget.
   */
  const notResumable = new Set<number>();
  /** Sessions that were forgotten during a running request. */
  const forgottenWhileAsked = new Set<number>();

  /** Returns the open conversation of the session, or opens one. */
  async function acquire(
    provider: AgentProvider,
    { sessionId, memorySessionId }: ObservedSession,
    request: ObserverRequest,
    signal?: AbortSignal,
  ): Promise<OpenConversation> {
    const present = open.get(sessionId);
    // A stored conversation has at most `maxHistoryTokens`.
    const carried = present ? present.historyTokens : maxHistoryTokens;
    const hasRoom = carried + tokensOf(request) <= maxRequestTokens;
    if (present?.provider === provider && !present.isLeaving && hasRoom) {
      present.wake();
      await slots.enter(present);
      return present;
    }
    await present?.leave();
    const found = createOpenConversation(provider, () => {
      if (open.get(sessionId) === found) open.delete(sessionId);
      slots.leave(found);
    });
    await slots.enter(found, signal);
    try {
      await found.open(hasRoom && !notResumable.has(sessionId) ? memorySessionId : null, signal);
    } catch (error) {
      await found.leave();
      throw error;
    }
    open.set(sessionId, found);
    return found;
  }

  async function closeWhenIdle(found: OpenConversation): Promise<void> {
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
    const found = await acquire(provider, session, request, signal);
    let isWorthKeeping = true;
    try {
      const reply = await found.send(request, signal);
      const isOutdated = forgottenWhileAsked.delete(session.sessionId);
      if (!isOutdated) notResumable.delete(session.sessionId);
      isWorthKeeping = !isOutdated && found.historyTokens <= maxHistoryTokens;
      return { reply, memorySessionId: isWorthKeeping ? (reply.memorySessionId ?? null) : null };
    } catch (error) {
      isWorthKeeping = false;
      notResumable.add(session.sessionId);
      throw error;
    } finally {
      found.isInUse = false;
      if (isWorthKeeping) void closeWhenIdle(found);
      else void found.leave();
      slots.changed();
    }
  }

  async function askAgainWhenTooLong(
    provider: AgentProvider,
    session: ObservedSession,
    request: ObserverRequest,
    signal?: AbortSignal,
  ): Promise<ConversationReply> {
    const hadHistory = session.memorySessionId !== null || open.has(session.sessionId);
    try {
      return await ask(provider, session, request, signal);
    } catch (error) {
      if (!hadHistory || !ProviderError.isInstance(error) || error.code !== 'provider/too-long') throw error;
      // The usage of a reply covers one call, so a refusal that was charged is reported before the retry.
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
        forgottenWhileAsked.delete(sessionId);
      }
    },
    async forget(sessionId) {
      notResumable.add(sessionId);
      // A running request is answered first. Its conversation is closed afterwards.
      if (turns.has(sessionId)) forgottenWhileAsked.add(sessionId);
      else await open.get(sessionId)?.leave();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...open.values()].map((found) => found.leave()));
    },
  };
}

const tokensOf = ({ instructions, prompt }: ObserverRequest) =>
  estimateTokens(instructions) + estimateTokens(prompt);

interface OpenConversation extends SlotOwner {
  readonly provider: AgentProvider;
  readonly isLeaving: boolean;
  /** Aborts when the next request arrives or the conversation is closed. */
  readonly woken: AbortController;
  /** Tokens that the next request carries in addition to its own. */
  readonly historyTokens: number;
  isInUse: boolean;
  open(resume: string | null, signal?: AbortSignal): Promise<void>;
  wake(): void;
  send(request: ObserverRequest, signal?: AbortSignal): Promise<ObserverReply>;
}

function createOpenConversation(provider: AgentProvider, onLeft: () => void): OpenConversation {
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
    // True from the creation until the first answer.
    isInUse: true,
    isIdle() {
      return !this.isInUse && leaving === null;
    },
    leave: () => (leaving ??= end()),
    async open(resume, signal) {
      conversation = await provider.startConversation({
        ...(signal ? { signal } : {}),
        ...(resume === null ? {} : { resume }),
      });
    },
    wake() {
      this.isInUse = true;
      woken.abort();
      woken = new AbortController();
    },
    async send(request, signal) {
      if (conversation === null) throw new Error('a conversation is asked before it is open');
      const reply = await conversation.send(request, signal ? { signal } : {});
      if (reply.kind === 'text') {
        const { inputTokens, outputTokens } = reply.usage;
        const reported = inputTokens - estimateTokens(request.instructions) + outputTokens;
        // The usage of a vendor may be missing.
        const written = historyTokens + estimateTokens(request.prompt) + estimateTokens(reply.text);
        historyTokens = Math.max(reported, written);
      }
      return reply;
    },
  };
}
