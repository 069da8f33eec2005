import type { FeedItem, FeedReply, StreamEvent } from '@claude-mem/worker-protocol';
import { recordKey } from '../../records/record-words.js';
import { createFeedPages, PAGE_ROWS } from './feed-pages.js';

/** What is shown of a feed; a new object after each change. */
export interface FeedView {
  status: 'loading' | 'ready' | 'failed';
  /** Why the last read failed; null when it did not. */
  error: unknown;
  /** Rows known so far. */
  count: number;
  isComplete: boolean;
  /** Came above what is looked at, and was not looked at yet. */
  waiting: number;
  /** Rows by which what is looked at has moved down since the feed began; the page scrolls on by the difference. */
  moved: number;
  isNew(key: string): boolean;
  entryAt(index: number): FeedItem | null;
  indexOf(key: string): number | null;
}

/** The rows in view. */
interface Look {
  first: number;
  last: number;
  isAtTop: boolean;
}

export interface Feed {
  view(): FeedView;
  onChange(watcher: () => void): () => void;
  /** Says which rows are in view: they are read, and what is far from them is let go. */
  look(at: Look): void;
  /**
   * Asks for the rows in view by itself too, before it changes any: on a busy machine the page is scrolled long before that is
   * said. Until what is returned is called.
   */
  follow(rowsInView: () => Look | null): () => void;
  take(event: StreamEvent): void;
  /** Reads the newest and what is in view again. */
  refresh(): void;
  retry(): void;
  close(): void;
}

/** Whether an entry belongs into a feed; `ask`: only the worker can say. */
export type Admission = 'yes' | 'no' | 'ask';

/** How long a mark of what is new stays. */
const NEW_MS = 6_000;
/** So many rows the first page may grow to before it is read anew. */
const MOST_AT_TOP = 150;
const MOST_KEPT_AT_TOP = 20 * PAGE_ROWS;
/** What waits above is counted so far; it is read when it is asked for. */
export const MOST_WAITING = 200;
/** From so few rows before the end the next page is read. */
const AHEAD_ROWS = 30;
/** Stands for the cursor of the first page. */
const NEWEST = '';
/** When what failed is tried again at first; then later each time. */
const RETRY_MS = 3_000;
const LONGEST_RETRY_MS = 60_000;
/** Events of a burst are asked about together. */
const GATHER_MS = 250;

/**
 * A feed with what comes into it, live. Reads only what is looked at; answers that are older than an event do not undo it.
 * @param admit by the filters of this feed
 * @param schedule calls back soon; changes until then are shown together
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
  /** Waits too, but has its row: it was read together with rows in view. */
  const unseen = new Map<string, FeedItem>();
  const fresh = new Set<string>();
  const reading = new Set<string>();
  const sinceReading: StreamEvent[] = [];
  let look: Look = { first: 0, last: 9, isAtTop: true };
  let rowsInView: () => Look | null = () => null;
  let status: FeedView['status'] = 'loading';
  let error: unknown = null;
  let moved = 0;
  let isScheduled = false;
  let isOutdated = false;
  let freshTimer: ReturnType<typeof setTimeout> | undefined;
  let retryWait = RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let askTimer: ReturnType<typeof setTimeout> | undefined;

  const makeView = (): FeedView => ({
    status,
    error,
    count: pages.count(),
    isComplete: pages.isComplete(),
    waiting: Math.min(MOST_WAITING, waiting.size + unseen.size),
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

  /** That one came to the top is said by `look`, which has more to do then. */
  const lookNow = () => {
    const now = rowsInView();
    if (now === null || now.isAtTop) return;
    // the page is scrolled by these with the next view
    const ahead = moved - view.moved;
    look = { first: now.first + ahead, last: now.last + ahead, isAtTop: false };
  };

  /** Changes rows without moving what is looked at. */
  const inPlace = (change: () => void) => {
    if (look.isAtTop) return change();
    const anchors: [key: string, index: number][] = [];
    for (let index = look.first; index <= look.last; index += 1) {
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
    look = { ...look, first: look.first + rows, last: look.last + rows };
  };

  const markNew = (key: string) => {
    fresh.add(key);
    clearTimeout(freshTimer);
    freshTimer = setTimeout(() => {
      fresh.clear();
      changed();
    }, NEW_MS);
  };
  const place = (entry: FeedItem) => {
    const key = recordKey(entry);
    if (pages.replace(entry)) return;
    if (waiting.has(key)) return void waiting.set(key, entry);
    const row = pages.rowFor(entry);
    if (row === null) return;
    if (!look.isAtTop && row <= look.first) {
      if (waiting.size < MOST_WAITING) waiting.set(key, entry);
    } else if (pages.insert(entry)) markNew(key);
  };
  const takeWaiting = () => {
    const entries = [...waiting.values()];
    waiting.clear();
    for (const entry of entries) markNew(recordKey(entry));
    for (const key of unseen.keys()) markNew(key);
    unseen.clear();
    // many are read instead: there may be more than were counted
    if (entries.length > PAGE_ROWS) pages.makeStaleAt(0);
    else for (const entry of entries) pages.insert(entry);
  };

  const apply = (event: StreamEvent) => {
    switch (event.type) {
      case 'observation-created':
      case 'summary-created':
      case 'prompt-created':
        if (admit(event.data) === 'yes') place(event.data);
        break;
      case 'observation-updated':
        if (waiting.has(recordKey(event.data))) waiting.set(recordKey(event.data), event.data);
        else if (!pages.replace(event.data) && admit(event.data) === 'yes')
          inPlace(() => void pages.insert(event.data));
        break;
      case 'memory-forgotten': {
        const isGone = goneBy(event.data);
        inPlace(() => pages.remove(isGone));
        for (const held of [waiting, unseen])
          for (const [key, entry] of held) if (isGone(entry)) held.delete(key);
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
    const heard = sinceReading.length;
    try {
      const reply = await read({ cursor, limit, signal: ended.signal });
      if (ended.signal.aborted) return;
      lookNow();
      onReply(reply);
      // said while it was read: the answer may be from before
      for (const event of sinceReading.slice(heard)) apply(event);
      status = 'ready';
      error = null;
      retryWait = RETRY_MS;
    } catch (reason) {
      if (ended.signal.aborted) return;
      error = reason;
      clearTimeout(retryTimer);
      // what is shown is true as far as it goes; a worker that starts answers soon
      if (status === 'ready') {
        retryTimer = setTimeout(refresh, retryWait * (0.75 + Math.random() / 2));
        retryWait = Math.min(retryWait * 2, LONGEST_RETRY_MS);
      }
      if (status === 'loading') status = 'failed';
    } finally {
      reading.delete(name);
      if (reading.size === 0) sinceReading.length = 0;
      changed();
    }
    if (isOutdated && reading.size === 0) refresh();
    else ensure();
  };

  const refill = (page: number, cursor: string | null, reply: FeedReply) => {
    const known = new Set<string>();
    for (let index = look.first; index <= look.last; index += 1) {
      const entry = pages.entryAt(index);
      if (entry !== null) known.add(recordKey(entry));
    }
    const above = known.size === 0 ? [] : reply.items.filter((entry) => pages.isAboveAll(entry));
    for (const entry of above)
      if (look.isAtTop) markNew(recordKey(entry));
      else unseen.set(recordKey(entry), entry);
    inPlace(() => pages.refill(page, cursor, reply));
    for (const entry of reply.items) waiting.delete(recordKey(entry));
  };

  /** Reads what is in view and not there, and what comes next. */
  const ensure = () => {
    if (ended.signal.aborted || error !== null) return;
    if (pages.count() === 0 && !pages.isComplete()) {
      void request(pages.nextCursor(), PAGE_ROWS, (reply) => pages.append(reply));
      return;
    }
    for (const { page, cursor, limit } of pages.toRead(look.first, look.last))
      void request(cursor, limit, (reply) => refill(page, cursor, reply));
    const next = pages.nextCursor();
    if (next !== null && look.last + AHEAD_ROWS >= pages.count())
      void request(next, PAGE_ROWS, (reply) => {
        if (pages.nextCursor() === next) pages.append(reply);
      });
  };

  /** What came above is found out from the worker. */
  const readNewest = () => {
    if (reading.has(NEWEST)) return askSoon();
    if (look.isAtTop) {
      pages.makeStaleAt(0);
      ensure();
      return;
    }
    void request(null, PAGE_ROWS, ({ items }) => {
      for (const entry of items)
        if (pages.isAboveAll(entry) || pages.indexOf(recordKey(entry)) !== null) place(entry);
    });
  };
  const askSoon = () => {
    askTimer ??= setTimeout(() => {
      askTimer = undefined;
      readNewest();
    }, GATHER_MS);
  };

  const refresh = () => {
    status = pages.count() === 0 && !pages.isComplete() ? 'loading' : 'ready';
    error = null;
    // an answer on its way may be from before
    isOutdated = reading.size > 0;
    pages.makeStale(look.first, look.last);
    if (!look.isAtTop) readNewest();
    ensure();
    changed();
  };

  const take = (event: StreamEvent) => {
    if (event.type === 'stream-reset') return refresh();
    if (reading.size > 0) sinceReading.push(event);
    if (status !== 'ready') return;
    lookNow();
    apply(event);
    if ('item' in event.data && admit(event.data) !== 'yes') {
      const row = pages.indexOf(recordKey(event.data));
      if (row !== null) pages.makeStaleAt(row);
      if (admit(event.data) === 'ask') askSoon();
      if (row !== null) ensure();
    }
    if (look.isAtTop) boundTop();
    changed();
  };

  /** However long one looks at the newest, no more of it is held than one can scroll to soon. */
  const boundTop = () => {
    if (pages.firstCount() > MOST_AT_TOP) void request(null, PAGE_ROWS, (reply) => refill(0, null, reply));
    if (pages.count() > MOST_KEPT_AT_TOP) pages.endAfter(MOST_AT_TOP);
    pages.keepNear(look.first, look.last);
  };

  ensure();
  return {
    view: () => view,
    onChange(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    look(at) {
      const comesToTop = at.isAtTop && !look.isAtTop;
      look = at;
      if (comesToTop && waiting.size + unseen.size > 0) {
        takeWaiting();
        changed();
      }
      pages.keepNear(look.first, look.last);
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
      clearTimeout(askTimer);
      clearTimeout(retryTimer);
    },
  };
}

function goneBy({ observationIds, sessionIds }: Extract<StreamEvent, { type: 'memory-forgotten' }>['data']) {
  const observations = new Set(observationIds);
  const sessions = new Set(sessionIds);
  return ({ kind, item }: FeedItem) =>
    (kind === 'observation' && observations.has(item.id)) || sessions.has(item.sessionId);
}
