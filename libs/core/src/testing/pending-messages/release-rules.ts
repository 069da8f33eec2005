import { expect, it } from 'vitest';
import { NOW, prompt, toolUse, type SuiteContext } from './suite-context.js';

export function releaseRules(context: SuiteContext): void {
  const seedAndClaim = async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3));
    const sessionId = first?.sessionId ?? 0;
    return { sessionId, ids: await context.claim(sessionId) };
  };

  it('without an error: back as it was, no attempt counted', async () => {
    const { sessionId, ids } = await seedAndClaim();
    await context.messages.release({ ids, availableAt: NOW });
    expect(await context.read(ids[0])).toMatchObject({
      status: 'pending',
      attempts: 0,
      lastError: null,
      claimedAtEpoch: null,
      availableAtEpoch: NOW,
    });
    expect(await context.claim(sessionId)).toEqual(ids);
  });

  it('with an error: counts an attempt and keeps the reason', async () => {
    const { ids } = await seedAndClaim();
    await context.messages.release({ ids, availableAt: NOW + 500, error: 'no reply' });
    expect(await context.read(ids[1])).toMatchObject({
      status: 'pending',
      attempts: 1,
      lastError: 'no reply',
      availableAtEpoch: NOW + 500,
    });
  });

  it('counts each failed attempt, and keeps the count when given back without one', async () => {
    const { sessionId, ids } = await seedAndClaim();
    await context.messages.release({ ids, availableAt: NOW, error: 'first' });
    await context.claim(sessionId);
    await context.messages.release({ ids, availableAt: NOW });
    await context.claim(sessionId);
    await context.messages.release({ ids, availableAt: NOW, error: 'second' });
    expect(await context.read(ids[0])).toMatchObject({ attempts: 2, lastError: 'second' });
  });

  it('takes a part of a claim; the rest stays claimed', async () => {
    const { sessionId, ids } = await seedAndClaim();
    await context.messages.release({ ids: ids.slice(1), availableAt: NOW });
    expect(await context.read(ids[0])).toMatchObject({ status: 'processing' });
    expect(await context.claim(sessionId)).toEqual([]);
  });

  it('leaves messages alone that are not claimed', async () => {
    const { ids } = await seedAndClaim();
    await context.messages.release({ ids, availableAt: NOW, error: 'once' });
    await context.messages.release({ ids: [...ids, 987_654], availableAt: NOW + 900, error: 'twice' });
    expect(await context.read(ids[0])).toMatchObject({
      attempts: 1,
      lastError: 'once',
      availableAtEpoch: NOW,
    });
  });
}
