import type { SessionStarted } from '@claude-mem/core';

/** A conversation as its host names it. */
interface SessionName {
  host: string;
  contentSessionId: string;
}

/** Records what was injected into each session, so that nothing is injected twice while the history still contains it. */
export interface SessionLedger {
  /**
   * Whether context is injected into a session that starts now: once per conversation history, and once more after each time that the
   * history was compacted or cleared. The host replays the history of a resumed session and of a fork, with the context in it.
   * Marks the context as injected.
   * @param start `hasHistory`: the history began while its events were stored, so the context is in it
   */
  claimContext(
    session: SessionName,
    start: { source: SessionStarted['source']; hasHistory: boolean; now: number },
  ): boolean;
  /** The session started without its context: the next prompt gets it. */
  markContextPending(session: SessionName): void;
  /** The host did not read the answer to a prompt of that time: context that was injected with the answer is pending again. */
  markUnanswered(session: SessionName, prompt: { at: number }): void;
  /** Whether the context of a session is pending. Marks the context as injected. */
  claimPendingContext(session: SessionName, options: { now: number }): boolean;
  /** Whether the history of a file, or the fix of an error, was not yet injected into the session. */
  mayProvide(session: SessionName, file: string): boolean;
  /** Marks records, the statements of conversations, or a file as injected. */
  markProvided(
    session: SessionName,
    provided: { file?: string; ids?: readonly number[]; conversations?: readonly number[] },
  ): void;
  /** Ids of the records that were injected. */
  providedIds(session: SessionName): ReadonlySet<number>;
  /** Ids of the sessions whose statements were injected. A record of such a session may have been injected with its title only. */
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

/** Older sessions may get the same records again. */
const MAX_SESSIONS = 500;
const MAX_FILES = 2_000;
/** Two equal starts within this time are one start that two entries in the configuration of the host report. */
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
