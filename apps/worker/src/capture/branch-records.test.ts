import { execFileSync } from 'node:child_process';
import type { Observation, Store } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import type { Memory } from '@claude-mem/search';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';
import { createBranchRecords, type BranchRecords } from './create-branch-records.js';

let worker: TestWorker;
beforeAll(async () => {
  worker = await startTestWorker();
  git('init', '-q', '-b', 'main');
}, 60_000);
afterAll(() => worker[Symbol.asyncDispose]());

const git = (...args: string[]) => execFileSync('git', args, { cwd: worker.home.project, stdio: 'pipe' });

async function work(session: string, closing: string) {
  const hook = (event: string, fields: object) =>
    worker.hook(event, { session_id: session, cwd: worker.home.project, ...fields });
  const file = `${worker.home.project}/src/${session}.ts`;
  await hook('UserPromptSubmit', { prompt: `Look at ${session}` });
  await hook('PostToolUse', {
    tool_name: 'Edit',
    tool_use_id: `edit-${session}`,
    tool_input: { file_path: file, old_string: 'a', new_string: 'b' },
    tool_response: { filePath: file, success: true },
  });
  await hook('Stop', { last_assistant_message: closing });
}

async function preview() {
  const search = new URLSearchParams({ cwd: worker.home.project });
  return ((await worker.ask({ path: `/api/context?${search}` })).json as { text: string }).text;
}

it('a session on a branch begins with what is known of the matter that the branch is named for', async () => {
  await work('tariffs', 'Tariffs are rounded after the currency is known.');
  for (let index = 0; index < 12; index += 1)
    await work(`page${index}`, `Page ${index} of the catalogue loads its images late.`);
  await worker.drained();
  expect(await preview()).not.toContain('## About the branch');
  git('symbolic-ref', 'HEAD', 'refs/heads/ada/round-tariffs');
  await until(async () => (await preview()).includes('## About the branch'));
  const [, about = ''] = /## About the branch[^\n]*\n(.*?)\n## /s.exec(await preview()) ?? [];
  expect(about).toContain('Tariffs are rounded');
  expect(about).not.toContain('catalogue');
}, 60_000);

it('waits a moment for a memory that is slow, and asks it once', async () => {
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
  await until(async () => {
    await clock.advance(30);
    return found !== null;
  });
  expect(found).toEqual([]);
  expect(opened).toBe(1);
});

it('opens a memory only when the session that would need it has its answer', async () => {
  const clock = createFixedClock(0);
  let opened = 0;
  const records = recordsWith({
    clock,
    isOpen: () => opened > 0,
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
  await until(async () => (await records()).length === 1);
  expect(opened).toBe(1);
});

it('goes without when the memory cannot be asked', async () => {
  expect(await recordsWith({ memory: () => Promise.reject(new Error('damaged')) })()).toEqual([]);
});

it('gives what was found lately at once, and nothing of it that was forgotten since', async () => {
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
  isOpen = () => true,
  clock = createFixedClock(0),
  observationsByIds = async () => [],
}: {
  memory(this: void): Promise<Pick<Memory, 'search'>>;
  isOpen?: () => boolean;
  clock?: ReturnType<typeof createFixedClock>;
  observationsByIds?: Store['observationsByIds'];
}): () => ReturnType<BranchRecords> {
  git('symbolic-ref', 'HEAD', 'refs/heads/ada/round-tariffs');
  const records = createBranchRecords({ memory, isOpen, store: { observationsByIds }, clock });
  return () => records(worker.home.project, 'shop');
}
