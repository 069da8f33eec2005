import { expect, it } from 'vitest';
import { measureDecisions } from './measure-decisions.js';

const { decisions, others } = await measureDecisions();
const mean = (figures: readonly number[]) => figures.reduce((sum, one) => sum + one, 0) / figures.length;

it('injects more than 70 % of the rule words that a conversation contains', () => {
  const injected = mean(decisions.map((one) => one.injected));
  expect(injected / mean(decisions.map((one) => one.possible))).toBeGreaterThan(0.7);
});

it('creates a record for at least 85 % of the decisions and for at most 15 % of the other conversations', () => {
  expect(decisions.filter(({ hasRecord }) => hasRecord).length / decisions.length).toBeGreaterThanOrEqual(
    0.85,
  );
  expect(others.filter(Boolean).length / others.length).toBeLessThanOrEqual(0.15);
});
