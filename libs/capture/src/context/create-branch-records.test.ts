import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Observation, Store } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import type { Memory } from '@claude-mem/search';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createBranchRecords, type BranchRecords } from './create-branch-records.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'branch-'));
  git('init', '-q', '-b', 'main');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });

it('waits 30 ms when the memory opens slowly, and opens it only once', async () => {
  const clock = createFixedClock(0);
  let isOver = false;
  let opened = 0;
  const records = recordsWith({
    clock,
    memory() {
      opened += 1;
      return new Promise(() => undefined);
    },
  });
  const first = records().then((found) => {
    isOver = true;
    return found;
  });
  while (opened === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await clock.advance(29);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(await first).toEqual([]);
  let found: readonly Observation[] | null = null;
  void records().then((second) => (found = second));
  await vi.waitUntil(async () => {
    await clock.advance(30);
    return found !== null;
  });
  expect(found).toEqual([]);
  expect(opened).toBe(1);
});

it('opens a closed memory only after the session has its response', async () => {
  const clock = createFixedClock(0);
  let opened = 0;
  const records = recordsWith({
    clock,
    isMemoryOpen: () => opened > 0,
    async memory() {
      opened += 1;
      return memoryOf(7);
    },
    observationsByIds: async (ids) => ids.map((id) => ({ id }) as Observation),
  });
  expect(await records()).toEqual([]);
  expect(await records()).toEqual([]);
  await clock.advance(400);
  expect(opened).toBe(0);
  await clock.advance(200);
  await vi.waitUntil(async () => (await records()).length === 1);
  expect(opened).toBe(1);
});

it('returns no records when the memory cannot be opened', async () => {
  expect(await recordsWith({ memory: () => Promise.reject(new Error('damaged')) })()).toEqual([]);
});

it('returns the latest records immediately, without records that were deleted since', async () => {
  const clock = createFixedClock(0);
  const memory = memoryOf(7);
  const kept = new Set([7]);
  let isAway = false;
  const records = recordsWith({
    clock,
    memory: () => (isAway ? new Promise(() => undefined) : Promise.resolve(memory)),
    observationsByIds: async (ids) => ids.filter((id) => kept.has(id)).map((id) => ({ id }) as Observation),
  });
  expect(await records()).toEqual([{ id: 7 }]);
  isAway = true;
  expect(await records()).toEqual([{ id: 7 }]);
  kept.clear();
  expect(await records()).toEqual([]);
});

function memoryOf(id: number): Pick<Memory, 'search'> {
  const words = [{ term: 'tariff', share: 1, rareness: 1, concentration: 1 }];
  const item = { id, supersededBy: null } as Observation;
  return {
    search: async () => ({
      items: [{ item, project: 'shop', host: 'cursor', score: 1, evidence: { words } }],
      strategy: 'lexical',
      degraded: [],
      hasMore: false,
    }),
  };
}

function recordsWith({
  memory,
  isMemoryOpen = () => true,
  clock = createFixedClock(0),
  observationsByIds = async () => [],
}: {
  memory(this: void): Promise<Pick<Memory, 'search'>>;
  isMemoryOpen?: () => boolean;
  clock?: ReturnType<typeof createFixedClock>;
  observationsByIds?: Store['observationsByIds'];
}): () => ReturnType<BranchRecords> {
  git('symbolic-ref', 'HEAD', 'refs/heads/ada/round-tariffs');
  const records = createBranchRecords({ memory, isMemoryOpen, store: { observationsByIds }, clock });
  return () => records(root, 'shop');
}
