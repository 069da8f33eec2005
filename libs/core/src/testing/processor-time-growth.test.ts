import { expect, it } from 'vitest';
import { LINEAR_GROWTH, processorTimeGrowth } from './processor-time-growth.js';

let total = 0;
const work = (steps: number) => {
  for (let step = 0; step < steps; step += 1) total += Math.sqrt(step);
  return total;
};

it('processorTimeGrowth is below the limit when the work is linear', () => {
  expect(processorTimeGrowth((length) => work(length * 1_000), 3_000)).toBeLessThan(LINEAR_GROWTH);
});

it('processorTimeGrowth is above the limit when the work is quadratic', () => {
  expect(processorTimeGrowth((length) => work(length * length), 20_000)).toBeGreaterThan(LINEAR_GROWTH);
});
