import type { Health, IndexState, SearchReply } from '@claude-mem/worker-protocol';
import { loadDriver } from '@claude-mem/storage/driver';
import { expect, it } from 'vitest';
import { createTestHome, startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

function tamper(file: string, sql: string): void {
  const database = loadDriver().open(file, {});
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

function count(file: string, table: string): number {
  const database = loadDriver().open(file, {});
  try {
    return database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  } finally {
    database.close();
  }
}

const RECORDS = Array.from({ length: 60 }, (_, index) => ({
  uid: `u-${index}`,
  project: '/repos/demo',
  title: `Record ${index}: word${index} is limited`,
}));

const NOISE = `UPDATE search_postings SET data = x'deadbeefdeadbeef'`;
/** Number of new documents after which the worker merges them into the postings. */
const FOLD_AT = 512;
const SETTINGS = { CLAUDE_MEM_EMBEDDER: 'none' };

const search = (worker: TestWorker, query: string) =>
  worker.ask({ path: `/api/search?query=${encodeURIComponent(query)}&limit=100` });
const find = async (worker: TestWorker, query: string) =>
  ((await search(worker, query)).json as SearchReply).items.length;
const state = async (worker: TestWorker) => (await worker.ask({ path: '/api/reindex' })).json as IndexState;

/** All records are indexed, and no pending merge will change the postings. */
const isSettled = async (worker: TestWorker, file: string, total: number) =>
  (await state(worker)).words.indexed === total &&
  count(file, 'search_unfolded') < FOLD_AT &&
  count(file, 'search_postings') > 0;

async function fill(worker: TestWorker, file: string, times = 10): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    const body = RECORDS.map(({ uid, ...record }) => ({
      ...record,
      uid: `${round} ${uid}`,
      session: `s${round}`,
    }));
    await worker.ask({ method: 'POST', path: '/api/import', body });
  }
  await until(() => isSettled(worker, file, RECORDS.length * times));
}

it('rebuilds a damaged index once, and reports later damage', { timeout: 60_000 }, async () => {
  using home = createTestHome();
  await using worker = await startTestWorker({ home, settings: SETTINGS });
  await fill(worker, home.paths.database);
  expect(await find(worker, 'word7')).toBe(10);
  tamper(home.paths.database, NOISE);
  const answer = await search(worker, 'word8');
  expect(answer.status).toBe(200);
  expect((answer.json as SearchReply).degraded).toContainEqual(
    expect.objectContaining({ reason: expect.stringContaining('in the index so far') }),
  );
  await until(async () => (await find(worker, 'word8')) === 10);
  await until(() => isSettled(worker, home.paths.database, 600));
  expect(await find(worker, 'word7')).toBe(10);
  expect(((await worker.health()) as Health).notices.join(' ')).not.toContain('damaged');

  // After another damage, the worker does not retry forever, reports the problem, and returns no wrong results.
  tamper(home.paths.database, NOISE);
  expect(await find(worker, 'word7')).toBe(10);
  expect((await search(worker, 'word9')).status).toBe(500);
  expect((await search(worker, 'limited')).status).toBe(500);
  expect((await state(worker)).words).toMatchObject({
    indexed: 600,
    total: 600,
    problem: expect.stringContaining('damaged again'),
  });
  expect(((await worker.health()) as Health).notices.join(' ')).toContain('damaged again');
  await worker.ask({ method: 'POST', path: '/api/reindex', body: { part: 'words' } });
  await until(async () => (await find(worker, 'word9')) === 10);
  expect((await state(worker)).words.problem).toBeUndefined();
});

it(
  'repairs an index at the start when it was damaged while the worker was stopped',
  { timeout: 60_000 },
  async () => {
    using home = createTestHome();
    {
      await using worker = await startTestWorker({ home, settings: SETTINGS });
      await fill(worker, home.paths.database);
    }
    tamper(home.paths.database, 'DELETE FROM search_terms WHERE id % 2 = 0');
    await using worker = await startTestWorker({ home });
    await until(async () => (await find(worker, 'limited')) === 100);
    for (const word of ['word7', 'word8', 'word9'])
      await until(async () => (await find(worker, word)) === 10);
  },
);
