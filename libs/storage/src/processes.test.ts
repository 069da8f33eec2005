import { expect, it } from 'vitest';
import { createEvents } from './__fixtures__/events.js';
import { createTestFolder, openTestStorage, tamperWith } from './__fixtures__/open-test-storage.js';
import { runChild } from './__fixtures__/run-child.js';
import { NO_LIMITS, reply, reserve } from './__fixtures__/replies.js';
import { openStorage } from './index.js';

const SLOW = 120_000;

it(
  'B045: opens the database in eight processes when they start at once in an empty folder (R21)',
  { timeout: SLOW },
  async () => {
    using place = createTestFolder();
    const children = Array.from({ length: 8 }, () => runChild('open', place));
    await Promise.all(children.map((child) => child.said(/ready/)));
    for (const child of children) child.go();
    const ends = await Promise.all(children.map(({ ended }) => ended));
    expect(ends).toEqual(Array.from({ length: 8 }, () => ({ code: 0, stderr: '' })));
    await using storage = await openStorage(place);
    expect((await storage.store.stats()).prompts).toBe(8);
    expect(storage.health()).toMatchObject({ status: 'ok', notices: [] });
  },
);

it('B138: stores one row when ten processes send the same event at once', { timeout: SLOW }, async () => {
  await using test = await openTestStorage();
  const children = Array.from({ length: 10 }, () => runChild('capture-same', test.place));
  await Promise.all(children.map((child) => child.said(/ready/)));
  for (const child of children) child.go();
  const ends = await Promise.all(children.map(({ ended }) => ended));
  expect(ends.every(({ code }) => code === 0)).toBe(true);
  const kinds = children.map(({ lines }) => lines[1]).sort();
  expect(kinds).toEqual([...Array<string>(9).fill('duplicate'), 'stored']);
  expect(await test.storage.messages.list()).toHaveLength(1);
});

it(
  'B044: stores an event after waiting when another process holds the write lock',
  { timeout: SLOW },
  async () => {
    await using test = await openTestStorage();
    await using child = runChild('lock', test.place, '500');
    await child.said(/ready/);
    const { toolUse } = createEvents();
    for (let count = 0; count < 10; count += 1)
      expect(await test.storage.store.capture([toolUse()])).toMatchObject([{ kind: 'stored' }]);
    expect(await test.storage.messages.counts()).toMatchObject({ pending: 10 });
  },
);

it(
  'B044: reports storage/busy when the lock is held too long, and works again afterwards',
  { timeout: SLOW },
  async () => {
    await using test = await openTestStorage();
    const { toolUse } = createEvents();
    {
      await using child = runChild('lock', test.place, '60000');
      await child.said(/ready/);
      await expect(test.storage.store.capture([toolUse()])).rejects.toMatchObject({ code: 'storage/busy' });
    }
    expect(await test.storage.store.capture([toolUse()])).toMatchObject([{ kind: 'stored' }]);
  },
);

it('keeps every event that was acknowledged before a kill -9', { timeout: SLOW }, async () => {
  using place = createTestFolder();
  for (const round of ['a', 'b', 'shared-1']) {
    await using child = runChild('capture-many', place, round);
    await child.said(/^20$/);
    child.process.kill('SIGKILL');
    await child.ended;
    const acknowledged = Number(child.lines.at(-1));
    await using storage = await openStorage(place);
    const session = await storage.store.findSession({ host: 'claude-code', contentSessionId: round });
    const stored = await storage.messages.list({ sessionId: session!.id, limit: 500 });
    expect(stored.length).toBeGreaterThanOrEqual(acknowledged);
    expect(stored.length).toBeLessThanOrEqual(acknowledged + 1);
    expect(storage.health()).toMatchObject({ status: 'ok' });
  }
  expect(tamperWith(place.file, (database) => database.pragma('integrity_check', { simple: true }))).toBe(
    'ok',
  );
});

it('B009: processes claimed rows once after a process was killed', { timeout: SLOW }, async () => {
  await using test = await openTestStorage();
  const { prompt, toolUse } = createEvents();
  const toolUses = Array.from({ length: 5 }, () => toolUse());
  await test.storage.store.capture([prompt('one'), ...toolUses]);
  {
    await using child = runChild('claim', test.place);
    await child.said(/claimed 5/);
  }
  const { store, messages } = test.storage;
  const later = Date.now() + 60_000;
  expect(await messages.counts()).toMatchObject({ processing: 5 });
  expect(await messages.recoverClaims({ claimedBefore: later, now: later, parkAfter: 3 })).toBe(5);
  const claimed = await messages.claim({ sessionId: 1, now: later, maxCount: 20, maxBytes: 1e9 });
  expect(claimed).toHaveLength(5);
  const confirm = claimed.map(({ id }) => ({ id, outcome: 'stored' as const }));
  await store.commitReply(reply(1, { confirm }));
  expect(await messages.list()).toEqual([]);
  expect((await store.stats()).outcomes.stored).toBe(5);
});

it(
  'B064: keeps the limit and counts every call when processes are killed in the middle of calls',
  { timeout: SLOW },
  async () => {
    await using test = await openTestStorage();
    const { store } = test.storage;
    await store.capture([createEvents().prompt('one')]);
    const output: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      await using child = runChild('call', test.place, '11');
      output.push(await child.said(/reserved|over/));
    }
    expect(output).toEqual([...Array<string>(3).fill('reserved'), 'over', 'over']);
    expect(await store.usage({ by: 'total' })).toMatchObject([
      { calls: 11, inputTokens: 3 * 1_000 + 8 * 10 },
    ]);
    expect(await store.recoverUsage()).toBe(0);
    await expect(reserve(store, { limits: { ...NO_LIMITS, dayCalls: 11 } })).rejects.toThrow('dayCalls');
    expect(await store.getSession(1)).toMatchObject({ cumulativeInputTokens: 3_080 });
  },
);
