import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const HOST = { host: 'claude-code' } as const;

/** Captures a session with two prompts that began with this holdout share. */
async function begin(session: string, holdoutShare: number): Promise<number> {
  const events = createEvents(session);
  const [first] = await test.storage.store.capture([
    { ...events.prompt('Go'), holdoutShare },
    { ...events.prompt('Go on'), holdoutShare: 0.5 },
    events.end(),
  ]);
  return first?.sessionId ?? 0;
}

describe('holdout', () => {
  it('keeps the share that was set when the session began', async () => {
    const { store } = test.storage;
    await begin('begun', 0.2);
    expect(await store.holdoutShare({ ...HOST, contentSessionId: 'begun' })).toBe(0.2);
    expect(await store.holdoutShare({ ...HOST, contentSessionId: 'unknown' })).toBeNull();
  });

  it('lists ended sessions that began while the holdout was on', async () => {
    const { store } = test.storage;
    await begin('off', 0);
    const sessionId = await begin('on', 0.2);
    await store.capture([{ ...createEvents('active').prompt('Go'), holdoutShare: 0.2 }]);
    expect(await store.holdoutSessions({})).toEqual([
      {
        sessionId,
        ...HOST,
        contentSessionId: 'on',
        cwd: '/home/dev/shop',
        share: 0.2,
        hasInjections: false,
        turns: 2,
        repeatedReads: 0,
      },
    ]);
    expect(await store.holdoutSessions({ projectIds: [] })).toEqual([]);
    expect(await store.holdoutSessions({ fromEpoch: Date.UTC(2027, 0, 1) })).toEqual([]);
  });

  it('counts a file once for each later turn in which it was read', async () => {
    const { store } = test.storage;
    const sessionId = await begin('reads', 0.2);
    const read = (promptNumber: number, title: string, filesRead: string[]) =>
      store.commitReply(
        reply(sessionId, {
          promptNumber,
          observations: [draft({ title, filesRead })],
          summary: summary({ filesRead }),
        }),
      );
    await read(1, 'first', ['a.ts', 'b.ts']);
    await read(1, 'second', ['a.ts']);
    await read(2, 'third', ['a.ts', 'c.ts']);
    await read(3, 'fourth', ['a.ts', 'b.ts']);
    expect((await store.holdoutSessions({}))[0]?.repeatedReads).toBe(3);
  });

  it('reports whether a session had injections', async () => {
    const { store } = test.storage;
    await begin('injected', 0.2);
    const session = { ...HOST, contentSessionId: 'injected' };
    await store.recordInjection({
      session,
      kind: 'start',
      tokens: 9,
      observationIds: [1],
      conversations: 0,
      now: 1,
    });
    expect((await store.holdoutSessions({}))[0]?.hasInjections).toBe(true);
  });
});
