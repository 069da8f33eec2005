import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '@claude-mem/settings';
import { openStorage } from '@claude-mem/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProgramHome, type ProgramHome } from '../testing/run-inside.js';

let home: ProgramHome;
beforeEach(() => void (home = createProgramHome()));
afterEach(() => home[Symbol.asyncDispose]());

const NOTHING = 'No record is known to be outdated.\n';

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: home.project,
    encoding: 'utf8',
  });

/** Stores a record of a file of the project before the worker starts. */
async function record(path: string) {
  const { database: file, backupsDir } = dataPaths(home.dataDir);
  await using storage = await openStorage({ file, backupsDir });
  const blob = git('hash-object', path).trim();
  await storage.store.importRecords(
    [
      {
        ...{ uid: 'u-1', project: { key: home.project, name: 'demo' }, session: 's-1', promptNumber: 1 },
        ...{ createdAtEpoch: Date.UTC(2026, 0, 1), type: 'change', title: 'Cart totals', subtitle: null },
        ...{ narrative: null, facts: [], concepts: [], filesRead: [], filesModified: [path] },
        fileStates: [{ path, role: 'modified', blob }],
      },
    ],
    { now: Date.UTC(2026, 0, 1) },
  );
}

it('lists a record as lines and as JSON when its file was deleted', async () => {
  git('init', '-q', '-b', 'main');
  writeFileSync(join(home.project, 'cart.ts'), 'total\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  await record('cart.ts');
  rmSync(join(home.project, 'cart.ts'));
  git('commit', '-q', '-a', '-m', 'Delete');
  expect((await home.run('start')).exit).toBe(0);
  await expect.poll(async () => (await home.run('stale')).stdout, { timeout: 30_000 }).not.toBe(NOTHING);
  expect(await home.run('stale')).toEqual({
    exit: 0,
    stdout: '#1  Cart totals\n      cart.ts: deleted\n',
    stderr: '',
  });
  const json = JSON.parse((await home.run('stale', '--project', '.', '--json')).stdout);
  expect(json).toEqual({
    items: [
      {
        ...{ id: 1, project: 'demo', type: 'change', title: 'Cart totals' },
        ...{ verdict: 'gone', fileCount: 1, staleCount: 1, branch: null },
        files: [{ path: 'cart.ts', verdict: 'gone', commits: null, movedTo: null }],
      },
    ],
  });
  expect((await home.run('show', '1')).stdout).toContain('file deleted');
  expect((await home.run('search', 'totals')).stdout).toContain('(file deleted) Cart totals');
  expect((await home.run('stale', '--project', 'other')).exit).not.toBe(0);
}, 60_000);
