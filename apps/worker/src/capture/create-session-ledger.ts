import type { SessionStarted } from '@claude-mem/core';

/** A conversation as its host names it. */
interface SessionName {
  host: string;
  contentSessionId: string;
}

/** What each session was given, so that nothing is given to it twice while it still has it. */
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
  /** The session started, and nobody was there to give it its context. */
  oweContext(session: SessionName): void;
  /** A prompt of that moment went on without its answer: what was given with it is owed again. */
  oweAgain(session: SessionName, prompt: { at: number }): void;
  /** Whether a session is still owed its context; it counts as given from then on. */
  claimOwed(session: SessionName, options: { now: number }): boolean;
  /** Whether the history of a file may be given to the session. */
  mayTell(session: SessionName, file: string): boolean;
  told(session: SessionName, given: { file?: string; ids: readonly number[] }): void;
  /** Ids of what it was given. */
  given(session: SessionName): ReadonlySet<number>;
  /** Since when it has all that it did itself: its start, or when it was last compacted. 0 when that is not known. */
  remembersSince(session: SessionName): number;
}

interface Entry {
  isOwed: boolean;
  contextAt: number | null;
  /** How it had begun when it was given its context; null for a prompt. */
  contextSource: SessionStarted['source'] | null;
  since: number;
  ids: Set<number>;
  files: Set<string>;
}

/** Sessions that are remembered; an older one that goes on may be told again. */
const MOST_SESSIONS = 500;
const MOST_FILES = 2_000;
/** Two equal starts so close are one that two entries of the host's configuration report. */
const SAME_START_MS = 2_000;

export function createSessionLedger(): SessionLedger {
  const entries = new Map<string, Entry>();
  const entryOf = ({ host, contentSessionId }: SessionName): Entry => {
    const key = `${host}\0${contentSessionId}`;
    const entry = entries.get(key) ?? {
      isOwed: false,
      contextAt: null,
      contextSource: null,
      since: 0,
      ids: new Set(),
      files: new Set(),
    };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > MOST_SESSIONS && oldest !== undefined) entries.delete(oldest);
    return entry;
  };
  const give = (entry: Entry, now: number, source: Entry['contextSource']) => {
    entry.isOwed = false;
    entry.contextAt = now;
    entry.contextSource = source;
    entry.since = now;
    entry.ids.clear();
    entry.files.clear();
  };
  return {
    claimContext(session, { source, hasHistory, now }) {
      const entry = entryOf(session);
      if (hasHistory && !entry.isOwed && (source === 'resume' || source === 'fork')) return false;
      const startsAnew = source === 'compact' || source === 'clear';
      const { contextAt, contextSource } = entry;
      const isSame = contextAt !== null && contextSource === source && now - contextAt < SAME_START_MS;
      if (contextAt !== null && (!startsAnew || isSame)) return false;
      give(entry, now, source);
      return true;
    },
    oweContext(session) {
      entryOf(session).isOwed = true;
    },
    oweAgain(session, { at }) {
      const entry = entryOf(session);
      const { contextAt, contextSource } = entry;
      if (contextAt !== null && contextSource === null && contextAt >= at) entry.isOwed = true;
    },
    claimOwed(session, { now }) {
      const entry = entryOf(session);
      if (!entry.isOwed) return false;
      give(entry, now, null);
      return true;
    },
    mayTell: (session, file) => !entryOf(session).files.has(file),
    told(session, { file, ids }) {
      const entry = entryOf(session);
      for (const id of ids) entry.ids.add(id);
      if (file !== undefined && entry.files.size < MOST_FILES) entry.files.add(file);
    },
    given: (session) => entryOf(session).ids,
    remembersSince: (session) => entryOf(session).since,
  };
}
