import type { LogReply } from '@claude-mem/worker-protocol';

export type LogItem = LogReply['items'][number];

/** The part of a day's log that the page holds: newest first, without gaps, never more than MOST_LINES. */
export interface LogWindow {
  date: string;
  dates: readonly string[];
  items: readonly LogItem[];
  /** Where older lines go on; null at the beginning of the day. */
  olderCursor: string | null;
  /** Up to where the file is known; new lines begin there. */
  end: number;
  /** Lines at the newer end were let go of to make room: it takes a fresh look to see them again. */
  hasNewer: boolean;
}

export const MOST_LINES = 4_000;

export const firstWindow = ({ date, dates, items, nextCursor, end }: LogReply): LogWindow => ({
  date,
  dates,
  items,
  olderCursor: nextCursor,
  end,
  hasNewer: false,
});

/** With what was written since; begins anew where that is more than a page. */
export function withNewer(window: LogWindow, reply: LogReply): LogWindow {
  // what is between is read when one scrolls there
  if (reply.nextCursor !== null) return firstWindow(reply);
  const fresh = reply.items.filter(({ offset }) => offset >= window.end);
  if (fresh.length === 0) return { ...window, dates: reply.dates, end: Math.max(window.end, reply.end) };
  const items = [...fresh, ...window.items];
  const last = items[MOST_LINES - 1];
  const isFull = items.length > MOST_LINES && last !== undefined;
  return {
    ...window,
    dates: reply.dates,
    items: isFull ? items.slice(0, MOST_LINES) : items,
    olderCursor: isFull ? String(last.offset) : window.olderCursor,
    end: Math.max(window.end, reply.end),
  };
}

/** With the lines before; `reply` answers the window's own cursor. */
export function withOlder(window: LogWindow, cursor: string, reply: LogReply): LogWindow {
  if (reply.date !== window.date || cursor !== window.olderCursor) return window;
  const items = [...window.items, ...reply.items];
  const isFull = items.length > MOST_LINES;
  return {
    ...window,
    items: isFull ? items.slice(items.length - MOST_LINES) : items,
    olderCursor: reply.nextCursor,
    hasNewer: window.hasNewer || isFull,
  };
}
