import { expect, it } from 'vitest';
import { prompt, toolUse, type SuiteContext } from './suite-context.js';

export function listRules(context: SuiteContext): void {
  it('is empty at first', async () => {
    expect(await context.messages.list()).toEqual([]);
    expect(await context.messages.counts()).toEqual({
      pending: 0,
      processing: 0,
      parked: 0,
      orphans: 0,
      oldestPendingEpoch: null,
    });
  });

  it('counts by status and names the oldest that waits', async () => {
    const events = await context.seed(
      prompt('a', 1),
      toolUse('a', 2),
      toolUse('a', 3),
      prompt('b', 4),
      toolUse('b', 5),
      prompt('c', 6),
      toolUse('c', 7),
      toolUse('c', 8),
    );
    await context.claim(events[0]?.sessionId ?? 0);
    await context.messages.park({ ids: await context.claim(events[3]?.sessionId ?? 0), error: 'rejected' });
    expect(await context.messages.counts()).toEqual({
      pending: 2,
      processing: 2,
      parked: 1,
      orphans: 0,
      oldestPendingEpoch: 7,
    });
    const ofSession = (index: number) =>
      context.messages.counts({ sessionId: events[index]?.sessionId ?? 0 });
    expect(await ofSession(0)).toMatchObject({ pending: 0, processing: 2, parked: 0 });
    expect(await ofSession(3)).toMatchObject({ pending: 0, parked: 1, oldestPendingEpoch: null });
    expect(await ofSession(5)).toMatchObject({ pending: 2, processing: 0, oldestPendingEpoch: 7 });
    expect(await context.messages.counts({ sessionId: 987_654 })).toMatchObject({ pending: 0, parked: 0 });
  });

  it('lists by id, filtered by status and session, page by page', async () => {
    const events = await context.seed(
      prompt('a', 1),
      toolUse('a', 2),
      prompt('b', 3),
      toolUse('b', 4),
      toolUse('a', 5),
      toolUse('b', 6),
    );
    const [a, b] = [events[0]?.sessionId ?? 0, events[2]?.sessionId ?? 0];
    const ids = async (options?: Parameters<typeof context.messages.list>[0]) =>
      (await context.messages.list(options)).map(({ id }) => id);
    const all = await ids();
    expect(all).toHaveLength(4);
    expect(all).toEqual([...all].sort((x, y) => x - y));
    expect(await ids({ sessionId: a })).toEqual([all[0], all[2]]);
    expect(await ids({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await ids({ limit: 2, afterId: all[1] ?? 0 })).toEqual(all.slice(2));
    await context.claim(b);
    expect(await ids({ status: 'processing' })).toEqual([all[1], all[3]]);
    expect(await ids({ status: 'pending', sessionId: b })).toEqual([]);
  });

  it('gives 100 when no limit is given', async () => {
    await context.seed(prompt('a', 1), ...Array.from({ length: 120 }, (_, index) => toolUse('a', 2 + index)));
    expect(await context.messages.list()).toHaveLength(100);
    expect(await context.messages.list({ limit: 500 })).toHaveLength(120);
  });
}
