import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorTime } from '@claude-mem/core/testing';
import { bySize } from '@claude-mem/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logDays, readLog, type LogRequest } from './read-log.js';

const DATE = '2026-01-05';
const MB = 1024 * 1024;
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cm-read-log-'));
  file = join(folder, `worker-${DATE}.log`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lineOf = (msg: string, level = 'info', fields: Record<string, unknown> = {}) =>
  `${JSON.stringify({ level, time: '2026-01-05T12:00:00.000Z', ...fields, msg })}\n`;
const read = (request: Partial<LogRequest> = {}) => readLog(folder, { date: DATE, limit: 100, ...request });
const messagesOf = ({ items }: Awaited<ReturnType<typeof readLog>>) => items.map(({ message }) => message);

/** All pages in order. */
async function readAll(request: Partial<LogRequest> = {}) {
  const pages: Awaited<ReturnType<typeof readLog>>[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await read({ ...request, before });
    pages.push(page);
    if (page.next === null) return pages;
    before = page.next;
  }
}

describe('readLog', () => {
  it('returns the parsed lines, newest first', async () => {
    writeFileSync(file, lineOf('one') + lineOf('two', 'warn', { session: 7 }));
    const { items, next } = await read();
    expect(items).toEqual([
      {
        offset: lineOf('one').length,
        atEpoch: Date.UTC(2026, 0, 5, 12),
        level: 'warn',
        message: 'two',
        fields: { session: 7 },
      },
      { offset: 0, atEpoch: Date.UTC(2026, 0, 5, 12), level: 'info', message: 'one', fields: {} },
    ]);
    expect(next).toBeNull();
  });

  it('returns every line exactly once over many pages when lines are added meanwhile', async () => {
    const messages = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${'ü'.repeat(index % 90)}`);
    writeFileSync(file, messages.map((message) => lineOf(message)).join(''));
    const first = await read({ limit: 33 });
    appendFileSync(file, lineOf('later'));
    const rest = [];
    for (let { next } = first; next !== null;) {
      const page = await read({ limit: 33, before: next });
      rest.push(...messagesOf(page));
      next = page.next;
    }
    expect([...messagesOf(first), ...rest]).toEqual(messages.reverse());
  });

  it('filters by minimum level, and by a text without regard to case', async () => {
    const lines = [
      lineOf('a', 'debug'),
      lineOf('b'),
      lineOf('c', 'warn', { file: 'Ünder "quotes"' }),
      lineOf('d', 'error'),
    ];
    writeFileSync(file, lines.join(''));
    expect(messagesOf(await read({ level: 'warn' }))).toEqual(['d', 'c']);
    expect(messagesOf(await read({ level: 'debug' }))).toEqual(['d', 'c', 'b', 'a']);
    expect(messagesOf(await read({ text: 'ünder "QUOTES' }))).toEqual(['c']);
    expect(messagesOf(await read({ text: 'ünder', level: 'error' }))).toEqual([]);
  });

  it('returns a line without JSON as plain text', async () => {
    writeFileSync(file, 'plain words\n[1,2]\n{"msg":"Line too long","length":20000}');
    expect((await read()).items).toEqual([
      { offset: 18, atEpoch: null, level: 'info', message: 'Line too long', fields: { length: 20_000 } },
      { offset: 12, atEpoch: null, level: 'info', message: '[1,2]', fields: {} },
      { offset: 0, atEpoch: null, level: 'info', message: 'plain words', fields: {} },
    ]);
  });

  it('returns a line as plain text when its JSON is nested too deep', async () => {
    const deep = `{"level":"warn","msg":"deep","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    writeFileSync(file, `${deep}\n${lineOf('after')}`);
    const { items } = await read();
    expect(items.map(({ message }) => message)).toEqual(['after', deep]);
    expect(() => JSON.stringify(items)).not.toThrow();
  });

  it('returns no lines for a day without a log', async () => {
    expect(await read({ date: '2026-01-06' })).toEqual({ items: [], next: null, end: 0 });
  });

  it('returns only the lines after a given offset, and the new offset when no line matches', async () => {
    writeFileSync(file, lineOf('one') + lineOf('two'));
    const { end } = await read({ limit: 1 });
    expect(await read({ after: end })).toEqual({ items: [], next: null, end });
    appendFileSync(file, lineOf('three') + lineOf('four', 'warn'));
    const since = await read({ after: end });
    expect(messagesOf(since)).toEqual(['four', 'three']);
    expect(since.next).toBeNull();
    expect(await read({ after: end, text: 'one' })).toEqual({ items: [], next: null, end: since.end });
    expect((await read({ after: end, limit: 1 })).next).not.toBeNull();
  });

  it('B171: reads the end of a large log with little time and memory, and pages past a huge line', async () => {
    const size = bySize({ quick: 150, full: 500 }) * MB;
    writeFileSync(file, lineOf('first'));
    truncateSync(file, size);
    const handle = openSync(file, 'a');
    writeSync(handle, `\n${lineOf('before last')}${lineOf('last')}`);
    closeSync(handle);
    const memory = process.memoryUsage.rss();
    const spent = processorTime();
    expect(messagesOf(await read({ limit: 2 }))).toEqual(['last', 'before last']);
    const sought = await read({ text: 'nowhere' });
    expect(spent()).toBeLessThan(1_000);
    expect(sought.items).toEqual([]);
    expect(sought.next).toBeGreaterThan(size - 100 * MB);
    const pages = await readAll();
    expect(pages.flatMap(messagesOf)).toEqual(['last', 'before last', 'first']);
    expect(process.memoryUsage.rss() - memory).toBeLessThan(64 * MB);
  });

  it('B171: searches a long log for a rare text in bounded pages', async () => {
    const filler = lineOf('x'.repeat(200)).repeat(5_000);
    writeFileSync(file, lineOf('the needle'));
    for (let written = 0; written < bySize({ quick: 30, full: 60 }) * MB; written += filler.length)
      appendFileSync(file, filler);
    const pages = await readAll({ text: 'NEEDLE' });
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(messagesOf)).toEqual(['the needle']);
  });

  it('B055: does not follow a link out of the log folder', async () => {
    writeFileSync(join(folder, 'secret'), lineOf('outside'));
    symlinkSync(join(folder, 'secret'), file);
    expect(await read()).toEqual({ items: [], next: null, end: 0 });
  });
});

describe('logDays', () => {
  it('lists the days that have a log, newest first', async () => {
    for (const name of ['worker-2026-01-04.log', 'worker-2026-01-05.log', 'notes.txt', 'worker-start.log'])
      writeFileSync(join(folder, name), '');
    expect(await logDays(folder)).toEqual(['2026-01-05', '2026-01-04']);
    expect(await logDays(join(folder, 'none'))).toEqual([]);
  });
});
