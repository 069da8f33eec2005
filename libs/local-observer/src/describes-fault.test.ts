import type { ObservedToolUse } from '@claude-mem/core';
import { createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const path = '/home/dev/shop/src/cart.ts';
const EDIT: Partial<ObservedToolUse> = {
  toolName: 'Edit',
  input: {
    file_path: path,
    old_string: 'total * percent',
    new_string: 'Math.round((total * percent) / 100)',
  },
  response: { filePath: path },
};

describe('closing messages with a fault and a fix', () => {
  const fix = (closing: string) =>
    observeTurn(
      createObserverBatch({
        prompt: 'The discount is wrong, please fix it',
        toolUses: [EDIT],
        closing,
      }),
    );

  it.each([
    [
      '`applyDiscount` in `src/cart.ts` multiplied by the percent instead of dividing. It now divides by 100.',
      'applyDiscount now divides by 100',
    ],
    [
      '`applyDiscount` multiplied by the percent. It now divides by 100 and the tests pass.',
      'applyDiscount now divides by 100',
    ],
    [
      'The discount ignored the percent. Now it divides by 100 and rounds to cents.',
      'cart.ts now divides by 100 and rounds to cents',
    ],
    [
      'The bug was that `applyDiscount` took the percent as a factor. I fixed it by dividing by 100.',
      'Fixed applyDiscount by dividing by 100',
    ],
    ['`applyDiscount` was rounding down; it now rounds half up.', 'applyDiscount now rounds half up'],
    ['`applyDiscount` was rounding down, now rounds half up.', 'applyDiscount now rounds half up'],
    [
      'The root cause: `applyDiscount` treated 10 as 1000 %. The function now divides by 100.',
      'The function now divides by 100',
    ],
    [
      '`applyDiscount` hat den Prozentsatz multipliziert. Jetzt teilt sie durch 100.',
      'Jetzt teilt sie durch 100',
    ],
    [
      'Fixed: `applyDiscount` multiplied by the percent instead of dividing by 100.',
      'Fixed: applyDiscount multiplied by the percent instead of dividing',
    ],
  ])('uses the fix as title: %s', (closing, title) => {
    const { observations, summary } = fix(closing);
    expect(observations.map((record) => record.title)).toEqual([title]);
    expect(summary?.completed?.startsWith(`${title}. `)).toBe(true);
  });

  it('reports no fix when the agent reports none', () => {
    const { observations, summary } = fix('`applyDiscount` multiplied by the percent instead of dividing.');
    expect(observations[0]?.title).not.toMatch(/^Fixed|multiplied/);
    expect(summary?.completed).not.toContain('multiplied');
    expect(observations[0]?.narrative).toContain('multiplied by the percent');
  });

  it.each([
    ['We decided to keep prices in cents because floats drift.', 'keep prices in cents because floats drift'],
    ['Decision: prices stay in cents because floats drift.', 'prices stay in cents because floats drift'],
    ['I chose cents over floats because floats drift.', 'cents over floats because floats drift'],
    [
      'Wir haben entschieden, Preise in Cent zu halten, weil sonst Cents fehlen.',
      'Preise in Cent zu halten, weil sonst Cents fehlen',
    ],
  ])('creates a second record for a decision: %s', (sentence, title) => {
    const [change, decision, ...others] = fix(
      `\`applyDiscount\` multiplied by the percent. It now divides by 100. ${sentence}`,
    ).observations;
    expect(change?.title).toBe('applyDiscount now divides by 100');
    expect(decision).toMatchObject({ type: 'decision', title: `According to the agent: ${title}` });
    expect(decision?.narrative).toMatch(/^According to the agent, it was decided: /);
    expect(others).toEqual([]);
  });

  it('creates no record when a decision has no reason', () => {
    const types = fix('Decided to start with the cart. `applyDiscount` now divides by 100.').observations.map(
      ({ type }) => type,
    );
    expect(types).toEqual(['bugfix']);
  });
});
