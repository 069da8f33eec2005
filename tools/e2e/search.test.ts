import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { randomFrom } from '@claude-mem/core/testing';
import {
  bySize,
  createTempHome,
  isProcessAlive,
  inspectDatabase,
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
import { syntheticRecord } from './synthetic-record.mjs';
import { runScenario } from './run-scenario.js';

const cli = path.join(workspacePaths.root, 'apps/hooks-cli/dist/claude-mem.js');

function run(home: TempHome, args: readonly string[], options: { timeoutMs?: number } = {}) {
  return runProgram(process.execPath, [cli, ...args], { cwd: home.project, env: home.env, ...options });
}

/**
 * Returns lines of the import format, which end with
 * .
 */
function createLines(home: TempHome, count: number): readonly string[] {
  const random = randomFrom(1);
  return Array.from(
    { length: count },
    (_, index) =>
      `${JSON.stringify(syntheticRecord({ number: index + 1, random, project: home.project }))}\n`,
  );
}

function writeRecords(home: TempHome, count: number): string {
  const file = path.join(home.root, 'records.jsonl');
  writeFileSync(file, createLines(home, count).join(''));
  return file;
}

/** Returns the number of stored observations and the result of SQLite's integrity check. */
const documents = (home: TempHome) =>
  inspectDatabase(home, (peek) => ({
    stored: Number(peek.value('SELECT count(*) FROM observations')),
    uids: Number(peek.value('SELECT count(DISTINCT uid) FROM observations')),
    integrity: peek.integrity(),
  }));

const search = async (home: TempHome, query: string) => {
  const { json } = await requestWorker(home, { path: `/api/search?limit=200&${query}` });
  return (json as { items: { item: { uid: string } }[] }).items.map(({ item }) => item.uid);
};

const REQUEST_LINES = 500;

/** Returns the number of stored vectors in an array. The array is empty if the table does not exist. */
const vectorsOf = (home: TempHome) =>
  inspectDatabase(home, (peek) =>
    peek.tables().includes('vectors') ? [Number(peek.value('SELECT count(*) FROM vectors'))] : [],
  );

/** Returns the number of observations; 0 if no worker answers. */
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

describe('search of an installed claude-mem', () => {
  it('P012: finds imported records immediately by command and over HTTP, and with vectors later', async () => {
    await using home = await createTempHome();
    const count = bySize({ quick: 50, full: 200 });
    const file = writeRecords(home, count);
    const imported = await run(home, ['import', '--format', 'jsonl', file]);
    expect(imported).toMatchObject({ exit: 0, stdout: `${count} new, 0 known, 0 invalid.\n` });
    expect((await run(home, ['search', 'record17'])).stdout).toMatch(/^#17 .*record17:/);
    expect(await search(home, 'query=record42')).toContain('synthetic-42');

    const waited = await run(home, ['import', file, '--wait'], { timeoutMs: 90_000 });
    expect(waited).toMatchObject({ exit: 0, stdout: `0 new, ${count} known, 0 invalid.\n` });
    // A search that finds the embedder busy returns lexical results only.
    await expect
      .poll(async () => (await requestWorker(home, { path: '/api/search?query=record42' })).json)
      .toMatchObject({ strategy: 'hybrid', degraded: [] });
    await stopWorker(home);
  }, 180_000);

  it('P012: stores and indexes every record once when the worker is killed during an import', async () => {
    await using home = await createTempHome();
    // A worker that the command starts reads the embedder only from the settings file.
    expect((await run(home, ['settings', 'set', 'CLAUDE_MEM_EMBEDDER', 'none'])).exit).toBe(0);
    const kills = bySize({ quick: 2, full: 12 });
    const count = REQUEST_LINES * (kills + 1);
    const lines = createLines(home, count);
    const random = randomFrom(7);
    expect((await run(home, ['start'])).exit).toBe(0);
    const importing = spawn(process.execPath, [cli, 'import', '-'], { cwd: home.project, env: home.env });
    const printed = Promise.all([text(importing.stdout), text(importing.stderr)]);
    const exited = once(importing, 'exit');
    let written = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      await waitFor(async () => (await storedNow(home)) === REQUEST_LINES * (kill - 1), {
        what: `${REQUEST_LINES * (kill - 1)} records`,
        deadlineMs: 60_000,
      });
      const pid = await waitFor(() => runningWorkerPid(home), { what: 'a worker to kill' });
      // The command sends a request when it reads the first line of the next one.
      importing.stdin.write(lines.slice(written, REQUEST_LINES * kill + 1).join(''));
      written = REQUEST_LINES * kill + 1;
      await new Promise((resolve) => setTimeout(resolve, random() * 100));
      process.kill(pid, 'SIGKILL');
      await waitFor(() => !isProcessAlive(pid), { what: 'the killed worker to be gone' });
    }
    importing.stdin.end(lines.slice(written).join(''));
    expect(await exited, (await printed).join('')).toEqual([0, null]);
    expect(documents(home)).toEqual({ stored: count, uids: count, integrity: 'ok' });

    await using _worker = await startWorkerUnlessRunning(home);
    await untilIndexed(home);
    for (const number of [1, 777, REQUEST_LINES + 1, count])
      expect(await search(home, `query=record${number}`)).toEqual([`synthetic-${number}`]);
    const filtered = await search(home, 'query=cache+token&type=bugfix');
    await requestWorker(home, { method: 'POST', path: '/api/reindex', body: { part: 'words' } });
    await untilIndexed(home);
    expect(await search(home, 'query=cache+token&type=bugfix')).toEqual(filtered);
  }, 240_000);

  it('P012: stores every vector once when the worker is killed while it embeds', async () => {
    await using home = await createTempHome();
    const records = bySize({ quick: 60, full: 300 });
    // Each record has a narrative and two facts.
    const vectors = 3 * records;
    expect((await run(home, ['import', writeRecords(home, records)])).exit).toBe(0);
    let known = 0;
    for (let kill = 0; kill < bySize({ quick: 1, full: 3 }); kill += 1) {
      await requestWorker(home, { method: 'POST', path: '/api/reindex', body: { part: 'missing' } });
      known = await waitFor(() => vectorsOf(home).find((count) => count > known), { what: 'more vectors' });
      await stopWorker(home, 'SIGKILL');
      expect(known).toBeLessThan(vectors);
      const started = await run(home, ['start']);
      expect(started.exit, started.stderr).toBe(0);
    }
    await requestWorker(home, { method: 'POST', path: '/api/reindex', body: { part: 'missing' } });
    await untilIndexed(home);
    using peek = peekDatabase(home);
    expect(Number(peek.value('SELECT count(*) FROM vectors'))).toBe(vectors);
    expect(Number(peek.value('SELECT count(DISTINCT document_id) FROM vectors'))).toBe(vectors);
    expect(peek.integrity()).toBe('ok');
    await stopWorker(home);
  }, 240_000);

  it('P013: answers every process that reads while the worker writes', async () => {
    await runScenario('readers.mjs', {
      readers: bySize({ quick: 2, full: 8 }),
      searches: bySize({ quick: 40, full: 2_000 }),
      records: bySize({ quick: 300, full: 3_000 }),
    });
  }, 120_000);
});

async function startWorkerUnlessRunning(home: TempHome): Promise<AsyncDisposable> {
  if (runningWorkerPid(home) === null) return startWorker(home);
  return { [Symbol.asyncDispose]: () => stopWorker(home) };
}
