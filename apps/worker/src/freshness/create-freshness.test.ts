import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObservationFreshness } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGit, type RunGit } from '../git/create-git.js';
import { createTestHome, type TestHome } from '../testing/start-test-worker.js';
import { createFreshness } from './create-freshness.js';

let home: TestHome;
let stop: AbortController;
beforeEach(() => {
  home = createTestHome();
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  home[Symbol.dispose]();
});

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd });

it('reads the commits of each worktree once when sessions alternate between two of them', async () => {
  const [main, tree] = [home.project, join(home.root, 'tree')];
  git(main, 'init', '-q', '-b', 'main');
  for (const text of ['one\n', 'two\n']) {
    writeFileSync(join(main, 'a.ts'), text);
    git(main, 'add', '-A');
    git(main, 'commit', '-q', '-m', text);
  }
  git(main, 'worktree', 'add', '-q', tree);
  const walks: string[] = [];
  const runGit = createGit({ searchPath: process.env['PATH'] ?? '', home: home.home });
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
    log: { warn: vi.fn() } as never,
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
