import { expect, it } from 'vitest';
import { renderHoldout } from './render-holdout.js';

const group = (sessions: number) => ({
  sessions,
  totals: { turns: 60, repeatedReads: 8, failedCommands: 12 },
});
const none = { mean: 0, from: -1, to: 1 };

it('prints only counts when a group is too small', () => {
  const text = renderHoldout({ withInjections: group(19), withoutInjections: group(3), differences: null });
  expect(text).toMatch(/^sessions +19 +3$/m);
  expect(text).toMatch(/^turns +60 +60$/m);
  expect(text).toContain('Not compared: each group needs at least 20 sessions.');
  expect(text).not.toContain('difference');
});

it('prints the differences with their intervals when the groups are large enough', () => {
  const differences = {
    turns: { mean: -0.5, from: -1.25, to: 0.25 },
    repeatedReads: none,
    failedCommands: none,
  };
  const text = renderHoldout({ withInjections: group(40), withoutInjections: group(20), differences });
  expect(text).toMatch(/^turns +60 +60 +-0\.50 \(-1\.25 to 0\.25\)$/m);
  expect(text).toContain('An interval that contains 0 shows no difference.');
});
