import { describe, expect, it } from 'vitest';
import { firstWindow, MAX_LINES, withNewer, withOlder, type LogItem } from './log-window.js';

const line = (offset: number): LogItem => ({
  offset,
  atEpoch: offset,
  level: 'info',
  message: `line ${offset}`,
  fields: {},
});
/** Lines of ten bytes each, newest first. */
const lines = (from: number, to: number) =>
  Array.from({ length: (to - from) / 10 }, (_, index) => line(to - 10 * (index + 1)));
const reply = (from: number, to: number, nextCursor: string | null = null) => ({
  date: '2026-11-28',
  dates: ['2026-11-28'],
  items: lines(from, to),
  nextCursor,
  end: to,
});
const offsets = (items: readonly LogItem[]) => items.map(({ offset }) => offset);

describe('window of log lines', () => {
  it('contains each new line once when the worker sends it twice', () => {
    let window = firstWindow(reply(100, 130, '100'));
    window = withNewer(window, reply(130, 150));
    window = withNewer(window, reply(130, 150));
    expect(offsets(window.items)).toEqual([140, 130, 120, 110, 100]);
    expect(window).toMatchObject({ end: 150, olderCursor: '100' });
  });

  it('stores the end of the read range when no line matches the filter', () => {
    const window = withNewer(firstWindow(reply(0, 30)), { ...reply(30, 30), end: 5_000 });
    expect(window.end).toBe(5_000);
    expect(withNewer(window, { ...reply(30, 50), end: 5_010 }).items).toHaveLength(3);
  });

  it('starts again when more lines were written than one page contains', () => {
    const window = firstWindow(reply(0, 30));
    expect(offsets(withNewer(window, reply(500, 520, '500')).items)).toEqual([510, 500]);
  });

  it('B171: limits the number of lines while it receives new lines or loads older ones', () => {
    let window = firstWindow(reply(0, 1_000));
    for (let end = 1_000; end < 10 * (MAX_LINES + 2_000); end += 1_000)
      window = withNewer(window, reply(end, end + 1_000));
    expect(window.items).toHaveLength(MAX_LINES);
    // older lines were removed, and are requested again from the last remaining line
    expect(window.olderCursor).toBe(String(window.items.at(-1)?.offset));

    let scrolled = firstWindow(reply(100_000, 101_000, '100000'));
    for (let cursor = 100_000; cursor > 0; cursor -= 1_000)
      scrolled = withOlder(scrolled, String(cursor), {
        ...reply(cursor - 1_000, cursor, cursor === 1_000 ? null : String(cursor - 1_000)),
      });
    expect(scrolled.items).toHaveLength(MAX_LINES);
    expect(scrolled).toMatchObject({ olderCursor: null, hasNewer: true });
    expect(scrolled.items.at(-1)?.offset).toBe(0);
  });

  it('ignores a response for a cursor that was already loaded', () => {
    const window = withOlder(firstWindow(reply(100, 130, '100')), '100', reply(50, 100, '50'));
    expect(withOlder(window, '100', reply(50, 100, '50'))).toBe(window);
    expect(offsets(window.items)).toEqual([120, 110, 100, 90, 80, 70, 60, 50]);
  });
});
