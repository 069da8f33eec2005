import { expect, it } from 'vitest';
import { NOW, prompt, toolUse, type SuiteContext } from './suite-context.js';

export function parkRules(context: SuiteContext): void {
  it('parks claimed messages with the reason and counts the attempt', async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3));
    const sessionId = first?.sessionId ?? 0;
    const ids = await context.claim(sessionId, { maxCount: 1 });
    await context.messages.park({ ids, error: 'rejected' });
    expect(await context.messages.list({ status: 'parked' })).toMatchObject([
      { id: ids[0], status: 'parked', attempts: 1, lastError: 'rejected', claimedAtEpoch: null },
    ]);
    expect(await context.claim(sessionId, { now: NOW + 1e9 })).not.toContain(ids[0]);
  });

  it('leaves messages alone that are not claimed', async () => {
    await context.seed(prompt('a', 1), toolUse('a', 2));
    const before = await context.messages.list();
    await context.messages.park({ ids: [...before.map(({ id }) => id), 987_654], error: 'rejected' });
    expect(await context.messages.list()).toEqual(before);
  });
}
