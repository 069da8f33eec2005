import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomFrom } from '@claude-mem/core/testing';
import {
  createTempHome,
  isAlive,
  lookInto,
  peekDatabase,
  requestWorker,
  runningWorkerPid,
  runProgram,
  startWorker,
  stopWorker,
  waitFor,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { madeUpRecord } from './made-up-record.mjs';

const cli = path.join(workspacePaths.root, 'apps/hooks-cli/dist/claude-mem.js');

function run(home: TempHome, args: readonly string[], options: { timeoutMs?: number } = {}) {
  return runProgram(process.execPath, [cli, ...args], { cwd: home.project, env: home.env, ...options });
}

function writeRecords(home: TempHome, count: number): string {
  const random = randomFrom(1);
  const file = path.join(home.root, 'records.jsonl');
  const records = Array.from({ length: count }, (_, index) =>
    madeUpRecord({ number: index + 1, random, project: home.project }),
  );
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

/** What the index of words holds, by record. */
const documents = (home: TempHome) =>
  lookInto(home, (peek) => ({
    stored: Number(peek.value('SELECT count(*) FROM observations')),
    uids: Number(peek.value('SELECT count(DISTINCT uid) FROM observations')),
    integrity: peek.integrity(),
  }));

const search = async (home: TempHome, query: string) => {
  const { json } = await requestWorker(home, { path: `/api/search?limit=200&${query}` });
  return (json as { items: { item: { uid: string } }[] }).items.map(({ item }) => item.uid);
};

/** How many records a worker that answers has; 0 where none does. */
async function storedNow(home: TempHome): Promise<number> {
  const answer = await requestWorker(home, { path: '/api/stats' }).catch(() => null);
  return answer?.status === 200 ? (answer.json as { observations: number }).observations : 0;
}

async function untilIndexed(home: TempHome) {
  await waitFor(
    async () => {
      const { json } = await requestWorker(home, { path: '/api/reindex' });
      return (json as { isDone: boolean }).isDone;
    },
    { what: 'everything to be indexed', deadlineMs: 90_000 },
  );
}

describe('search, as it is installed', () => {
  it('P012: an import is found at once by the command and over HTTP, and by meaning a little later', async () => {
    await using home = await createTempHome();
    const file = writeRecords(home, 200);
    const imported = await run(home, ['import', '--format', 'jsonl', file]);
    expect(imported).toMatchObject({ exit: 0, stdout: '200 new, 0 known, 0 not usable.\n' });
    expect((await run(home, ['search', 'record17'])).stdout).toMatch(/^#17 .*record17:/);
    expect(await search(home, 'query=record42')).toContain('made-up-42');

    const waited = await run(home, ['import', file, '--wait'], { timeoutMs: 90_000 });
    expect(waited).toMatchObject({ exit: 0, stdout: '0 new, 200 known, 0 not usable.\n' });
    // a search that finds the embedder busy answers without it
    await expect
      .poll(async () => (await requestWorker(home, { path: '/api/search?query=record42' })).json)
      .toMatchObject({ strategy: 'hybrid', degraded: [] });
    await stopWorker(home);
  }, 180_000);

  it('P012: killed again and again during an import, nothing is lost, doubled or out of the index', async () => {
    await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    const count = 6_000;
    const file = writeRecords(home, count);
    const random = randomFrom(7);
    let isOver = false;
    expect((await run(home, ['start'])).exit).toBe(0);
    const imported = run(home, ['import', file], { timeoutMs: 150_000 }).finally(() => (isOver = true));
    let kills = 0;
    let known = 0;
    while (!isOver && kills < 4) {
      await new Promise((resolve) => setTimeout(resolve, 300 + random() * 500));
      // one that is killed while it starts is one that does not start, which the command says
      const stored = await storedNow(home);
      const pid = runningWorkerPid(home);
      if (isOver || pid === null || stored <= known) continue;
      known = stored;
      process.kill(pid, 'SIGKILL');
      kills += 1;
      await waitFor(() => !isAlive(pid), { what: 'the killed worker to be gone' });
    }
    const result = await imported;
    expect(result.exit, result.stderr).toBe(0);
    expect(kills).toBeGreaterThan(0);
    expect(documents(home)).toEqual({ stored: count, uids: count, integrity: 'ok' });

    await using _worker = await startWorkerUnlessRunning(home);
    await untilIndexed(home);
    for (const number of [1, 777, 3_333, count])
      expect(await search(home, `query=record${number}`)).toEqual([`made-up-${number}`]);
    const filtered = await search(home, 'query=cache+token&type=bugfix');
    await requestWorker(home, { method: 'POST', path: '/api/reindex', body: { part: 'words' } });
    await untilIndexed(home);
    expect(await search(home, 'query=cache+token&type=bugfix')).toEqual(filtered);
  }, 240_000);

  it('P012: killed while it embeds, it goes on where it was, and every vector is there once', async () => {
    await using home = await createTempHome();
    const file = writeRecords(home, 300);
    expect((await run(home, ['import', file])).exit).toBe(0);
    await requestWorker(home, { method: 'POST', path: '/api/reindex', body: { part: 'missing' } });
    for (let kill = 0; kill < 3; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await stopWorker(home, 'SIGKILL');
      const started = await run(home, ['start']);
      expect(started.exit, started.stderr).toBe(0);
      await requestWorker(home, { method: 'POST', path: '/api/reindex', body: { part: 'missing' } });
    }
    await untilIndexed(home);
    using peek = peekDatabase(home);
    // a narrative and two facts each
    expect(Number(peek.value('SELECT count(*) FROM vectors'))).toBe(900);
    expect(Number(peek.value('SELECT count(DISTINCT document_id) FROM vectors'))).toBe(900);
    expect(peek.integrity()).toBe('ok');
    await stopWorker(home);
  }, 240_000);

  it('P013: many processes read while the worker writes, without an error or a lock', async () => {
    await using home = await createTempHome();
    const readers = path.join(workspacePaths.root, 'tools/e2e/readers.mjs');
    const result = await runProgram(process.execPath, [readers, '--seconds', '8', '--readers', '8'], {
      cwd: home.root,
      env: home.env,
      timeoutMs: 110_000,
    });
    expect(result.stdout).toContain('0 deviation(s)');
    expect(result.exit, result.stdout + result.stderr).toBe(0);
  }, 120_000);
});

async function startWorkerUnlessRunning(home: TempHome): Promise<AsyncDisposable> {
  if (runningWorkerPid(home) === null) return startWorker(home);
  return { [Symbol.asyncDispose]: () => stopWorker(home) };
}
