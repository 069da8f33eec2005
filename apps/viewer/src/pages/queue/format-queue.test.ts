import type { HealthDetail, QueueItem } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { countByProject, observerPauseOf, titleOf } from './format-queue.js';

type Observer = HealthDetail['observer'];
type Provider = Observer['providers'][number];

const provider = (fields: Partial<Provider>): Provider => ({
  name: 'gemini',
  model: null,
  state: 'works',
  reason: null,
  sinceEpoch: null,
  untilEpoch: null,
  ...fields,
});
const pauseOf = (providers: Provider[], problem?: string) =>
  observerPauseOf({
    observer: {
      provider: 'gemini',
      model: null,
      running: 0,
      providers,
      ...(problem !== undefined && { problem }),
    },
  });
const BUDGET = 'The budget of 5 calls a day is used up (CLAUDE_MEM_BUDGET_DAY_CALLS).';

describe('observer pause', () => {
  it('is null when an observer works and there is no problem', () =>
    expect(pauseOf([provider({})])).toBeNull());

  it('has the budget as the reason, and ends when the first paused observer is available again', () =>
    expect(
      pauseOf(
        [
          provider({ state: 'aside', reason: BUDGET, untilEpoch: 900 }),
          provider({ name: 'claude', state: 'aside', reason: 'no credit', untilEpoch: 500 }),
        ],
        'Paused until later: …',
      ),
    ).toEqual({ isAll: true, reason: BUDGET, untilEpoch: 500, isBudget: true }));

  it('is partial when a fallback works', () =>
    expect(
      pauseOf(
        [provider({ state: 'aside', reason: BUDGET, untilEpoch: 900 }), provider({ name: 'local' })],
        'Why',
      ),
    ).toEqual({ isAll: false, reason: 'Why', untilEpoch: null, isBudget: false }));

  it('has the missing setting as reason when no observer is ready', () =>
    expect(pauseOf([], 'No key is set')).toEqual({
      isAll: true,
      reason: 'No key is set',
      untilEpoch: null,
      isBudget: false,
    }));
});

describe('description of a queued message', () => {
  const item = { kind: 'observation', toolName: 'Bash', promptNumber: 3 } as QueueItem;
  it('contains the tool or the end of a turn', () => {
    expect(titleOf(item)).toBe('Bash');
    expect(titleOf({ ...item, toolName: null })).toBe('Tool use');
    expect(titleOf({ ...item, kind: 'summarize' } as QueueItem)).toBe('End of turn 3');
  });

  it('contains the number of messages for each project, largest first', () =>
    expect(countByProject(['a', 'b', 'b'].map((project) => ({ project })))).toEqual([
      ['b', 2],
      ['a', 1],
    ]));
});
