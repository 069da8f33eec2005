import type { FeedItem } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { turnsOf } from './turns.js';

const record = (kind: FeedItem['kind'], promptNumber: number, id: number) =>
  ({ kind, project: 'shop', host: 'claude-code', item: { id, promptNumber } }) as FeedItem;

describe('turnsOf', () => {
  it('groups records by prompt when the observer stored them later', () => {
    const turns = turnsOf(
      [
        record('observation', 0, 1),
        record('prompt', 1, 1),
        record('prompt', 2, 2),
        record('observation', 1, 2),
        record('observation', 2, 3),
        record('summary', 1, 1),
        record('observation', 1, 4),
      ],
      'oldest',
    );
    expect(
      turns.map(({ number, prompt, observations, summaries }) => [
        number,
        prompt?.id ?? null,
        observations.map(({ item }) => item.id),
        summaries.map(({ item }) => item.id),
      ]),
    ).toEqual([
      [0, null, [1], []],
      [1, 1, [2, 4], [1]],
      [2, 2, [3], []],
    ]);
  });

  it('returns the newest turn first with its oldest record first when the order is newest', () => {
    const turns = turnsOf(
      [
        record('observation', 2, 9),
        record('observation', 2, 8),
        record('prompt', 2, 2),
        record('prompt', 1, 1),
      ],
      'newest',
    );
    expect(
      turns.map(({ number, observations }) => [number, observations.map(({ item }) => item.id)]),
    ).toEqual([
      [2, [8, 9]],
      [1, []],
    ]);
  });
});
