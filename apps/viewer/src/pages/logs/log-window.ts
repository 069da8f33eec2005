import type { LogReply } from '@claude-mem/worker-protocol';

export type LogItem = LogReply['items'][number];

/** The loaded part of the log of a day: newest first, without gaps, at most `MAX_LINES` lines. */
export interface LogWindow {
  date: string;
  dates: readonly string[];
  items: readonly LogItem[];
  /** Cursor of the next older lines. Null at the start of the day. */
  olderCursor: string | null;
  /** Offset in the file after the newest loaded line. */
  end: number;
  /** Newer lines were removed to limit the size. Showing them requires a reload. */
  hasNewer: boolean;
}

export const MAX_LINES = 4_000;

export const firstWindow = ({ date, dates, items, nextCursor, end }: LogReply): LogWindow => ({
  date,
  dates,
  items,
  olderCursor: nextCursor,
  end,
  hasNewer: false,
});

/** Adds the newer lines. Starts again with the newest page if the reply does not contain all newer lines. */
export function withNewer(window: LogWindow, reply: LogReply): LogWindow {
  // the lines between are loaded when the user scrolls there
  if (reply.nextCursor !== null) return firstWindow(reply);
  const fresh = reply.items.filter(({ offset }) => offset >= window.end);
  if (fresh.length === 0) return { ...window, dates: reply.dates, end: Math.max(window.end, reply.end) };
  const items = [...fresh, ...window.items];
  const last = items[MAX_LINES - 1];
  const isFull = items.length > MAX_LINES && last !== undefined;
  return {
    ...window,
    dates: reply.dates,
    items: isFull ? items.slice(0, MAX_LINES) : items,
    olderCursor: isFull ? String(last.offset) : window.olderCursor,
    end: Math.max(window.end, reply.end),
  };
}

/** Adds the older lines. Ignores a reply to a cursor that is no longer current. */
export function withOlder(window: LogWindow, cursor: string, reply: LogReply): LogWindow {
  if (reply.date !== window.date || cursor !== window.olderCursor) return window;
  const items = [...window.items, ...reply.items];
  const isFull = items.length > MAX_LINES;
  return {
    ...window,
    items: isFull ? items.slice(items.length - MAX_LINES) : items,
    olderCursor: reply.nextCursor,
    hasNewer: window.hasNewer || isFull,
  };
}
