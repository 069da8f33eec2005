import type { CallUsage, Store, UsageDecision, UsageLimits } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { ESTIMATE, NO_LIMITS, reply, reserve } from '../__fixtures__/replies.js';
import { openStorageReader } from '../open-storage-reader.js';

let test: TestStorage;
let store: Store;
/** Ids of two sessions. */
let first: number;
let second: number;

beforeEach(async () => {
  test = await openTestStorage();
  store = test.storage.store;
  const captured = await store.capture([createEvents('a').prompt('one'), createEvents('b').prompt('two')]);
  [first = 0, second = 0] = captured.map(({ sessionId }) => sessionId);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await test.dispose();
});

const NOON = Date.UTC(2026, 0, 2, 12);
const NEXT_DAY = Date.UTC(2026, 0, 3);
const used = (inputTokens: number, outputTokens = 0, estimatedCostUsd = 0): CallUsage => ({
  inputTokens,
  outputTokens,
  cachedTokens: 0,
  estimatedCostUsd,
});
const NOTHING = used(0);

const ask = (limits: Partial<UsageLimits>, sessionId = first, now = NOON): Promise<UsageDecision> =>
  store.reserveUsage({
    sessionId,
    provider: 'claude',
    model: 'haiku',
    estimate: ESTIMATE,
    limits: { ...NO_LIMITS, ...limits },
    now,
  });
const spend = async (usage: CallUsage | null, sessionId = first, now = NOON) =>
  store.settleUsage({ callId: await reserve(store, { sessionId, now }), usage, now });
const total = async () => (await store.usage({ by: 'total' }))[0];

describe('a usage limit', () => {
  it.each([
    ['dayCalls', 2],
    ['dayTokens', 240],
    ['dayUsd', 1.5],
  ] as const)('%s rejects calls when it is reached, until the next day', async (limit, allowed) => {
    await spend(used(100, 20, 0.75), first);
    await spend(NOTHING, first);
    await spend(used(100, 20, 0.75), second);
    expect(await ask({ [limit]: allowed + 1 })).toMatchObject({ kind: 'reserved' });
    await store.settleUsage({ callId: 4, usage: NOTHING, now: NOON });
    const over = { kind: 'over', limit, spent: allowed, allowed, freeAtEpoch: NEXT_DAY };
    expect(await ask({ [limit]: allowed })).toEqual(over);
    expect(await ask({ [limit]: allowed }, second)).toEqual(over);
    expect(await ask({ [limit]: allowed }, first, NEXT_DAY)).toMatchObject({ kind: 'reserved' });
  });

  it('on the tokens of a session applies to all its days and to no other session', async () => {
    await spend(used(100, 20), first, NOON);
    await spend(used(70, 10), first, NEXT_DAY);
    const later = NEXT_DAY + 48 * 3_600_000;
    expect(await ask({ sessionTokens: 200 }, first, later)).toEqual({
      kind: 'over',
      limit: 'sessionTokens',
      spent: 200,
      allowed: 200,
      freeAtEpoch: null,
    });
    expect(await ask({ sessionTokens: 201 }, first, later)).toMatchObject({ kind: 'reserved' });
    expect(await ask({ sessionTokens: 200 }, second, later)).toMatchObject({ kind: 'reserved' });
  });

  it('of 0 is disabled, and a rejection by another limit reserves nothing', async () => {
    await spend(used(1e6, 1e6, 500));
    expect(await ask({})).toMatchObject({ kind: 'reserved' });
    expect(await store.recoverUsage()).toBe(1);
    expect(await ask({ dayCalls: 100, dayUsd: 1 })).toMatchObject({ kind: 'over', limit: 'dayUsd' });
    expect(await store.recoverUsage()).toBe(0);
  });

  it('counts running calls at their estimate, and a rejection because of them suggests a retry after 30 seconds', async () => {
    expect(await ask({ dayTokens: 1_501 })).toMatchObject({ kind: 'reserved' });
    expect(await ask({ dayTokens: 1_501 })).toMatchObject({ kind: 'reserved' });
    const refused = await ask({ dayTokens: 1_501 }, second);
    expect(refused).toEqual({
      kind: 'over',
      limit: 'dayTokens',
      spent: 3_000,
      allowed: 1_501,
      freeAtEpoch: NOON + 30_000,
    });
    expect(await ask({ sessionTokens: 3_000 })).toMatchObject({ kind: 'over', freeAtEpoch: NOON + 30_000 });
  });

  it('is not exceeded when many calls are reserved at the same time', async () => {
    const decisions = await Promise.all(
      Array.from({ length: 100 }, (_, index) => ask({ dayCalls: 7 }, index % 2 ? first : second)),
    );
    expect(decisions.filter(({ kind }) => kind === 'reserved')).toHaveLength(7);
  });

  it('B064: counts a call on the local day of its start when the call ends after midnight', async () => {
    vi.stubEnv('TZ', 'America/New_York');
    const lateEvening = Date.parse('2026-01-03T04:59:00Z');
    const decision = await ask({ dayCalls: 1 }, first, lateEvening);
    const callId = decision.kind === 'reserved' ? decision.callId : 0;
    expect(await ask({ dayCalls: 1 }, second, lateEvening + 59_999)).toMatchObject({ kind: 'over' });
    expect(await ask({ dayCalls: 1 }, second, lateEvening + 60_000)).toMatchObject({ kind: 'reserved' });
    await store.commitReply(reply(first, { usage: { callId, ...used(10) }, now: lateEvening + 120_000 }));
    expect(await store.usage({ by: 'day' })).toMatchObject([
      { day: '2026-01-02', calls: 1, inputTokens: 10 },
    ]);
    expect(await ask({ dayCalls: 1 }, first, lateEvening)).toMatchObject({
      kind: 'over',
      freeAtEpoch: lateEvening + 60_000,
    });
  });
});

describe('usage of a call', () => {
  it('is counted once, in the transaction of its reply, when it is reported repeatedly', async () => {
    const callId = await reserve(store, { sessionId: first, provider: 'claude', model: 'haiku' });
    const request = reply(first, {
      usage: { callId, inputTokens: 90, outputTokens: 10, cachedTokens: 40, estimatedCostUsd: 0.25 },
    });
    await store.commitReply(request);
    await store.commitReply(request);
    await store.settleUsage({ callId, usage: used(7), now: NOON });
    await store.settleUsage({ callId: 987_654, usage: used(7), now: NOON });
    expect(await store.usage({ by: 'provider' })).toEqual([
      {
        day: null,
        sessionId: null,
        provider: 'claude',
        model: 'haiku',
        calls: 1,
        failedCalls: 0,
        inputTokens: 90,
        outputTokens: 10,
        cachedTokens: 40,
        estimatedCostUsd: 0.25,
      },
    ]);
    expect(await store.getSession(first)).toMatchObject({
      cumulativeInputTokens: 90,
      cumulativeOutputTokens: 10,
    });
    expect(await store.recoverUsage()).toBe(0);
  });

  it('is counted as a call when the reply cost nothing', async () => {
    const callId = await reserve(store, { sessionId: first });
    await store.commitReply(reply(first, { usage: { callId, ...NOTHING } }));
    expect(await total()).toMatchObject({ calls: 1, failedCalls: 0 });
  });

  it('is ignored when the call ID is unknown, but the reply is stored', async () => {
    const { toolUse } = createEvents('a');
    await store.capture([toolUse({ dedupeKey: 'x' })]);
    const [message] = await test.storage.messages.claim({
      sessionId: first,
      now: NOON,
      maxCount: 9,
      maxBytes: 1e6,
    });
    await store.commitReply(
      reply(first, {
        confirm: [{ id: message!.id, outcome: 'stored' }],
        usage: { callId: 987_654, ...used(7) },
      }),
    );
    expect(await test.storage.messages.list()).toEqual([]);
    expect(await total()).toMatchObject({ calls: 0, inputTokens: 0 });
  });

  it('is counted when the session was aborted in the meantime', async () => {
    await store.capture([createEvents('a').toolUse({ dedupeKey: 'x' })]);
    const [message] = await test.storage.messages.claim({
      sessionId: first,
      now: NOON,
      maxCount: 9,
      maxBytes: 1e6,
    });
    const callId = await reserve(store, { sessionId: first });
    await store.abortSession(first, { now: NOON, reason: 'requested' });
    await store.commitReply(
      reply(first, { confirm: [{ id: message!.id, outcome: 'stored' }], usage: { callId, ...used(50) } }),
    );
    expect(await total()).toMatchObject({ calls: 1, inputTokens: 50 });
  });

  it('is counted as a failed call when it cost nothing, at its cost when known, otherwise at its estimate', async () => {
    await spend(NOTHING);
    expect(await total()).toMatchObject({ calls: 0, failedCalls: 1, inputTokens: 0 });
    expect(await ask({ dayCalls: 1 })).toMatchObject({ kind: 'reserved' });
    await spend(used(70, 3, 0.125));
    expect(await total()).toMatchObject({ calls: 1, failedCalls: 1, inputTokens: 70, outputTokens: 3 });
    await spend(null);
    expect(await total()).toMatchObject({
      calls: 2,
      failedCalls: 1,
      inputTokens: 1_070,
      outputTokens: 503,
      estimatedCostUsd: 0.625,
    });
    const free = await reserve(store, { sessionId: first, estimate: NOTHING });
    await store.settleUsage({ callId: free, usage: null, now: NOON });
    expect(await total()).toMatchObject({ calls: 3, failedCalls: 1 });
  });

  it('names the model that answered when no model was requested', async () => {
    const callId = await reserve(store, { sessionId: first, provider: 'claude-code', model: null });
    await store.commitReply(reply(first, { model: 'opus', usage: { callId, ...used(1) } }));
    expect(await store.usage({ by: 'provider' })).toMatchObject([{ provider: 'claude-code', model: 'opus' }]);
  });

  it('is counted once at its estimate when the process ended during the call', async () => {
    const now = NOON;
    await reserve(store, { sessionId: first, now });
    await reserve(store, { sessionId: second, now });
    expect(await total()).toMatchObject({ calls: 0 });
    expect(await store.recoverUsage()).toBe(2);
    expect(await store.recoverUsage()).toBe(0);
    expect(await total()).toMatchObject({
      calls: 2,
      inputTokens: 2_000,
      outputTokens: 1_000,
      estimatedCostUsd: 1,
    });
    expect(await store.getSession(second)).toMatchObject({ cumulativeInputTokens: 1_000 });
    expect(await store.usage({ by: 'day' })).toMatchObject([{ day: '2026-01-02' }]);
  });

  it.each([
    ['negative', -5, 0],
    ['fractions', 10.6, 11],
    ['without an end', Infinity, 1e9],
    ['no number', NaN, 1_000],
  ])(
    'is limited to valid numbers when the reported numbers are invalid: %s',
    async (_, inputTokens, booked) => {
      const callId = await reserve(store, { sessionId: first });
      const odd = {
        inputTokens,
        outputTokens: inputTokens,
        cachedTokens: 5e9,
        estimatedCostUsd: inputTokens,
      };
      await store.settleUsage({ callId, usage: { ...odd, outputTokens: 1 }, now: NOON });
      const row = await total();
      expect(row).toMatchObject({ calls: 1, inputTokens: booked, outputTokens: 1, cachedTokens: booked });
      expect(row?.estimatedCostUsd).toBeGreaterThanOrEqual(0);
      expect(row?.estimatedCostUsd).toBeLessThanOrEqual(1e5);
    },
  );

  it('is limited to valid numbers when the estimate is invalid', async () => {
    await reserve(store, {
      sessionId: first,
      estimate: { inputTokens: NaN, outputTokens: -1, cachedTokens: Infinity, estimatedCostUsd: NaN },
    });
    await store.recoverUsage();
    expect(await total()).toMatchObject({
      calls: 1,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      estimatedCostUsd: 0,
    });
  });
});

describe('the conversation ID of the observer', () => {
  it('is kept when a reply has none, and replaced or cleared by a reply with one', async () => {
    const after = async (more: { memorySessionId?: string | null }) => {
      await store.commitReply(reply(first, more));
      return (await store.getSession(first))?.memorySessionId;
    };
    expect(await after({ memorySessionId: 'memory-1' })).toBe('memory-1');
    expect(await after({})).toBe('memory-1');
    expect(await after({ memorySessionId: 'memory-2' })).toBe('memory-2');
    expect(await after({ memorySessionId: null })).toBeNull();
  });
});

describe('usage report', () => {
  const seed = async () => {
    const book = async (provider: string, sessionId: number, now: number, usage: CallUsage) =>
      store.settleUsage({ callId: await reserve(store, { provider, sessionId, now }), usage, now });
    await book('claude', first, NOON, used(100, 10, 4));
    await book('claude', second, NEXT_DAY, used(200, 20, 2));
    await book('gemini', second, NEXT_DAY, used(400, 40, 0.5));
    await book('gemini', second, NEXT_DAY, NOTHING);
  };

  it('has one row of zeros before the first call', async () => {
    expect(await store.usage({ by: 'total' })).toEqual([
      {
        day: null,
        sessionId: null,
        provider: null,
        model: null,
        calls: 0,
        failedCalls: 0,
        ...NOTHING,
      },
    ]);
    expect(await store.usage({ by: 'day' })).toEqual([]);
  });

  it('groups usage by day, session and provider', async () => {
    await seed();
    expect(await store.usage({ by: 'day' })).toMatchObject([
      { day: '2026-01-03', sessionId: null, provider: null, calls: 2, failedCalls: 1, inputTokens: 600 },
      { day: '2026-01-02', calls: 1, estimatedCostUsd: 4 },
    ]);
    expect(await store.usage({ by: 'session' })).toMatchObject([
      { sessionId: first, day: null, calls: 1, estimatedCostUsd: 4 },
      { sessionId: second, calls: 2, estimatedCostUsd: 2.5 },
    ]);
    expect(await store.usage({ by: 'provider' })).toMatchObject([
      { provider: 'claude', model: null, calls: 2, estimatedCostUsd: 6 },
      { provider: 'gemini', calls: 1, failedCalls: 1, estimatedCostUsd: 0.5 },
    ]);
    expect(await total()).toMatchObject({ calls: 3, failedCalls: 1, inputTokens: 700, outputTokens: 70 });
  });

  it('filters by first day and session, and limits the number of rows', async () => {
    await seed();
    expect(await store.usage({ by: 'total', since: '2026-01-03' })).toMatchObject([{ calls: 2 }]);
    expect(await store.usage({ by: 'total', since: '2026-01-04' })).toMatchObject([{ calls: 0 }]);
    expect(await store.usage({ by: 'day', sessionId: first })).toMatchObject([
      { day: '2026-01-02', calls: 1 },
    ]);
    expect(await store.usage({ by: 'provider', limit: 1 })).toMatchObject([{ provider: 'claude' }]);
  });

  it('is the same in a reader', async () => {
    await seed();
    await using reader = openStorageReader(test.place);
    expect(await reader.store.usage({ by: 'total' })).toEqual(await store.usage({ by: 'total' }));
  });
});
