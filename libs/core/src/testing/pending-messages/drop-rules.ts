import { expect, it } from 'vitest';
import { NOW, prompt, toolUse, type SuiteContext } from './suite-context.js';

export function dropRules(context: SuiteContext): void {
  const request = { now: NOW, reason: 'asked to' };

  it('deletes named messages that wait or are parked', async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3), toolUse('a', 4));
    const parked = await context.claim(first?.sessionId ?? 0, { maxCount: 1 });
    await context.messages.park({ ids: parked, error: 'rejected' });
    const all = (await context.messages.list()).map(({ id }) => id);
    expect(await context.messages.drop({ ids: all.slice(0, 2) }, request)).toBe(2);
    expect((await context.messages.list()).map(({ id }) => id)).toEqual(all.slice(2));
    expect(await context.messages.drop({ ids: all.slice(0, 2) }, request)).toBe(0);
  });

  it('deletes all parked messages and nothing else', async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2), toolUse('a', 3));
    const parked = await context.claim(first?.sessionId ?? 0, { maxCount: 1 });
    await context.messages.park({ ids: parked, error: 'rejected' });
    expect(await context.messages.drop({ status: 'parked' }, request)).toBe(1);
    expect(await context.messages.counts()).toMatchObject({ pending: 1, parked: 0 });
  });

  it('leaves claimed messages alone', async () => {
    const [first] = await context.seed(prompt('a', 1), toolUse('a', 2));
    const ids = await context.claim(first?.sessionId ?? 0);
    expect(await context.messages.drop({ ids: [...ids, 987_654] }, request)).toBe(0);
    expect(await context.read(ids[0])).toMatchObject({ status: 'processing' });
  });
}
