import type { FeedItem, FeedReply } from '@claude-mem/worker-protocol';
import { recordKey } from '../../records/describe-record.js';

/** A loaded part of the feed. Its entries can be unloaded, but its limits are kept. */
interface Page {
  /** Cursor to load the page again. Null for the first page. */
  cursor: string | null;
  count: number;
  entries: FeedItem[] | null;
  /** Position of the last entry when the page was loaded. */
  end: Position;
  isStale: boolean;
}

type Position = readonly [epoch: number, kind: number, id: number];

/**
 * The loaded rows of a feed, newest first. Only pages near the visible rows keep their entries, so the memory use
 * does not grow with the number of pages.
 */
export interface FeedPages {
  count(): number;
  /** Whether no older rows exist. */
  isComplete(): boolean;
  /** Returns null when the page of the row is unloaded. */
  entryAt(index: number): FeedItem | null;
  /** Returns the row of a loaded entry. */
  indexOf(key: string): number | null;
  /** Returns the current or future row of an entry. Null when the row is below the loaded rows. */
  rowFor(entry: FeedItem): number | null;
  /** Whether the entry is above the first row, even if that row is unloaded. */
  isAboveAll(entry: FeedItem): boolean;
  /** Returns the number of rows of the first page, to which new entries are added. */
  firstCount(): number;
  nextCursor(): string | null;
  append(reply: FeedReply): void;
  /** Returns the pages within these rows that are unloaded or stale. */
  pagesToLoad(first: number, last: number): { page: number; cursor: string | null; limit: number }[];
  /** Replaces the entries of a page. If the reply does not reach the end of the page, the rest becomes another page. */
  refill(page: number, cursor: string | null, reply: FeedReply): void;
  /** Returns false when the page of the entry is unloaded. */
  insert(entry: FeedItem): boolean;
  replace(entry: FeedItem): boolean;
  remove(isGone: (entry: FeedItem) => boolean): number;
  /** Unloads entries far from these rows. */
  unloadFarFrom(first: number, last: number): void;
  /** Removes all pages after the page of this row. */
  removePagesAfter(index: number): void;
  /** Marks all pages as stale and unloads the pages outside of these rows. */
  makeStale(first: number, last: number): void;
  makeStaleAt(index: number): void;
}

export const PAGE_ROWS = 50;
const MAX_PER_REQUEST = 200;
/** Number of rows above and below the visible rows that stay loaded. */
const NEAR_ROWS = 150;
/** Additional rows to request, for entries that were added since. */
const EXTRA_ROWS = 20;

export function createFeedPages(): FeedPages {
  const pages: Page[] = [];
  let next: string | null = null;
  let isRead = false;
  let top: Position = BEFORE_ALL;

  const count = () => pages.reduce((sum, page) => sum + page.count, 0);
  const startOf = (number: number) => pages.slice(0, number).reduce((sum, page) => sum + page.count, 0);
  const pageAt = (index: number) => {
    let start = 0;
    for (const [number, page] of pages.entries()) {
      if (index < start + page.count) return { number, page, start };
      start += page.count;
    }
    return null;
  };
  const pageFor = (position: Position) => {
    const number = pages.findIndex(({ end }) => compare(position, end) <= 0);
    if (number !== -1) return number;
    return next === null && isRead ? pages.length - 1 : -1;
  };
  const withEntries = (page: Page, entries: FeedItem[]) => {
    page.entries = entries;
    page.count = entries.length;
    updateTop();
  };
  const updateTop = () => {
    const first = pages[0]?.entries?.[0];
    if (first !== undefined) top = positionOf(first);
  };
  const dropEmpty = () => {
    for (let number = pages.length - 1; number > 0; number -= 1)
      if (pages[number]?.count === 0) pages.splice(number, 1);
  };
  const toRows = (
    first: number,
    last: number,
    visit: (page: Page, number: number, isIn: boolean) => void,
  ) => {
    let start = 0;
    for (const [number, page] of pages.entries()) {
      visit(page, number, start <= last && start + page.count > first);
      start += page.count;
    }
  };

  return {
    count,
    isComplete: () => isRead && next === null,
    entryAt(index) {
      const at = pageAt(index);
      return at?.page.entries?.[index - at.start] ?? null;
    },
    indexOf(key) {
      let start = 0;
      for (const { entries, count: rows } of pages) {
        const index = entries?.findIndex((entry) => recordKey(entry) === key) ?? -1;
        if (index !== -1) return start + index;
        start += rows;
      }
      return null;
    },
    rowFor(entry) {
      const position = positionOf(entry);
      const number = pageFor(position);
      if (number === -1) return null;
      const before =
        pages[number]?.entries?.findIndex((other) => compare(position, positionOf(other)) <= 0) ?? 0;
      return startOf(number) + (before === -1 ? (pages[number]?.count ?? 0) : before);
    },
    isAboveAll: (entry) => compare(positionOf(entry), top) < 0,
    firstCount: () => pages[0]?.count ?? 0,
    nextCursor: () => next,
    append({ items, nextCursor }) {
      const last = items.at(-1);
      const cursor = next;
      next = nextCursor;
      if (last === undefined && isRead) return;
      isRead = true;
      const end = last === undefined ? BEFORE_ALL : positionOf(last);
      pages.push({ cursor, count: items.length, entries: [...items], end, isStale: false });
      updateTop();
    },
    pagesToLoad(first, last) {
      const found: ReturnType<FeedPages['pagesToLoad']> = [];
      toRows(first, last, ({ entries, isStale, cursor, count: rows }, page, isIn) => {
        if (isIn && (entries === null || isStale))
          found.push({
            page,
            cursor,
            limit: Math.min(MAX_PER_REQUEST, Math.max(PAGE_ROWS, rows + EXTRA_ROWS)),
          });
      });
      return found;
    },
    refill(number, cursor, { items, nextCursor }) {
      const page = pages[number];
      // another response may have changed the page in the meantime
      if (page === undefined || page.cursor !== cursor) return;
      const { isStale } = page;
      page.isStale = false;
      const isLast = number === pages.length - 1;
      const reachesEnd = items.some((entry) => compare(positionOf(entry), page.end) >= 0);
      if (nextCursor === null || reachesEnd) {
        const isOpen = isLast && next === null;
        withEntries(
          page,
          items.filter((entry) => isOpen || compare(positionOf(entry), page.end) <= 0),
        );
        dropEmpty();
        return;
      }
      const last = items.at(-1);
      if (last === undefined) return;
      const end = positionOf(last);
      const rest = page.entries?.filter((entry) => compare(positionOf(entry), end) > 0) ?? null;
      pages.splice(
        number,
        1,
        { cursor, count: items.length, entries: [...items], end, isStale: false },
        {
          cursor: nextCursor,
          count: rest?.length ?? page.count,
          entries: rest,
          end: page.end,
          isStale,
        },
      );
      updateTop();
      dropEmpty();
    },
    insert(entry) {
      const position = positionOf(entry);
      const page = pages[pageFor(position)];
      if (page?.entries == null) return false;
      const before = page.entries.findIndex((other) => compare(position, positionOf(other)) < 0);
      const at = before === -1 ? page.entries.length : before;
      withEntries(page, page.entries.toSpliced(at, 0, entry));
      return true;
    },
    replace(entry) {
      const key = recordKey(entry);
      for (const page of pages) {
        const index = page.entries?.findIndex((other) => recordKey(other) === key) ?? -1;
        if (page.entries === null || index === -1) continue;
        page.entries = page.entries.with(index, entry);
        return true;
      }
      return false;
    },
    remove(isGone) {
      const before = count();
      for (const page of pages)
        if (page.entries?.some(isGone))
          withEntries(
            page,
            page.entries.filter((entry) => !isGone(entry)),
          );
      dropEmpty();
      return before - count();
    },
    unloadFarFrom(first, last) {
      toRows(first - NEAR_ROWS, last + NEAR_ROWS, (page, _, isIn) => {
        if (!isIn && page.count > 0) page.entries = null;
      });
    },
    removePagesAfter(index) {
      const at = pageAt(index);
      const following = at === null ? undefined : pages[at.number + 1];
      if (at === null || following === undefined) return;
      next = following.cursor;
      pages.splice(at.number + 1);
    },
    makeStale(first, last) {
      toRows(first, last, (page, _, isIn) => {
        page.isStale = true;
        if (!isIn && page.count > 0) page.entries = null;
      });
    },
    makeStaleAt(index) {
      const at = pageAt(index);
      if (at !== null) at.page.isStale = true;
    },
  };
}

/** Position above all entries, for an empty feed. */
const BEFORE_ALL: Position = [0, 0, 0];
const KINDS: readonly FeedItem['kind'][] = ['observation', 'summary', 'prompt'];

const positionOf = ({ kind, item }: FeedItem): Position => [
  item.createdAtEpoch,
  KINDS.indexOf(kind),
  item.id,
];

/** Negative when `one` is above `other`. */
function compare(one: Position, other: Position): number {
  return other[0] - one[0] || other[1] - one[1] || other[2] - one[2];
}
