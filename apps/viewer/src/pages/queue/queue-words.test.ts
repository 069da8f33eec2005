import type { HealthDetail, QueueItem } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { countByProject, heldBackOf, titleOf } from './queue-words.js';

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
const held = (providers: Provider[], problem?: string) =>
  heldBackOf({
    observer: {
      provider: 'gemini',
      model: null,
      running: 0,
      providers,
      ...(problem !== undefined && { problem }),
    },
  });
const BUDGET = 'The budget of 5 calls a day is used up (CLAUDE_MEM_BUDGET_DAY_CALLS).';

describe('what holds the queue back', () => {
  it('is nothing where somebody works and nothing is wrong', () => expect(held([provider({})])).toBeNull());

  it('is the budget, until the first of those set aside is asked again', () =>
    expect(
      held(
        [
          provider({ state: 'aside', reason: BUDGET, untilEpoch: 900 }),
          provider({ name: 'claude', state: 'aside', reason: 'no credit', untilEpoch: 500 }),
        ],
        'Set aside until later: …',
      ),
    ).toEqual({ isAll: true, reason: BUDGET, untilEpoch: 500, isBudget: true }));

  it('is only a part where another stands in', () =>
    expect(
      held(
        [provider({ state: 'aside', reason: BUDGET, untilEpoch: 900 }), provider({ name: 'local' })],
        'Why',
      ),
    ).toEqual({ isAll: false, reason: 'Why', untilEpoch: null, isBudget: false }));

  it('is what is missing where nobody is ready', () =>
    expect(held([], 'No key is set')).toEqual({
      isAll: true,
      reason: 'No key is set',
      untilEpoch: null,
      isBudget: false,
    }));
});

describe('a message in words', () => {
  const item = { kind: 'observation', toolName: 'Bash', promptNumber: 3 } as QueueItem;
  it('is its tool, or the end of a turn', () => {
    expect(titleOf(item)).toBe('Bash');
    expect(titleOf({ ...item, toolName: null })).toBe('Tool use');
    expect(titleOf({ ...item, kind: 'summarize' } as QueueItem)).toBe('End of turn 3');
  });

  it('is counted by project, most first', () =>
    expect(countByProject(['a', 'b', 'b'].map((project) => ({ project })))).toEqual([
      ['b', 2],
      ['a', 1],
    ]));
});
