import type { FeedItem, FeedReply, StreamEvent } from '@claude-mem/worker-protocol';
import { describe, expect, it, vi } from 'vitest';
import { recordKey } from '../../records/describe-record.js';
import { createFeed, type Admission, type Feed } from './create-feed.js';

const entryOf = (id: number, epoch = id * 1_000, fields: Record<string, unknown> = {}): FeedItem =>
  ({
    kind: 'observation',
    project: 'shop',
    host: 'claude-code',
    item: {
      id,
      uid: `uid-${id}`,
      sessionId: 1,
      type: 'change',
      title: `Title ${id}`,
      createdAtEpoch: epoch,
      ...fields,
    },
  }) as unknown as FeedItem;
const created = (entry: FeedItem) => ({ type: 'observation-created', data: entry }) as StreamEvent;
const forgotten = (...ids: number[]): StreamEvent => ({
  type: 'memory-forgotten',
  data: { observationIds: ids, sessionIds: [] },
});

/** Simulates the memory of a worker, newest first, read with keyset cursors. */
function createMemory(size: number) {
  let entries = Array.from({ length: size }, (_, index) => entryOf(size - index));
  const reads: { cursor: string | null; limit: number }[] = [];
  let gate: Promise<void> = Promise.resolve();
  return {
    reads,
    all: () => entries.map(recordKey),
    add(...added: FeedItem[]) {
      entries = [...added, ...entries].sort(
        (a, b) => b.item.createdAtEpoch - a.item.createdAtEpoch || b.item.id - a.item.id,
      );
    },
    forget: (id: number) => void (entries = entries.filter(({ item }) => item.id !== id)),
    hold(): () => void {
      let release = () => {};
      gate = new Promise((resolve) => (release = resolve));
      return release;
    },
    async read({ cursor, limit }: { cursor: string | null; limit: number }): Promise<FeedReply> {
      reads.push({ cursor, limit });
      const [epoch = Infinity, id = Infinity] = cursor?.split('-').map(Number) ?? [];
      const rest = entries.filter(
        ({ item }) => item.createdAtEpoch < epoch || (item.createdAtEpoch === epoch && item.id < id),
      );
      const items = rest.slice(0, limit);
      const last = items.at(-1);
      await gate;
      return {
        items,
        nextCursor:
          rest.length > limit && last !== undefined ? `${last.item.createdAtEpoch}-${last.item.id}` : null,
      };
    },
  };
}

function openFeed(
  memory: ReturnType<typeof createMemory>,
  admit: (entry: FeedItem) => Admission = () => 'yes',
) {
  return createFeed({ read: memory.read, admit, schedule: (run) => queueMicrotask(run) });
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const shown = (feed: Feed) =>
  Array.from({ length: feed.view().count }, (_, index) => {
    const entry = feed.view().entryAt(index);
    return entry === null ? null : recordKey(entry);
  });
const held = (feed: Feed) => shown(feed).filter((key) => key !== null).length;
const scrollToRow = async (feed: Feed, first: number) => {
  feed.setVisibleRows({ first, last: first + 9, isAtTop: first === 0 });
  await settled();
};
const scrollTo = async (feed: Feed, row: number) => {
  for (let at = 0; at <= row; at += 40) await scrollToRow(feed, at);
  await scrollToRow(feed, row);
};
const inView = (feed: Feed, first: number) => shown(feed).slice(first, first + 10);

describe('createFeed', () => {
  it('loads the pages that are in view, and unloads entries far from the view', async () => {
    const memory = createMemory(2_000);
    const feed = openFeed(memory);
    await settled();
    expect(feed.view()).toMatchObject({ status: 'ready', count: 50, isComplete: false });
    await scrollTo(feed, 1_985);
    expect(feed.view()).toMatchObject({ count: 2_000, isComplete: true });
    expect(held(feed)).toBeLessThan(400);
    expect(inView(feed, 1_985)).toEqual(memory.all().slice(1_985, 1_995));
    for (let row = 1_985; row >= 0; row -= 55) {
      await scrollToRow(feed, row);
      expect(inView(feed, row)).toEqual(memory.all().slice(row, row + 10));
    }
  });

  it('shows a new entry at once at the top, and counts it as waiting when the view is scrolled down', async () => {
    const memory = createMemory(200);
    const feed = openFeed(memory);
    await settled();
    feed.take(created(entryOf(201)));
    await settled();
    expect(shown(feed)[0]).toBe('observation-201');
    expect(feed.view().isNew('observation-201')).toBe(true);
    memory.add(entryOf(201), entryOf(202));
    await scrollTo(feed, 100);
    const before = inView(feed, 100);
    feed.take(created(entryOf(202)));
    await settled();
    expect(feed.view()).toMatchObject({ waiting: 1, moved: 0 });
    expect(inView(feed, 100)).toEqual(before);
    await scrollToRow(feed, 0);
    expect(feed.view().waiting).toBe(0);
    expect(shown(feed).slice(0, 3)).toEqual(['observation-202', 'observation-201', 'observation-200']);
  });

  it('counts new and loaded entries as waiting when the view was scrolled before the scroll was reported', async () => {
    const memory = createMemory(200);
    const feed = openFeed(memory);
    await settled();
    await scrollToRow(feed, 0);
    let isAtTop = true;
    const unfollow = feed.follow(() => ({ first: isAtTop ? 0 : 20, last: 29, isAtTop }));
    const before = shown(feed);
    isAtTop = false;
    feed.take(created(entryOf(201)));
    await settled();
    expect(shown(feed)).toEqual(before);
    expect(feed.view()).toMatchObject({ waiting: 1, moved: 0 });

    await scrollToRow(feed, 0);
    expect(shown(feed)[0]).toBe('observation-201');
    memory.add(entryOf(201), entryOf(202));
    isAtTop = true;
    feed.refresh();
    isAtTop = false;
    await settled();
    expect(feed.view()).toMatchObject({ waiting: 1, moved: 1 });
    expect(inView(feed, 21)[0]).toBe(before[19]);

    await scrollToRow(feed, 0);
    unfollow();
    feed.take(created(entryOf(203)));
    await settled();
    expect(shown(feed)[0]).toBe('observation-203');
  });

  it('B170: contains entries that were added during an interruption once, even when the stream repeats them', async () => {
    const memory = createMemory(120);
    const feed = openFeed(memory);
    await settled();
    memory.add(entryOf(121), entryOf(122), entryOf(123));
    for (const id of [121, 122, 122, 121]) feed.take(created(entryOf(id)));
    feed.take({ type: 'stream-reset', data: {} });
    await settled();
    await scrollTo(feed, 110);
    await scrollToRow(feed, 60);
    await scrollToRow(feed, 0);
    expect(feed.view().count).toBe(123);
    const rows = shown(feed).filter((key) => key !== null);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.slice(0, 4)).toEqual(memory.all().slice(0, 4));
  });

  it('keeps the entries in view when many entries were added above and the feed reloads', async () => {
    const memory = createMemory(500);
    const feed = openFeed(memory);
    await settled();
    await scrollTo(feed, 300);
    const before = inView(feed, 300);
    memory.add(...Array.from({ length: 333 }, (_, index) => entryOf(501 + index)));
    feed.take({ type: 'stream-reset', data: {} });
    await settled();
    expect(inView(feed, 300)).toEqual(before);
    expect(feed.view().waiting).toBe(50);
    for (let row = 300; row >= 0; row -= 20) await scrollToRow(feed, row);
    for (let row = 0; row < 825; row += 8) {
      await scrollToRow(feed, row);
      expect(inView(feed, row)).toEqual(memory.all().slice(row, row + 10));
    }
    expect(feed.view().count).toBe(833);
  });

  it('B170: counts entries as new when they were added during an interruption and load with entries in view', async () => {
    const memory = createMemory(500);
    const feed = openFeed(memory);
    await settled();
    await scrollTo(feed, 42);
    const before = inView(feed, 42);
    memory.add(entryOf(501), entryOf(502));
    feed.take({ type: 'stream-reset', data: {} });
    await settled();
    expect(feed.view()).toMatchObject({ waiting: 2, moved: 2 });
    expect(inView(feed, 44)).toEqual(before);
    memory.forget(502);
    feed.take(forgotten(502));
    await settled();
    expect(feed.view()).toMatchObject({ waiting: 1, moved: 1 });
    await scrollToRow(feed, 0);
    expect(feed.view().waiting).toBe(0);
    expect(feed.view().isNew('observation-501')).toBe(true);
    expect(inView(feed, 0)).toEqual(memory.all().slice(0, 10));
  });

  it('B170: removes an entry that was deleted during an interruption when many entries were added above', async () => {
    const memory = createMemory(500);
    const feed = openFeed(memory);
    await settled();
    await scrollTo(feed, 36);
    memory.add(...Array.from({ length: 333 }, (_, index) => entryOf(501 + index)));
    memory.forget(500 - 40);
    feed.take({ type: 'stream-reset', data: {} });
    await settled();
    const row = 36 + feed.view().moved;
    expect(inView(feed, row)).toEqual(memory.all().slice(333 + 36, 333 + 46));
    expect(feed.view().waiting).toBe(70);
  });

  it('removes deleted entries at once and keeps the other entries in view', async () => {
    const memory = createMemory(300);
    const feed = openFeed(memory);
    await settled();
    await scrollTo(feed, 60);
    const before = inView(feed, 60);
    for (const id of [300 - 20, 300 - 30, 300 - 65]) memory.forget(id);
    feed.take(forgotten(300 - 20, 300 - 30, 300 - 65));
    await settled();
    expect(feed.view().moved).toBe(-2);
    expect(inView(feed, 58).slice(0, 9)).toEqual(before.filter((key) => key !== 'observation-235'));
  });

  it('does not undo an event when a response from before the event arrives later', async () => {
    const memory = createMemory(100);
    const feed = openFeed(memory);
    await settled();
    const release = memory.hold();
    feed.refresh();
    feed.take(created(entryOf(101)));
    feed.take(forgotten(99));
    feed.take({ type: 'observation-updated', data: entryOf(98, 98_000, { title: 'Edited' }) } as StreamEvent);
    release();
    await settled();
    expect(shown(feed).slice(0, 3)).toEqual(['observation-101', 'observation-100', 'observation-98']);
    expect(feed.view().entryAt(2)?.item).toMatchObject({ title: 'Edited' });
  });

  it('B170: adds only entries that match the filter, and asks the worker when it cannot decide', async () => {
    const memory = createMemory(20);
    const feed = openFeed(memory, ({ project }) => (project === 'shop' ? 'yes' : 'no'));
    const asking = openFeed(memory, () => 'ask');
    await settled();
    for (const each of [feed, asking]) {
      each.take(created({ ...entryOf(21), project: 'other' }));
      each.take(created(entryOf(22)));
    }
    memory.add(entryOf(22));
    await vi.waitFor(() => expect(shown(asking).slice(0, 2)).toEqual(['observation-22', 'observation-20']));
    expect(shown(feed).slice(0, 2)).toEqual(['observation-22', 'observation-20']);
  });

  it('limits the loaded entries when thousands of entries arrive at the top', async () => {
    const memory = createMemory(1_000);
    const feed = openFeed(memory);
    await settled();
    for (let id = 1_001; id <= 6_000; id += 1) {
      memory.add(entryOf(id));
      feed.take(created(entryOf(id)));
      if (id % 25 === 0) await settled();
    }
    await settled();
    expect(shown(feed).slice(0, 10)).toEqual(memory.all().slice(0, 10));
    expect(held(feed)).toBeLessThan(400);
    expect(feed.view().count).toBeLessThan(1_100);
    await scrollTo(feed, 1_500);
    expect(inView(feed, 1_500)).toEqual(memory.all().slice(1_500, 1_510));
  }, 120_000);

  it('reports the error when loading fails, and loads again on retry', async () => {
    const memory = createMemory(10);
    let isAway = true;
    const feed = createFeed({
      read: (page) => (isAway ? Promise.reject(new TypeError('away')) : memory.read(page)),
      admit: () => 'yes',
      schedule: (run) => queueMicrotask(run),
    });
    await settled();
    expect(feed.view()).toMatchObject({ status: 'failed', error: new TypeError('away') });
    isAway = false;
    feed.retry();
    await settled();
    expect(feed.view()).toMatchObject({ status: 'ready', error: null, count: 10 });
  });

  it('ignores a late response when the feed is closed', async () => {
    const memory = createMemory(10);
    const release = memory.hold();
    const feed = openFeed(memory);
    feed.close();
    release();
    await settled();
    expect(feed.view().count).toBe(0);
  });
});
