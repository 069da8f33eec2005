import { expect, it } from 'vitest';
import { NOW, prompt, toolUse, type SuiteContext } from './suite-context.js';

export function recoverClaimsRules(context: SuiteContext): void {
  const seedAndClaim = async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3));
    const sessionId = first?.sessionId ?? 0;
    return { sessionId, ids: await context.claim(sessionId) };
  };

  it('B009: gives claims of a dead owner back, each with one attempt more', async () => {
    const { sessionId, ids } = await seedAndClaim();
    const request = { claimedBefore: NOW, now: NOW + 10, parkAfter: 3 };
    expect(await context.messages.recoverClaims(request)).toBe(2);
    expect(await context.messages.list()).toMatchObject(
      ids.map((id) => ({ id, status: 'pending', attempts: 1, claimedAtEpoch: null })),
    );
    expect(await context.claim(sessionId, { now: NOW + 10 })).toEqual(ids);
  });

  it('leaves newer claims and waiting messages alone', async () => {
    const { ids } = await seedAndClaim();
    await context.seed(prompt('b', 4), toolUse('b', 5));
    const before = await context.messages.list();
    expect(
      await context.messages.recoverClaims({ claimedBefore: NOW - 1, now: NOW + 10, parkAfter: 3 }),
    ).toBe(0);
    expect(await context.messages.list()).toEqual(before);
    expect(await context.read(ids[0])).toMatchObject({ status: 'processing' });
  });

  it('finds claims with a time in the future when requested', async () => {
    await seedAndClaim();
    const request = { claimedBefore: Number.MAX_SAFE_INTEGER, now: 5, parkAfter: 3 };
    expect(await context.messages.recoverClaims(request)).toBe(2);
  });

  it('parks a message whose attempts reach parkAfter, and says why', async () => {
    const { sessionId, ids } = await seedAndClaim();
    const request = { claimedBefore: NOW, now: NOW, parkAfter: 2 };
    await context.messages.recoverClaims(request);
    expect(await context.claim(sessionId)).toEqual(ids);
    expect(await context.messages.recoverClaims(request)).toBe(2);
    const parked = await context.messages.list({ status: 'parked' });
    expect(parked).toMatchObject(ids.map((id) => ({ id, attempts: 2, claimedAtEpoch: null })));
    expect(parked[0]?.lastError).toBeTruthy();
  });
}
