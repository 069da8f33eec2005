import { expect, it } from 'vitest';
import { processorTime } from './processor-time.js';

it('counts work but not waiting', async () => {
  const waited = processorTime();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(waited()).toBeLessThan(400);
  const worked = processorTime();
  const end = worked() + 20;
  while (worked() < end);
  expect(worked()).toBeGreaterThanOrEqual(20);
});
