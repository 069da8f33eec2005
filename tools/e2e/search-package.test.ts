import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  runProgram,
  startWorker,
  stopWorker,
  waitUntilDrained,
  workspacePaths,
  type HookRun,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playTurn } from './play-turn.js';

const { root } = workspacePaths;
const WORKSPACES = ['core', 'analysis', 'storage', 'search'].map((name) => `@claude-mem/${name}`);

interface Found {
  title: string;
  project: string;
  strategy: string;
  degraded: readonly { part: string }[];
}

describe('the packed search package', () => {
  let home: TempHome;
  let elsewhere: string;

  /** As npm would publish it, installed by npm into an empty folder that is no part of this workspace. */
  beforeAll(async () => {
    home = await createTempHome();
    elsewhere = path.join(home.root, 'elsewhere');
    mkdirSync(elsewhere);
    const npm = async (cwd: string, ...args: readonly string[]) => {
      const env = { ...(process.env as Record<string, string>), ...home.env, npm_config_cache: cache };
      const run = await runProgram('npm', args, { cwd, env, timeoutMs: 170_000 });
      expect(run.exit, run.stderr).toBe(0);
      return run.stdout;
    };
    const cache = path.join(root, 'node_modules', '.cache', 'claude-mem-e2e-npm');
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', elsewhere];
    const packed = JSON.parse(
      await npm(root, ...pack, ...WORKSPACES.flatMap((name) => ['--workspace', name])),
    ) as readonly { filename: string }[];
    const tarballs = packed.map(({ filename }) => `./${path.basename(filename)}`);
    writeFileSync(path.join(elsewhere, 'package.json'), '{ "private": true, "type": "module" }');
    await npm(elsewhere, 'install', '--ignore-scripts', '--prefer-offline', ...tarballs);
    // Compiling takes a minute and is no part of this: the same version was compiled for this workspace.
    for (const name of ['better-sqlite3', 'better-sqlite3-n22']) {
      const build = path.join(root, 'node_modules', name, 'build');
      const target = path.join(elsewhere, 'node_modules', name);
      if (existsSync(build) && existsSync(target))
        cpSync(build, path.join(target, 'build'), { recursive: true });
    }
    copyFileSync(path.join(import.meta.dirname, 'search-program.mjs'), path.join(elsewhere, 'search.mjs'));
  }, 180_000);
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

  it('holds nothing of this workspace and needs nothing of it', () => {
    const installed = readdirSync(path.join(elsewhere, 'node_modules', '@claude-mem'), {
      withFileTypes: true,
    });
    expect(installed.map(({ name }) => `@claude-mem/${name}`).toSorted()).toEqual(WORKSPACES.toSorted());
    expect(installed.every((entry) => entry.isDirectory() && !entry.isSymbolicLink())).toBe(true);
  });

  it('P015: says clearly that there is no memory yet, and makes none', async () => {
    const run = await search('limit', 'never');
    expect(run.exit).toBe(1);
    expect(run.stderr).toContain('search/no-memory');
    expect(existsSync(home.dataDir)).toBe(false);
  });

  it('P015: another program finds what the worker writes while it is open', async () => {
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
    for (const [index, subject] of ['lease', 'timeout', 'batch', 'backoff'].entries())
      await turn(index, subject);
    const run = await running;
    expect(run, run.stderr).toMatchObject({ exit: 0, stderr: '' });
    const said = linesOf(run);
    const end = said.pop() as { sessions: number; status: { observations: number } };
    const found = said as readonly Found[];
    for (const subject of ['retry', 'backoff'])
      expect(found.filter(({ title }) => title.includes(subject)).length, run.stdout).toBeGreaterThan(0);
    expect(new Set(found.map(({ project }) => project)).size).toBe(1);
    expect(end.sessions).toBe(5);
    expect(end.status.observations).toBeGreaterThanOrEqual(5);
  }, 120_000);

  it('P015: a program that forgets to close it ends all the same', async () => {
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

  it('P015: finds the same without a worker, and leaves every file as it was', async () => {
    await stopWorker(home);
    const before = snapshot(home.dataDir);
    const run = await search('backoff', 'src/backoff.ts');
    expect(run, run.stderr).toMatchObject({ exit: 0, stderr: '' });
    const after = snapshot(home.dataDir);
    expect(after.files).toEqual(before.files);
    expect(after.waiting).toBe(0);
  }, 60_000);
});

/** The content of every file but SQLite's two side files, which come with whoever reads, and the size of what waits in them. */
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
