import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  runProgram,
  startWorker,
  stopWorker,
  waitUntilDrained,
  type HookRun,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyPackages } from './copy-packages.js';
import { playTurn } from './play-turn.js';

/** The library and the packages on which it depends. */
const PACKAGES = ['libs/core', 'libs/lexical-index', 'libs/storage', 'libs/search'];

interface Found {
  title: string;
  project: string;
  strategy: string;
  degraded: readonly { part: string }[];
}

describe('the search package, installed alone', () => {
  let home: TempHome;
  let elsewhere: string;

  /** Installs the package in an empty folder outside this workspace. */
  beforeAll(async () => {
    home = await createTempHome();
    elsewhere = path.join(home.root, 'elsewhere');
    copyPackages(path.join(elsewhere, 'node_modules'), PACKAGES);
    copyFileSync(path.join(import.meta.dirname, 'search-program.mjs'), path.join(elsewhere, 'search.mjs'));
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const search = (query: string, last: string): Promise<HookRun> =>
    runProgram(process.execPath, ['search.mjs', home.dataDir, query, last], {
      cwd: elsewhere,
      env: home.env,
      timeoutMs: 90_000,
    });
  const linesOf = ({ stdout }: HookRun) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  it('P015: reports that no memory exists and creates none', async () => {
    const run = await search('limit', 'never');
    expect(run.exit).toBe(1);
    expect(run.stderr).toContain('search/no-memory');
    expect(existsSync(home.dataDir)).toBe(false);
  });

  it('P015: finds new records while the worker writes', async () => {
    await using _worker = await startWorker(home);
    const turn = (number: number, subject: string) =>
      playTurn(home, {
        cwd: home.project,
        prompt: `Change the ${subject} of the queue`,
        file: `src/${subject}.ts`,
        message: `Changed the ${subject} of the queue to ${number} in src/${subject}.ts; the tests pass.`,
      });
    await turn(3, 'retry');
    await waitUntilDrained(home);
    const running = search('queue', 'src/backoff.ts');
    for (const [index, subject] of ['lease', 'backoff'].entries()) await turn(index, subject);
    const run = await running;
    expect(run, run.stderr).toMatchObject({ exit: 0, stderr: '' });
    const output = linesOf(run);
    const end = output.pop() as { sessions: number; status: { observations: number } };
    const found = output as readonly Found[];
    for (const subject of ['retry', 'backoff'])
      expect(found.filter(({ title }) => title.includes(subject)).length, run.stdout).toBeGreaterThan(0);
    expect(new Set(found.map(({ project }) => project)).size).toBe(1);
    expect(end.sessions).toBe(3);
    expect(end.status.observations).toBeGreaterThanOrEqual(3);
  }, 120_000);

  it('P015: lets the process exit when the memory is not closed', async () => {
    const program = `
      import { openMemory } from '@claude-mem/search';
      const memory = await openMemory({ dataDir: process.argv[1] });
      const { items } = await memory.search({ query: 'backoff' });
      console.log(items.length > 0);`;
    const run = await runProgram(process.execPath, ['--input-type=module', '--eval', program, home.dataDir], {
      cwd: elsewhere,
      env: home.env,
    });
    expect(run).toMatchObject({ exit: 0, stdout: 'true\n', stderr: '' });
  });

  it('P015: finds the records and changes no file when no worker runs', async () => {
    await stopWorker(home);
    const before = snapshot(home.dataDir);
    const run = await search('backoff', 'src/backoff.ts');
    expect(run, run.stderr).toMatchObject({ exit: 0, stderr: '' });
    const after = snapshot(home.dataDir);
    expect(after.files).toEqual(before.files);
    expect(after.waiting).toBe(0);
  });
});

/**
 * Returns the content of each file and the size of the write-ahead log. Excludes the two side files of SQLite, which
 * readers create.
 */
function snapshot(folder: string): { files: Map<string, string>; waiting: number } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const files = paths
    .filter((file) => !/\.db-(wal|shm)$/.test(file))
    .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')] as const);
  const log = paths.find((file) => file.endsWith('.db-wal'));
  return { files: new Map(files), waiting: log ? statSync(log).size : 0 };
}
