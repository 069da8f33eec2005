import type { PendingMessages } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import type { HeldBatch } from './queue.js';
import { messageFailure, openQueueHarness, runPendingWork, startRun, getTexts } from './queue-harness.js';

const never = () => new Promise<void>(() => {});

describe('concurrency', () => {
  it('B027: runs at most `concurrency` batches when many sessions start at the same time', async () => {
    const harness = openQueueHarness({ options: { concurrency: 2 } });
    let inFlight = 0;
    let most = 0;
    const run = startRun(harness, async (batch) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await runPendingWork(3);
      await harness.finish(batch);
      inFlight -= 1;
    });
    for (let session = 0; session < 10; session += 1) {
      await harness.seedTurn(`s${session}`);
      harness.queue.notify();
    }
    await runPendingWork(200);
    expect(most).toBe(2);
    expect(await harness.messages.list()).toEqual([]);
    await run.stop();
  });

  it('B026: runs one batch at a time for a hundred prompts of a session, and none afterwards', async () => {
    const harness = openQueueHarness({ options: { concurrency: 4 } });
    let inFlight = 0;
    let most = 0;
    const prompts: number[] = [];
    const run = startRun(harness, async (batch) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      prompts.push(batch.promptNumber);
      await runPendingWork(2);
      await harness.finish(batch);
      inFlight -= 1;
    });
    for (let prompt = 0; prompt < 100; prompt += 1) {
      await harness.seedTurn('a', { toolUses: 1 });
      harness.queue.notify();
    }
    await runPendingWork(1_500);
    expect(most).toBe(1);
    expect(prompts).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(harness.queue.activity().running).toBe(0);
    await run.stop();
  });

  it('B140, B138: uses one consumer and one call when the session is announced ten times at once', async () => {
    const harness = openQueueHarness();
    const calls: string[][] = [];
    const run = startRun(harness, async (batch) => {
      calls.push(getTexts(batch));
      await runPendingWork(3);
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 5 });
    for (let call = 0; call < 10; call += 1) harness.queue.notify();
    await runPendingWork();
    expect(calls).toEqual([['result 1', 'result 2', 'result 3', 'result 4', 'result 5', 'turn-end']]);
    await run.stop();
  });

  it('B139: handles five events of one batch once, and not again after a restart', async () => {
    const harness = openQueueHarness();
    let calls = 0;
    const handle = async (batch: HeldBatch) => {
      calls += 1;
      await harness.finish(batch);
    };
    const run = startRun(harness, handle);
    await harness.seedTurn('a', { toolUses: 5 });
    harness.queue.notify();
    await runPendingWork();
    await run.stop();
    const again = startRun(harness, handle, harness.openQueue());
    await runPendingWork();
    expect(calls).toBe(1);
    await again.stop();
  });

  it('runs other sessions when one session is slow', async () => {
    const harness = openQueueHarness({ options: { concurrency: 2 } });
    const done: string[] = [];
    const run = startRun(harness, async (batch) => {
      if (getTexts(batch)[0] === 'slow') return never();
      done.push(getTexts(batch)[0] ?? '');
      await harness.finish(batch);
    });
    await harness.seedTurn('slow', { texts: ['slow'] });
    for (const name of ['b', 'c', 'd']) await harness.seedTurn(name, { texts: [name] });
    harness.queue.notify();
    await runPendingWork(60);
    expect(done).toEqual(['b', 'c', 'd']);
    run.abort();
    await runPendingWork();
    await harness.clock.advance(500);
    await run.ended;
  });

  it('rejects when the queue is already running', async () => {
    const harness = openQueueHarness();
    const run = startRun(harness, never);
    await expect(startRun(harness, never).ended).rejects.toMatchObject({ code: 'queue/already-running' });
    await run.stop();
  });

  it('B011: handles five thousand stale messages in bounded batches without blocking the event loop', async () => {
    const harness = openQueueHarness();
    for (let session = 0; session < 20; session += 1) {
      await harness.seedTurn(`s${session}`, { toolUses: 250, isOver: false });
    }
    await harness.clock.advance(30 * 24 * 3_600_000);
    let largest = 0;
    let handled = 0;
    const run = startRun(harness, async (batch) => {
      largest = Math.max(largest, batch.messages.length);
      handled += batch.messages.length;
      await harness.finish(batch);
    });
    let ticks = 0;
    let handledAtFirstTick = -1;
    while (handled < 5_000 && ticks < 5_000) {
      await new Promise((resolve) => setImmediate(resolve));
      ticks += 1;
      if (handledAtFirstTick < 0) handledAtFirstTick = handled;
    }
    expect(handled).toBe(5_000);
    expect(largest).toBe(20);
    expect(handledAtFirstTick).toBeLessThan(200);
    expect(ticks).toBeGreaterThan(50);
    await run.stop();
  });
});

describe('messages that leave the queue', () => {
  it('B013: removes the end of a turn when the observer skips the summary', async () => {
    const harness = openQueueHarness();
    const run = startRun(harness, (batch) => harness.finish(batch));
    await harness.seedTurn('a', { toolUses: 0 });
    harness.queue.notify();
    await runPendingWork();
    expect(await harness.messages.list()).toEqual([]);
    expect(harness.queue.activity().running).toBe(0);
    await run.stop();
  });

  it('B014: removes a batch without a record after one call', async () => {
    const harness = openQueueHarness();
    let calls = 0;
    const run = startRun(harness, async (batch) => {
      calls += 1;
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 2 });
    harness.queue.notify();
    await runPendingWork();
    for (let minute = 0; minute < 30; minute += 1) {
      await harness.clock.advance(60_000);
      harness.queue.notify();
      await runPendingWork(3);
    }
    expect(calls).toBe(1);
    await run.stop();
  });
});

describe('claims', () => {
  it('B009: processes messages once when the process that claimed them was killed', async () => {
    const harness = openQueueHarness();
    await harness.seedTurn('a', { toolUses: 5 });
    await harness.messages.claim({
      sessionId: 1,
      now: harness.clock.now() + 1e9,
      maxCount: 20,
      maxBytes: 1e6,
    });
    const stored: string[] = [];
    const run = startRun(harness, async (batch) => {
      stored.push(...getTexts(batch));
      await harness.finish(batch);
    });
    await runPendingWork(60);
    expect(stored).toEqual(['result 1', 'result 2', 'result 3', 'result 4', 'result 5', 'turn-end']);
    await run.stop();
  });

  it.each([
    ['tool uses', false],
    ['evidence', true],
  ])(
    'splits claims that kill every process until only the poison message is parked: %s',
    async (_, isEvidence) => {
      const harness = openQueueHarness({ options: { maxRecoveries: 6 } });
      const texts = Array.from({ length: 15 }, (_, i) => (i === 6 ? 'bomb' : 'ok'));
      await harness.seedTurn('a', { toolUses: isEvidence ? 0 : 15, texts, isOver: false });
      if (isEvidence) await harness.seedEvidence('a', texts);
      await harness.seedEnd('a');
      let stored = 0;
      for (let life = 0; life < 40; life += 1) {
        let isDead = false;
        const alive = <T>(answer: Promise<T>) => (isDead ? new Promise<T>(() => {}) : answer);
        const createKillable = Object.fromEntries(
          Object.entries(harness.messages).map(([name, call]) => [
            name,
            (...args: unknown[]) => alive((call as (...all: unknown[]) => Promise<unknown>)(...args)),
          ]),
        ) as unknown as PendingMessages;
        const { createQueue } = await import('./create-queue.js');
        const queue = createQueue({
          messages: createKillable,
          clock: harness.clock,
          options: { maxRecoveries: 6 },
        });
        void queue.run(
          async (batch) => {
            if (getTexts(batch).includes('bomb')) isDead = true;
            if (isDead) return never();
            stored += batch.messages.length;
            await harness.finish(batch);
          },
          { signal: new AbortController().signal },
        );
        await runPendingWork(40);
        if (!isDead) break;
      }
      expect(stored).toBe(15);
      expect(await harness.messages.list()).toMatchObject([
        { status: 'parked', payload: { response: { stdout: 'bomb' } } },
      ]);
    },
  );

  it('renews claims while a handler runs', async () => {
    const harness = openQueueHarness({ options: { leaseMs: 60_000 } });
    let calls = 0;
    let finish = () => {};
    const run = startRun(harness, async (batch) => {
      calls += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      await harness.finish(batch);
    });
    await harness.seedTurn('a');
    harness.queue.notify();
    await runPendingWork();
    for (let minute = 0; minute < 20; minute += 1) {
      await harness.clock.advance(30_000);
      for (const { claimedAtEpoch } of await harness.messages.list())
        expect(claimedAtEpoch).toBeGreaterThan(harness.clock.now() - 30_000);
      await harness.clock.advance(30_000);
    }
    expect(await harness.messages.counts()).toMatchObject({ processing: 2 });
    finish();
    await runPendingWork();
    expect(calls).toBe(1);
    expect(await harness.messages.list()).toEqual([]);
    await run.stop();
  });

  it('keeps the claims of a running handler when the computer sleeps', async () => {
    const harness = openQueueHarness({ options: { leaseMs: 60_000 } });
    let now = harness.clock.now();
    const sleepers: (() => void)[] = [];
    const { createQueue } = await import('./create-queue.js');
    const queue = createQueue({
      messages: harness.messages,
      clock: { now: () => now, sleep: () => new Promise((resolve) => sleepers.push(resolve)) },
    });
    let calls = 0;
    const stop = new AbortController();
    void queue.run(
      async () => {
        calls += 1;
        await never();
      },
      { signal: stop.signal },
    );
    await harness.seedTurn('a');
    queue.notify();
    await runPendingWork();
    now += 8 * 3_600_000;
    for (const wake of sleepers.splice(0).reverse()) wake();
    await runPendingWork();
    expect(calls).toBe(1);
    expect(await harness.messages.counts()).toMatchObject({ processing: 2 });
  });

  it('releases claims when the storage works again after a failed release', async () => {
    let isBroken = true;
    const harness = openQueueHarness({
      options: { leaseMs: 60_000 },
      wrap: (messages) => ({
        ...messages,
        release: (request) => (isBroken ? Promise.reject(new Error('disk full')) : messages.release(request)),
      }),
    });
    let calls = 0;
    const run = startRun(harness, async (batch) => {
      calls += 1;
      if (isBroken) return batch.release(messageFailure);
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 0 });
    harness.queue.notify();
    await runPendingWork();
    await harness.clock.advance(600_000);
    await runPendingWork();
    expect(await harness.messages.counts()).toMatchObject({ processing: 1 });
    isBroken = false;
    await harness.clock.advance(5_000);
    await runPendingWork();
    await harness.clock.advance(5_000);
    await runPendingWork();
    expect(calls).toBe(2);
    expect(await harness.messages.list()).toEqual([]);
    await run.stop();
  });
});

describe('abort of the queue', () => {
  it('ends promptly after an abort, releases all claims and counts no attempt', async () => {
    const harness = openQueueHarness();
    const run = startRun(harness, async (_batch, { signal }) => {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await harness.seedTurn('a');
    await harness.seedTurn('b');
    harness.queue.notify();
    await runPendingWork();
    expect(await harness.messages.counts()).toMatchObject({ processing: 4 });
    await run.stop();
    const left = await harness.messages.list();
    expect(left).toHaveLength(4);
    for (const message of left)
      expect(message).toMatchObject({
        status: 'pending',
        attempts: 0,
        availableAtEpoch: harness.clock.now(),
      });
  });

  it('waits only for the grace period when a handler ignores the signal', async () => {
    const harness = openQueueHarness({ options: { abortGraceMs: 500 } });
    const run = startRun(harness, never);
    await harness.seedTurn('a');
    harness.queue.notify();
    await runPendingWork();
    run.abort();
    await runPendingWork();
    expect(await harness.messages.counts()).toMatchObject({ processing: 2 });
    await harness.clock.advance(500);
    await run.ended;
    expect(await harness.messages.counts()).toMatchObject({ processing: 0, pending: 2 });
  });

  it('releases messages that were claimed during the abort', async () => {
    let stop = () => {};
    const harness = openQueueHarness({
      wrap: (messages) => ({
        ...messages,
        claim: async (request) => {
          const claimed = await messages.claim(request);
          stop();
          return claimed;
        },
      }),
    });
    let calls = 0;
    const run = startRun(harness, async () => {
      calls += 1;
    });
    stop = run.abort;
    await harness.seedTurn('a');
    harness.queue.notify();
    await run.ended;
    expect(calls).toBe(0);
    expect(await harness.messages.counts()).toMatchObject({ processing: 0, pending: 2 });
  });

  it('ends immediately when the signal is aborted before the start', async () => {
    const harness = openQueueHarness();
    await harness.queue.run(never, { signal: AbortSignal.abort() });
  });
});

describe('failing storage', () => {
  const failing = (name: keyof PendingMessages, times: number) => {
    let left = times;
    let calls = 0;
    return {
      calls: () => calls,
      wrap: (messages: PendingMessages): PendingMessages => ({
        ...messages,
        [name]: (...args: never[]) => {
          calls += 1;
          left -= 1;
          if (left >= 0) return Promise.reject(new Error(`${name} failed`));
          return (messages[name] as (...all: never[]) => Promise<never>)(...args);
        },
      }),
    };
  };

  for (const name of ['waitingTurns', 'claim', 'recoverClaims'] as const)
    it(`calls a failing storage only after an increasing pause when notifications are frequent (${name})`, async () => {
      const failure = failing(name, 3);
      const harness = openQueueHarness({ wrap: failure.wrap });
      await harness.seedTurn('a');
      const run = startRun(harness, (batch) => harness.finish(batch));
      for (let count = 0; count < 50; count += 1) {
        harness.queue.notify();
        await runPendingWork(1);
      }
      expect(failure.calls()).toBe(1);
      for (let second = 0; second < 10; second += 1) {
        await harness.clock.advance(1_000);
        await runPendingWork(5);
      }
      expect(await harness.messages.list()).toEqual([]);
      await run.stop();
    });
});
