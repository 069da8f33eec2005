import type { IndexState } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CommandContext } from './command.js';
import { textOfIndexes, waitForIndexes } from './wait-for-indexes.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What a wait says and ends with while vectors come in, `perLook` of 1,000 at each look. */
async function wait(part: 'words' | 'all', perLook: number) {
  const said: string[] = [];
  let waiting = 1_000;
  const indexState = async (): Promise<IndexState> => {
    waiting = Math.max(0, waiting - perLook);
    return {
      words: { indexed: 20, total: 20 },
      vectors: { index: 'flat', model: 'm', waiting, failed: 0, problem: null },
      isDone: waiting === 0,
    };
  };
  const context = {
    worker: { client: { indexState } },
    terminal: { complain: (line: string) => void said.push(line) },
  } as unknown as Pick<CommandContext, 'worker' | 'terminal'>;
  const waited = waitForIndexes(context, part);
  await vi.runAllTimersAsync();
  return { isComplete: await waited, said, waiting };
}

it('does not wait for vectors where only words were asked for', async () => {
  expect(await wait('words', 1)).toEqual({ isComplete: true, said: [], waiting: 999 });
});

it('says how far it is with each tenth, however long that takes', async () => {
  const { isComplete, said } = await wait('all', 1);
  expect(isComplete).toBe(true);
  expect(said.length).toBeGreaterThan(7);
  expect(said.length).toBeLessThanOrEqual(11);
  expect(said[0]).toMatch(/^20 of 20 records in the inverted index; \d+ observations wait/);
});

it('says nothing of what is soon done', async () => {
  expect((await wait('all', 200)).said).toEqual([]);
});

it.each([
  [0, 'no vectors missing'],
  [1, '1 observation waits for its vector'],
  [2, '2 observations wait for their vectors'],
])('says that %i vectors are missing', (waiting, text) => {
  const vectors = { index: 'flat', model: 'm', waiting, failed: 0, problem: null } as const;
  const state = { words: { indexed: 2, total: 2 }, vectors, isDone: waiting === 0 };
  expect(textOfIndexes(state)).toBe(`2 of 2 records in the inverted index; ${text}`);
});
