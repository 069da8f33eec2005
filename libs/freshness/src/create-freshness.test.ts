import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObservationFreshness } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGit, type RunGit } from './git/create-git.js';
import { createFreshness } from './create-freshness.js';

let folder: string;
let stop: AbortController;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'freshness-')));
  mkdirSync(join(folder, 'demo'));
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  rmSync(folder, { recursive: true, force: true });
});

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd });

it('reads the commits of each worktree once when sessions alternate between two of them', async () => {
  const [main, tree] = [join(folder, 'demo'), join(folder, 'tree')];
  git(main, 'init', '-q', '-b', 'main');
  for (const text of ['one\n', 'two\n']) {
    writeFileSync(join(main, 'a.ts'), text);
    git(main, 'add', '-A');
    git(main, 'commit', '-q', '-m', text);
  }
  git(main, 'worktree', 'add', '-q', tree);
  const walks: string[] = [];
  const runGit = createGit({ searchPath: process.env['PATH'] ?? '', home: folder });
  const countingGit: RunGit = (folder, args, options) => {
    if (args[0] === 'diff-tree') walks.push(folder);
    return runGit(folder, args, options);
  };
  const stored: ObservationFreshness[] = [];
  const clock = createFixedClock();
  const blob = execFileSync('git', ['rev-parse', 'HEAD~1:a.ts'], { cwd: main, encoding: 'utf8' }).trim();
  const freshness = createFreshness({
    store: {
      listProjects: async () => [],
      listObservationFiles: async () => [
        { observationId: 1, head: null, files: [{ path: 'a.ts', role: 'read', blob }] },
      ],
      setFreshness: async (rows) => void stored.push(...rows),
      freshnessOf: async () => [],
    },
    git: countingGit,
    findProject: () => ({ project: null, root: null, isExcluded: false }),
    lastEventAt: () => 0,
    clock,
    log: { warn: vi.fn() },
    signal: stop.signal,
  });
  void freshness.run();
  for (const root of [main, tree, main, tree]) {
    freshness.wake(1, root);
    const count = stored.length;
    await vi.waitFor(async () => {
      await clock.advance(2_000);
      expect(stored.length).toBeGreaterThan(count);
    }, 20_000);
    expect(stored.at(-1)).toMatchObject({ checkout: root, freshness: { verdict: 'changed' } });
  }
  expect(walks).toEqual([main, tree]);
});
