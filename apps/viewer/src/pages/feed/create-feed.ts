import type { FeedItem, FeedReply, StreamEvent } from '@claude-mem/worker-protocol';
import { recordKey } from '../../records/describe-record.js';
import { createFeedPages, PAGE_ROWS } from './feed-pages.js';

/** State of a feed for rendering. Every change creates a new object. */
export interface FeedView {
  status: 'loading' | 'ready' | 'failed';
  /** Error of the last request, or null. */
  error: unknown;
  /** Number of loaded rows. */
  count: number;
  isComplete: boolean;
  /** Number of new entries above the visible rows that were not visible yet. */
  waiting: number;
  /**
   * Total number of rows that were added above the visible rows. The page scrolls by the difference to its previous
   * value.
   */
  moved: number;
  isNew(key: string): boolean;
  entryAt(index: number): FeedItem | null;
  indexOf(key: string): number | null;
}

/** The rows in view. */
interface VisibleRows {
  first: number;
  last: number;
  isAtTop: boolean;
}

export interface Feed {
  view(): FeedView;
  onChange(watcher: () => void): () => void;
  /** Sets the visible rows. Loads them, and unloads entries far away from them. */
  setVisibleRows(rows: VisibleRows): void;
  /**
   * Registers a function that returns the visible rows. The feed calls it before each change, because scroll events
   * can be late on a busy machine. Returns a function that removes it.
   */
  follow(rowsInView: () => VisibleRows | null): () => void;
  take(event: StreamEvent): void;
  /** Reloads the newest and the visible entries. */
  refresh(): void;
  retry(): void;
  close(): void;
}

/** Whether an entry matches the filters of a feed. `ask`: only the worker can decide. */
export type Admission = 'yes' | 'no' | 'ask';

/** Time for which a new entry is highlighted. */
const NEW_MS = 6_000;
/** Maximum rows of the first page. A longer page is reloaded. */
const MAX_ROWS_AT_TOP = 150;
const MAX_LOADED_AT_TOP = 20 * PAGE_ROWS;
/** Maximum number that the button "N new" counts. */
export const MAX_WAITING = 200;
/** Loads the next page when fewer rows follow the visible rows. */
const AHEAD_ROWS = 30;
/** Name of the first page, which has no cursor. */
const NEWEST = '';
/** Delay of the first retry. Each further delay is twice as long. */
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 60_000;
/** Events within this time cause only one request. */
const BATCH_MS = 250;

/**
 * Creates a live feed. Loads only the pages around the visible rows. A response that is older than an event does not
 * undo the event.
 * @param admit applies the filters of this feed
 * @param schedule runs a callback soon; all changes until then are rendered together
 */
export function createFeed({
  read,
  admit,
  schedule = (run) => void requestAnimationFrame(run),
}: {
  read: (page: { cursor: string | null; limit: number; signal: AbortSignal }) => Promise<FeedReply>;
  admit: (entry: FeedItem) => Admission;
  schedule?: (run: () => void) => void;
}): Feed {
  const pages = createFeedPages();
  const ended = new AbortController();
  const watchers = new Set<() => void>();
  const waiting = new Map<string, FeedItem>();
  /** New entries that are already in the loaded rows, because they came with a reloaded page. */
  const unseen = new Map<string, FeedItem>();
  const fresh = new Set<string>();
  const reading = new Set<string>();
  const eventsSinceRequest: StreamEvent[] = [];
  let visibleRows: VisibleRows = { first: 0, last: 9, isAtTop: true };
  let rowsInView: () => VisibleRows | null = () => null;
  let status: FeedView['status'] = 'loading';
  let error: unknown = null;
  let moved = 0;
  let isScheduled = false;
  let isOutdated = false;
  let freshTimer: ReturnType<typeof setTimeout> | undefined;
  let retryWait = RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let readTimer: ReturnType<typeof setTimeout> | undefined;

  const makeView = (): FeedView => ({
    status,
    error,
    count: pages.count(),
    isComplete: pages.isComplete(),
    waiting: Math.min(MAX_WAITING, waiting.size + unseen.size),
    moved,
    isNew: (key) => fresh.has(key),
    entryAt: (index) => pages.entryAt(index),
    indexOf: (key) => pages.indexOf(key),
  });
  let view = makeView();
  const changed = () => {
    if (isScheduled || ended.signal.aborted) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      view = makeView();
      for (const watcher of watchers) watcher();
    });
  };

  /** Updates the visible rows. When the list is at the top, `setVisibleRows` handles that. */
  const updateVisibleRows = () => {
    const now = rowsInView();
    if (now === null || now.isAtTop) return;
    // the page scrolls by these rows with the next view
    const ahead = moved - view.moved;
    visibleRows = { first: now.first + ahead, last: now.last + ahead, isAtTop: false };
  };

  /** Applies a change without moving the visible rows. */
  const withFixedPosition = (change: () => void) => {
    if (visibleRows.isAtTop) return change();
    const anchors: [key: string, index: number][] = [];
    for (let index = visibleRows.first; index <= visibleRows.last; index += 1) {
      const entry = pages.entryAt(index);
      if (entry !== null) anchors.push([recordKey(entry), index]);
    }
    change();
    for (const [key, index] of anchors) {
      const now = pages.indexOf(key);
      if (now === null) continue;
      shift(now - index);
      return;
    }
  };
  const shift = (rows: number) => {
    moved += rows;
    visibleRows = { ...visibleRows, first: visibleRows.first + rows, last: visibleRows.last + rows };
  };

  const markNew = (key: string) => {
    fresh.add(key);
    clearTimeout(freshTimer);
    freshTimer = setTimeout(() => {
      fresh.clear();
      changed();
    }, NEW_MS);
  };
  const addNew = (entry: FeedItem) => {
    const key = recordKey(entry);
    if (pages.replace(entry)) return;
    if (waiting.has(key)) return void waiting.set(key, entry);
    const row = pages.rowFor(entry);
    if (row === null) return;
    if (!visibleRows.isAtTop && row <= visibleRows.first) {
      if (waiting.size < MAX_WAITING) waiting.set(key, entry);
    } else if (pages.insert(entry)) markNew(key);
  };
  const takeWaiting = () => {
    const entries = [...waiting.values()];
    waiting.clear();
    for (const entry of entries) markNew(recordKey(entry));
    for (const key of unseen.keys()) markNew(key);
    unseen.clear();
    // the first page is reloaded instead, because more entries than these can be new
    if (entries.length > PAGE_ROWS) pages.makeStaleAt(0);
    else for (const entry of entries) pages.insert(entry);
  };

  const apply = (event: StreamEvent) => {
    switch (event.type) {
      case 'observation-created':
      case 'summary-created':
      case 'prompt-created':
        if (admit(event.data) === 'yes') addNew(event.data);
        break;
      case 'observation-updated':
        if (waiting.has(recordKey(event.data))) waiting.set(recordKey(event.data), event.data);
        else if (!pages.replace(event.data) && admit(event.data) === 'yes')
          withFixedPosition(() => void pages.insert(event.data));
        break;
      case 'memory-forgotten': {
        const isGone = forgottenBy(event.data);
        withFixedPosition(() => pages.remove(isGone));
        for (const entries of [waiting, unseen])
          for (const [key, entry] of entries) if (isGone(entry)) entries.delete(key);
        break;
      }
    }
  };

  const request = async (
    cursor: string | null,
    limit: number,
    onReply: (reply: FeedReply) => void,
  ): Promise<void> => {
    const name = cursor ?? NEWEST;
    if (reading.has(name) || ended.signal.aborted) return;
    reading.add(name);
    const eventsBefore = eventsSinceRequest.length;
    try {
      const reply = await read({ cursor, limit, signal: ended.signal });
      if (ended.signal.aborted) return;
      updateVisibleRows();
      onReply(reply);
      // events that arrived during the request, because the response may be older
      for (const event of eventsSinceRequest.slice(eventsBefore)) apply(event);
      status = 'ready';
      error = null;
      retryWait = RETRY_MS;
    } catch (reason) {
      if (ended.signal.aborted) return;
      error = reason;
      clearTimeout(retryTimer);
      // the loaded rows remain valid, and a starting worker responds soon
      if (status === 'ready') {
        retryTimer = setTimeout(refresh, retryWait * (0.75 + Math.random() / 2));
        retryWait = Math.min(retryWait * 2, MAX_RETRY_MS);
      }
      if (status === 'loading') status = 'failed';
    } finally {
      reading.delete(name);
      if (reading.size === 0) eventsSinceRequest.length = 0;
      changed();
    }
    if (isOutdated && reading.size === 0) refresh();
    else ensure();
  };

  const refill = (page: number, cursor: string | null, reply: FeedReply) => {
    const known = new Set<string>();
    for (let index = visibleRows.first; index <= visibleRows.last; index += 1) {
      const entry = pages.entryAt(index);
      if (entry !== null) known.add(recordKey(entry));
    }
    const above = known.size === 0 ? [] : reply.items.filter((entry) => pages.isAboveAll(entry));
    for (const entry of above)
      if (visibleRows.isAtTop) markNew(recordKey(entry));
      else unseen.set(recordKey(entry), entry);
    withFixedPosition(() => pages.refill(page, cursor, reply));
    for (const entry of reply.items) waiting.delete(recordKey(entry));
  };

  /** Loads missing visible rows and the next page. */
  const ensure = () => {
    if (ended.signal.aborted || error !== null) return;
    if (pages.count() === 0 && !pages.isComplete()) {
      void request(pages.nextCursor(), PAGE_ROWS, (reply) => pages.append(reply));
      return;
    }
    for (const { page, cursor, limit } of pages.pagesToLoad(visibleRows.first, visibleRows.last))
      void request(cursor, limit, (reply) => refill(page, cursor, reply));
    const next = pages.nextCursor();
    if (next !== null && visibleRows.last + AHEAD_ROWS >= pages.count())
      void request(next, PAGE_ROWS, (reply) => {
        if (pages.nextCursor() === next) pages.append(reply);
      });
  };

  /** Requests the newest entries from the worker. */
  const readNewest = () => {
    if (reading.has(NEWEST)) return scheduleReadNewest();
    if (visibleRows.isAtTop) {
      pages.makeStaleAt(0);
      ensure();
      return;
    }
    void request(null, PAGE_ROWS, ({ items }) => {
      for (const entry of items)
        if (pages.isAboveAll(entry) || pages.indexOf(recordKey(entry)) !== null) addNew(entry);
    });
  };
  const scheduleReadNewest = () => {
    readTimer ??= setTimeout(() => {
      readTimer = undefined;
      readNewest();
    }, BATCH_MS);
  };

  const refresh = () => {
    status = pages.count() === 0 && !pages.isComplete() ? 'loading' : 'ready';
    error = null;
    // a pending response may be older than the refresh
    isOutdated = reading.size > 0;
    pages.makeStale(visibleRows.first, visibleRows.last);
    if (!visibleRows.isAtTop) readNewest();
    ensure();
    changed();
  };

  const take = (event: StreamEvent) => {
    if (event.type === 'stream-reset') return refresh();
    if (reading.size > 0) eventsSinceRequest.push(event);
    if (status !== 'ready') return;
    updateVisibleRows();
    apply(event);
    if ('item' in event.data && admit(event.data) !== 'yes') {
      const row = pages.indexOf(recordKey(event.data));
      if (row !== null) pages.makeStaleAt(row);
      if (admit(event.data) === 'ask') scheduleReadNewest();
      if (row !== null) ensure();
    }
    if (visibleRows.isAtTop) limitTop();
    changed();
  };

  /** Limits the loaded rows while the list stays at the top. */
  const limitTop = () => {
    if (pages.firstCount() > MAX_ROWS_AT_TOP)
      void request(null, PAGE_ROWS, (reply) => refill(0, null, reply));
    if (pages.count() > MAX_LOADED_AT_TOP) pages.removePagesAfter(MAX_ROWS_AT_TOP);
    pages.unloadFarFrom(visibleRows.first, visibleRows.last);
  };

  ensure();
  return {
    view: () => view,
    onChange(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    setVisibleRows(rows) {
      const reachesTop = rows.isAtTop && !visibleRows.isAtTop;
      visibleRows = rows;
      if (reachesTop && waiting.size + unseen.size > 0) {
        takeWaiting();
        changed();
      }
      pages.unloadFarFrom(visibleRows.first, visibleRows.last);
      ensure();
    },
    follow(asked) {
      rowsInView = asked;
      return () => {
        if (rowsInView === asked) rowsInView = () => null;
      };
    },
    take,
    refresh,
    retry() {
      error = null;
      status = pages.count() === 0 ? 'loading' : 'ready';
      ensure();
      changed();
    },
    close() {
      ended.abort();
      clearTimeout(freshTimer);
      clearTimeout(readTimer);
      clearTimeout(retryTimer);
    },
  };
}

function forgottenBy({
  observationIds,
  sessionIds,
}: Extract<StreamEvent, { type: 'memory-forgotten' }>['data']) {
  const observations = new Set(observationIds);
  const sessions = new Set(sessionIds);
  return ({ kind, item }: FeedItem) =>
    (kind === 'observation' && observations.has(item.id)) || sessions.has(item.sessionId);
}
