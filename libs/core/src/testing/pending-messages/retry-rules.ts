import { expect, it } from 'vitest';
import { NOW, prompt, toolUse, type SuiteContext } from './suite-context.js';

export function retryRules(context: SuiteContext): void {
  const seedParked = async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3), toolUse('a', 4));
    const sessionId = first?.sessionId ?? 0;
    const ids = await context.claim(sessionId, { maxCount: 2 });
    await context.messages.park({ ids, error: 'rejected' });
    return { sessionId, ids };
  };

  it('B016: puts named parked messages back with no attempts, in their old place', async () => {
    const { sessionId, ids } = await seedParked();
    expect(await context.messages.retry({ ids: ids.slice(0, 1) }, NOW + 50)).toBe(1);
    expect(await context.read(ids[0])).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await context.read(ids[1])).toMatchObject({ status: 'parked' });
    expect((await context.claim(sessionId, { now: NOW + 50 }))[0]).toBe(ids[0]);
  });

  it('puts all parked messages back', async () => {
    const { ids } = await seedParked();
    expect(await context.messages.retry({ status: 'parked' }, NOW)).toBe(ids.length);
    expect(await context.messages.counts()).toMatchObject({ pending: 3, parked: 0 });
  });

  it('leaves messages alone that are not parked', async () => {
    const { sessionId } = await seedParked();
    const claimed = await context.claim(sessionId);
    expect(await context.messages.retry({ ids: [...claimed, 987_654] }, NOW)).toBe(0);
    expect(await context.read(claimed[0])).toMatchObject({ status: 'processing' });
    expect(await context.messages.retry({ ids: [] }, NOW)).toBe(0);
  });
}
