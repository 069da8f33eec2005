import type { IndexState } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CommandContext } from './command.js';
import { formatIndexState, waitForIndexes } from './wait-for-indexes.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits while `perRequest` of 1,000 vectors are added at each request. */
async function wait(part: 'words' | 'all', perRequest: number) {
  const messages: string[] = [];
  let waiting = 1_000;
  const indexState = async (): Promise<IndexState> => {
    waiting = Math.max(0, waiting - perRequest);
    return {
      words: { indexed: 20, total: 20 },
      vectors: { index: 'flat', model: 'm', waiting, failed: 0, problem: null },
      isDone: waiting === 0,
    };
  };
  const context = {
    worker: { client: { indexState } },
    terminal: { warn: (line: string) => void messages.push(line) },
  } as unknown as Pick<CommandContext, 'worker' | 'terminal'>;
  const waited = waitForIndexes(context, part);
  await vi.runAllTimersAsync();
  return { isComplete: await waited, messages, waiting };
}

it('does not wait for vectors when only the inverted index is requested', async () => {
  expect(await wait('words', 1)).toEqual({ isComplete: true, messages: [], waiting: 999 });
});

it('reports the progress after each tenth when the vectors are slow', async () => {
  const { isComplete, messages } = await wait('all', 1);
  expect(isComplete).toBe(true);
  expect(messages.length).toBeGreaterThan(7);
  expect(messages.length).toBeLessThanOrEqual(11);
  expect(messages[0]).toMatch(/^20 of 20 records in the inverted index; \d+ observations wait/);
});

it('reports nothing when the vectors are added quickly', async () => {
  expect((await wait('all', 200)).messages).toEqual([]);
});

it.each([
  [0, 'no vectors missing'],
  [1, '1 observation waits for its vector'],
  [2, '2 observations wait for their vectors'],
])('formats the state when %i vectors are missing', (waiting, text) => {
  const vectors = { index: 'flat', model: 'm', waiting, failed: 0, problem: null } as const;
  const state = { words: { indexed: 2, total: 2 }, vectors, isDone: waiting === 0 };
  expect(formatIndexState(state)).toBe(`2 of 2 records in the inverted index; ${text}`);
});
