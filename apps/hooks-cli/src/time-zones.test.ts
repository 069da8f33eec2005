import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startFakeWorker } from './testing/fake-worker.js';
import { createTestHome, type TestHome } from './testing/run-inside.js';

let home: TestHome;
const zone = process.env['TZ'];
beforeEach(() => {
  home = createTestHome();
  process.env['TZ'] = 'Asia/Tokyo';
});
afterEach(() => {
  home[Symbol.dispose]();
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

it('R06: sends the days of a search as instants in the time zone of the user', async () => {
  await using worker = await startFakeWorker(join(home.dataDir, 'worker.sock'), (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items: [], strategy: 'recency', degraded: [], nextCursor: null }));
  });
  await home.run(['search', '--from', '2026-11-26', '--to', '2026-11-26']);
  await home.run(['search', 'x', '--from', 'soon']);
  const [days, soon] = worker.received
    .map(({ path }) => new URL(path, 'http://localhost'))
    .filter(({ pathname }) => pathname === '/api/search')
    .map(({ searchParams }) => searchParams);
  expect(days?.get('dateFrom')).toBe('2026-11-25T15:00:00.000Z');
  expect(days?.get('dateTo')).toBe('2026-11-26T14:59:59.999Z');
  expect(soon?.get('dateFrom')).toBe('soon');
});

it('R06: sends the time of a timeline as an instant, and an id as it is', async () => {
  await using worker = await startFakeWorker(join(home.dataDir, 'worker.sock'), (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items: [], anchorIndex: null, degraded: [], nextCursor: null }));
  });
  await home.run(['timeline', '2026-11-26T10:00']);
  await home.run(['timeline', '123456789']);
  const anchors = worker.received
    .map(({ path }) => new URL(path, 'http://localhost'))
    .filter(({ pathname }) => pathname === '/api/timeline')
    .map(({ searchParams }) => searchParams.get('anchor'));
  expect(anchors).toEqual(['2026-11-26T01:00:00.000Z', '123456789']);
});

it('R06: requests a context in the time zone of the user', async () => {
  await using worker = await startFakeWorker(join(home.dataDir, 'worker.sock'), (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        text: '',
        shown: [],
        skipped: [],
        tokens: 0,
        maxTokens: 0,
        total: 0,
        offReason: null,
        reason: null,
        project: { key: '', name: '' },
      }),
    );
  });
  await home.run(['context', '--preview']);
  const asked = worker.received.find(({ path }) => path.startsWith('/api/context'));
  expect(new URL(asked?.path ?? '/', 'http://localhost').searchParams.get('timeZone')).toBe('Asia/Tokyo');
});

it('R06: deletes the records of a day in the time zone of the user', async () => {
  await using worker = await startFakeWorker(join(home.dataDir, 'worker.sock'), ({ path }, response) => {
    response.setHeader('content-type', 'application/json');
    const counts = { observations: 1, summaries: 0, prompts: 0, sessions: 0 };
    const forgotten = { ...counts, titles: [], isErased: false, backups: 0, undo: null, notes: [] };
    const health = { status: 'ok', live: true, ready: true, version: '0', pid: 1, uptimeMs: 1 };
    response.end(JSON.stringify(path === '/api/memory/forget' ? forgotten : { ...health, notices: [] }));
  });
  await home.run(['forget', '--from', '2026-11-26', '--to', '2026-11-26', '--yes']);
  const asked = worker.received
    .filter(({ path }) => path === '/api/memory/forget')
    .map(({ body }) => JSON.parse(body.toString()) as object);
  const days = { dateFrom: '2026-11-25T15:00:00.000Z', dateTo: '2026-11-26T14:59:59.999Z' };
  expect(asked).toEqual([
    { ...days, dryRun: true },
    { ...days, confirm: true },
  ]);
});
