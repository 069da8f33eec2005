import { expect, it } from 'vitest';
import { processorTime } from './processor-time.js';
import { LINEAR_GROWTH, processorTimeGrowth } from './processor-time-growth.js';

/** Uses a given processor time on a machine of any speed. */
function spin(ms: number): void {
  const spent = processorTime();
  while (spent() < ms);
}

it('processorTimeGrowth is below the limit when the work is linear', () => {
  expect(processorTimeGrowth((length) => spin(length), 160)).toBeLessThan(LINEAR_GROWTH);
});

it('processorTimeGrowth is above the limit when the work is quadratic', () => {
  expect(processorTimeGrowth((length) => spin(length ** 2), 21)).toBeGreaterThan(LINEAR_GROWTH);
});
