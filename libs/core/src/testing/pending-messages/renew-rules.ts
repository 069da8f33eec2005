import { expect, it } from 'vitest';
import { NOW, prompt, toolUse, type SuiteContext } from './suite-context.js';

export function renewRules(context: SuiteContext): void {
  it('moves the start of the lease, so that it is not recovered', async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3));
    const ids = await context.claim(first?.sessionId ?? 0);
    await context.messages.renew({ ids, now: NOW + 100 });
    expect(await context.read(ids[1])).toMatchObject({ status: 'processing', claimedAtEpoch: NOW + 100 });
    const request = { now: NOW + 200, parkAfter: 3 };
    expect(await context.messages.recoverClaims({ ...request, claimedBefore: NOW + 99 })).toBe(0);
    expect(await context.messages.recoverClaims({ ...request, claimedBefore: NOW + 100 })).toBe(2);
  });

  it('leaves messages alone that are not claimed', async () => {
    await context.seed(prompt('a', 1), toolUse('a', 2));
    const before = await context.messages.list();
    await context.messages.renew({ ids: [...before.map(({ id }) => id), 987_654], now: NOW });
    expect(await context.messages.list()).toEqual(before);
  });
}
