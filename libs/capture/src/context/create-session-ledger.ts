import type { SessionStarted } from '@claude-mem/core';

/** Identifies a conversation by its host and the id that the host uses. */
interface SessionName {
  host: string;
  contentSessionId: string;
}

/** Tracks what was injected into each session, so that nothing is injected twice into the same conversation history. */
export interface SessionLedger {
  /**
   * Returns true if context is injected into a session that starts now, and marks the context as injected. A history
   * gets context once, and again after it was compacted or cleared. Resumed and forked sessions already contain the
   * context of their history.
   * @param start `hasHistory`: earlier events of the history were stored, so it contains the context
   */
  claimContext(
    session: SessionName,
    start: { source: SessionStarted['source']; hasHistory: boolean; now: number },
  ): boolean;
  /** Marks that the session started without its context. The next prompt gets it. */
  markContextPending(session: SessionName): void;
  /**
   * Marks that the host did not read the response to a prompt of that time. The context in this response becomes
   * pending again.
   */
  markUnanswered(session: SessionName, prompt: { at: number }): void;
  /** Returns true if the context of the session is pending, and marks the context as injected. */
  claimPendingContext(session: SessionName, options: { now: number }): boolean;
  /** Returns true if the history of a file, or the fix of an error, was not injected into the session yet. */
  mayProvide(session: SessionName, file: string): boolean;
  /** Marks records, the statements of conversations, or a file as injected. */
  markProvided(
    session: SessionName,
    provided: { file?: string; ids?: readonly number[]; conversations?: readonly number[] },
  ): void;
  /** Ids of the records that were injected. */
  providedIds(session: SessionName): ReadonlySet<number>;
  /**
   * Ids of the sessions whose statements were injected. A record of such a session may have been injected as a title
   * only.
   */
  providedConversations(session: SessionName): ReadonlySet<number>;
  /** Time from which the history of the session is complete: its start, or the last compaction. 0 when unknown. */
  historySince(session: SessionName): number;
}

interface Entry {
  isPending: boolean;
  contextAt: number | null;
  /** Source of the start whose context was injected; null for a prompt. */
  contextSource: SessionStarted['source'] | null;
  since: number;
  ids: Set<number>;
  conversations: Set<number>;
  files: Set<string>;
}

/** The oldest sessions are removed beyond this number, and may get the same records again. */
const MAX_SESSIONS = 500;
const MAX_FILES = 2_000;
/** Two equal starts within this time are the same start, reported by two hook entries of the host. */
const SAME_START_MS = 2_000;

/** Creates an empty ledger for the latest 500 sessions. */
export function createSessionLedger(): SessionLedger {
  const entries = new Map<string, Entry>();
  const entryOf = ({ host, contentSessionId }: SessionName): Entry => {
    const key = `${host}\0${contentSessionId}`;
    const entry = entries.get(key) ?? {
      isPending: false,
      contextAt: null,
      contextSource: null,
      since: 0,
      ids: new Set(),
      conversations: new Set(),
      files: new Set(),
    };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_SESSIONS && oldest !== undefined) entries.delete(oldest);
    return entry;
  };
  const markInjected = (entry: Entry, now: number, source: Entry['contextSource']) => {
    entry.isPending = false;
    entry.contextAt = now;
    entry.contextSource = source;
    entry.since = now;
    entry.ids.clear();
    entry.conversations.clear();
    entry.files.clear();
  };
  return {
    claimContext(session, { source, hasHistory, now }) {
      const entry = entryOf(session);
      if (hasHistory && !entry.isPending && (source === 'resume' || source === 'fork')) return false;
      const isNewHistory = source === 'compact' || source === 'clear';
      const { contextAt, contextSource } = entry;
      const isSame = contextAt !== null && contextSource === source && now - contextAt < SAME_START_MS;
      if (contextAt !== null && (!isNewHistory || isSame)) return false;
      markInjected(entry, now, source);
      return true;
    },
    markContextPending(session) {
      entryOf(session).isPending = true;
    },
    markUnanswered(session, { at }) {
      const entry = entryOf(session);
      const { contextAt, contextSource } = entry;
      if (contextAt !== null && contextSource === null && contextAt >= at) entry.isPending = true;
    },
    claimPendingContext(session, { now }) {
      const entry = entryOf(session);
      if (!entry.isPending) return false;
      markInjected(entry, now, null);
      return true;
    },
    mayProvide: (session, file) => !entryOf(session).files.has(file),
    markProvided(session, { file, ids = [], conversations = [] }) {
      const entry = entryOf(session);
      for (const id of ids) entry.ids.add(id);
      for (const id of conversations) entry.conversations.add(id);
      if (file !== undefined && entry.files.size < MAX_FILES) entry.files.add(file);
    },
    providedIds: (session) => entryOf(session).ids,
    providedConversations: (session) => entryOf(session).conversations,
    historySince: (session) => entryOf(session).since,
  };
}
