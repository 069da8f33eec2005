import { ClaudeMemError } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import {
  messageFailure,
  openQueueHarness,
  outage,
  rejection,
  runPendingWork,
  startRun,
  getTexts,
  type QueueHarness,
} from './queue-harness.js';

/** Advances the time in steps until the queue is empty or contains only parked messages, at most one hour. */
async function processAll(harness: QueueHarness): Promise<void> {
  harness.queue.notify();
  for (let step = 0; step < 720; step += 1) {
    await runPendingWork(4);
    const { pending, processing } = await harness.messages.counts();
    if (pending + processing === 0) return;
    await harness.clock.advance(5_000);
  }
}

describe('message failures', () => {
  it('retries a message after the backoff and parks it after its last attempt, while other messages are processed', async () => {
    const harness = openQueueHarness({ options: { maxAttempts: 3 } });
    const attempts: number[] = [];
    const run = startRun(harness, async (batch) => {
      if (!getTexts(batch).includes('poison')) return harness.finish(batch);
      if (batch.messages.length === 1) attempts.push(harness.clock.now());
      await batch.release(messageFailure);
    });
    await harness.seedTurn('a', { toolUses: 3, texts: ['fine', 'poison', 'also fine'] });
    await processAll(harness);
    expect(attempts).toHaveLength(3);
    expect((attempts[1] ?? 0) - (attempts[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect((attempts[2] ?? 0) - (attempts[1] ?? 0)).toBeGreaterThanOrEqual(2_000);
    expect(await harness.messages.list()).toMatchObject([
      { status: 'parked', attempts: 3, lastError: 'bad reply', payload: { response: { stdout: 'poison' } } },
    ]);
    await run.stop();
  });

  it('retries a message after the requested time', async () => {
    const harness = openQueueHarness();
    const attempts: number[] = [];
    const run = startRun(harness, async (batch) => {
      attempts.push(harness.clock.now());
      if (attempts.length > 1) return harness.finish(batch);
      await batch.release({ ...messageFailure, retryAfterMs: 77_000 });
    });
    await harness.seedTurn('a', { toolUses: 0 });
    harness.queue.notify();
    await runPendingWork();
    await harness.clock.advance(76_999);
    await runPendingWork();
    expect(attempts).toHaveLength(1);
    await harness.clock.advance(1);
    await runPendingWork();
    expect(attempts).toHaveLength(2);
    await run.stop();
  });

  it('parks a message immediately when a retry cannot succeed', async () => {
    const harness = openQueueHarness();
    let calls = 0;
    const run = startRun(harness, async (batch) => {
      calls += 1;
      await batch.release(rejection);
    });
    await harness.seedTurn('a', { toolUses: 0 });
    await processAll(harness);
    expect(calls).toBe(1);
    expect(await harness.messages.counts()).toMatchObject({ parked: 1, pending: 0 });
    await run.stop();
  });

  it('B126: finds the poison message among ten and parks only this message with its reason', async () => {
    const harness = openQueueHarness();
    const stored: string[] = [];
    const sizes: number[] = [];
    const run = startRun(harness, async (batch) => {
      sizes.push(batch.messages.length);
      if (getTexts(batch).includes('result 3')) return batch.release(rejection);
      stored.push(...getTexts(batch));
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 10 });
    await processAll(harness);
    expect(stored).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10].map((n) => `result ${n}`).concat('turn-end'));
    expect(await harness.messages.list()).toMatchObject([
      { status: 'parked', lastError: 'invalid request', payload: { response: { stdout: 'result 3' } } },
    ]);
    expect(sizes).toEqual([11, 6, 3, 2, 1, 8]);
    await run.stop();
  });

  it('B126: finds the poison message among evidence, which does not count toward the batch size', async () => {
    const harness = openQueueHarness({ options: { maxCount: 2 } });
    const stored: string[] = [];
    const sizes: number[] = [];
    const run = startRun(harness, async (batch) => {
      sizes.push(batch.messages.length);
      if (getTexts(batch).includes('listing 5')) return batch.release(rejection);
      stored.push(...getTexts(batch));
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 0, isOver: false });
    const listings = Array.from({ length: 16 }, (_, index) => `listing ${index}`);
    await harness.seedEvidence('a', listings);
    await harness.seedEnd('a');
    await processAll(harness);
    expect(stored).toEqual([...listings.filter((text) => text !== 'listing 5'), 'turn-end']);
    expect(await harness.messages.list()).toMatchObject([
      { status: 'parked', payload: { response: { stdout: 'listing 5' } } },
    ]);
    expect(sizes).toEqual([17, 9, 5, 2, 1, 11]);
    await run.stop();
  });

  it('B016: stores a message when a valid reply follows three invalid replies', async () => {
    const harness = openQueueHarness();
    let garbage = 3;
    const stored: string[] = [];
    const run = startRun(harness, async (batch) => {
      garbage -= 1;
      if (garbage >= 0) return batch.release(messageFailure);
      stored.push(...getTexts(batch));
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 5 });
    await processAll(harness);
    expect(stored).toEqual(['result 1', 'result 2', 'result 3', 'result 4', 'result 5', 'turn-end']);
    await run.stop();
  });

  it('B016: sends a batch at most three times when the replies are invalid, without a search for a poison message', async () => {
    const harness = openQueueHarness({ options: { maxAttempts: 3 } });
    const sizes: number[] = [];
    const run = startRun(harness, async (batch) => {
      sizes.push(batch.messages.length);
      await batch.release({ message: 'prose', retryable: true, scope: 'batch' });
    });
    await harness.seedTurn('a', { toolUses: 11 });
    await processAll(harness);
    expect(sizes.slice(0, 2)).toEqual([12, 12]);
    expect(sizes.slice(2)).toEqual(Array.from({ length: 6 }, () => 2));
    expect(await harness.messages.counts()).toMatchObject({ pending: 0, processing: 0, parked: 12 });
    await run.stop();
  });

  it('B016: lists a parked message and processes it after a retry', async () => {
    const harness = openQueueHarness();
    let isFailing = true;
    const stored: string[] = [];
    const run = startRun(harness, async (batch) => {
      if (isFailing) return batch.release(messageFailure);
      stored.push(...getTexts(batch));
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 1 });
    await processAll(harness);
    expect(await harness.messages.list({ status: 'parked' })).toHaveLength(2);
    isFailing = false;
    expect(await harness.messages.retry({ status: 'parked' }, harness.clock.now())).toBe(2);
    await processAll(harness);
    expect(stored).toEqual(['result 1', 'turn-end']);
    await run.stop();
  });

  it('claims a failed message separately from new messages in a new process', async () => {
    const harness = openQueueHarness();
    await harness.seedTurn('a', { toolUses: 4 });
    const ids = (await harness.messages.list()).map(({ id }) => id);
    const sessionId = 1;
    await harness.messages.claim({ sessionId, now: harness.clock.now(), maxCount: 2, maxBytes: 1e6 });
    await harness.messages.release({ ids: ids.slice(0, 1), availableAt: 0 });
    await harness.messages.release({ ids: ids.slice(1, 2), availableAt: 0, error: 'killed the process' });
    const batches: string[][] = [];
    const run = startRun(harness, async (batch) => {
      batches.push(getTexts(batch));
      await harness.finish(batch);
    });
    await processAll(harness);
    expect(batches).toEqual([['result 1'], ['result 2'], ['result 3', 'result 4', 'turn-end']]);
    await run.stop();
  });

  it('pauses the queue when three messages in a row are parked', async () => {
    const harness = openQueueHarness({ options: { backoffMs: () => 60_000, concurrency: 1 } });
    let calls = 0;
    const run = startRun(harness, async (batch) => {
      calls += 1;
      await batch.release(rejection);
    });
    for (let session = 0; session < 10; session += 1) await harness.seedTurn(`s${session}`, { toolUses: 0 });
    harness.queue.notify();
    await runPendingWork(100);
    expect(calls).toBe(3);
    expect(harness.queue.activity()).toMatchObject({ pauseReason: 'invalid request' });
    await run.stop();
  });
});

describe('provider failures', () => {
  it('counts no attempt and pauses the queue with an increasing pause and one batch at a time', async () => {
    const harness = openQueueHarness({ options: { concurrency: 4 } });
    const attempts: number[] = [];
    let isDown = true;
    const run = startRun(harness, async (batch) => {
      attempts.push(harness.clock.now());
      if (isDown) return batch.release(outage);
      await harness.finish(batch);
    });
    for (let session = 0; session < 6; session += 1) await harness.seedTurn(`s${session}`);
    const start = harness.clock.now();
    harness.queue.notify();
    await runPendingWork();
    expect(attempts).toHaveLength(4);
    expect(harness.queue.activity()).toEqual({
      running: 0,
      pausedUntil: start + 1_000,
      pauseReason: 'overloaded',
      pausedSessions: 0,
      sessionPauseReason: null,
    });
    harness.queue.notify();
    await runPendingWork();
    expect(attempts).toHaveLength(4);
    await harness.clock.advance(1_000);
    await runPendingWork();
    expect(attempts).toHaveLength(5);
    expect(harness.queue.activity().pausedUntil).toBe(start + 3_000);
    isDown = false;
    await harness.clock.advance(2_000);
    await runPendingWork();
    expect(await harness.messages.counts()).toMatchObject({ pending: 0, processing: 0, parked: 0 });
    expect(harness.queue.activity()).toMatchObject({ running: 0, pausedUntil: null, pauseReason: null });
    await run.stop();
  });

  it('calls the provider again after the requested time', async () => {
    const harness = openQueueHarness();
    const attempts: number[] = [];
    const run = startRun(harness, async (batch) => {
      attempts.push(harness.clock.now());
      if (attempts.length === 1) return batch.release({ ...outage, retryAfterMs: 90_000 });
      await harness.finish(batch);
    });
    await harness.seedTurn('a');
    harness.queue.notify();
    await runPendingWork();
    await harness.clock.advance(89_999);
    await runPendingWork();
    expect(attempts).toHaveLength(1);
    await harness.clock.advance(1);
    await runPendingWork();
    expect(attempts).toHaveLength(2);
    await run.stop();
  });

  it('increases the pauses when the provider repeatedly requests a short time', async () => {
    const harness = openQueueHarness();
    const attempts: number[] = [];
    const run = startRun(harness, async (batch) => {
      attempts.push(harness.clock.now());
      await batch.release({ ...outage, retryAfterMs: 1_500 });
    });
    await harness.seedTurn('a');
    harness.queue.notify();
    for (let step = 0; step < 80; step += 1) {
      await runPendingWork();
      await harness.clock.advance(100);
    }
    const gaps = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect(gaps).toEqual([1_500, 2_000, 3_000]);
    await run.stop();
  });

  it('pauses the queue and parks nothing when only a user can solve the problem', async () => {
    const harness = openQueueHarness({ options: { pauseMs: 600_000 } });
    let isLoggedIn = false;
    let calls = 0;
    const run = startRun(harness, async (batch) => {
      calls += 1;
      if (!isLoggedIn) return batch.release({ message: 'log in first', retryable: false, scope: 'provider' });
      await harness.finish(batch);
    });
    await harness.seedTurn('a');
    harness.queue.notify();
    await runPendingWork();
    await harness.clock.advance(599_999);
    await runPendingWork();
    expect(calls).toBe(1);
    expect(await harness.messages.list()).toMatchObject([
      { status: 'pending', attempts: 0 },
      { status: 'pending', attempts: 0 },
    ]);
    isLoggedIn = true;
    harness.queue.resume();
    await runPendingWork();
    expect(await harness.messages.counts()).toMatchObject({ pending: 0, parked: 0 });
    await run.stop();
  });

  it('does not call the provider in a loop when it requests a time of 0', async () => {
    const harness = openQueueHarness();
    let calls = 0;
    const run = startRun(harness, async (batch) => {
      calls += 1;
      await batch.release({ ...outage, retryAfterMs: 0 });
    });
    await harness.seedTurn('a');
    harness.queue.notify();
    await runPendingWork(50);
    expect(calls).toBe(1);
    await run.stop();
  });
});

describe('exceptions of a handler', () => {
  it('fails the batch after a synchronous or asynchronous exception and continues', async () => {
    const harness = openQueueHarness();
    const stored: string[] = [];
    const run = startRun(harness, (batch) => {
      if (getTexts(batch).includes('poison')) throw new Error('cannot read this');
      stored.push(...getTexts(batch));
      return harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 2, texts: ['poison', 'fine'] });
    await harness.seedTurn('b', { toolUses: 1, texts: ['other'] });
    await processAll(harness);
    expect(stored.sort()).toEqual(['fine', 'other', 'turn-end', 'turn-end']);
    expect(await harness.messages.list()).toMatchObject([
      { status: 'parked', lastError: 'cannot read this' },
    ]);
    await run.stop();
  });

  it('counts no attempt for the message when the storage fails', async () => {
    const harness = openQueueHarness();
    let calls = 0;
    const run = startRun(harness, async (batch) => {
      calls += 1;
      if (calls <= 5) throw new ClaudeMemError('storage/busy', 'the disk is full');
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 0 });
    harness.queue.notify();
    await runPendingWork();
    expect(await harness.messages.list()).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await processAll(harness);
    expect(calls).toBe(6);
    await run.stop();
  });

  it('keeps a confirmation when the handler throws later', async () => {
    const harness = openQueueHarness();
    let calls = 0;
    const run = startRun(harness, async (batch) => {
      calls += 1;
      await harness.finish(batch);
      throw new Error('too late');
    });
    await harness.seedTurn('a');
    await processAll(harness);
    expect(calls).toBe(1);
    expect(await harness.messages.list()).toEqual([]);
    await run.stop();
  });

  it('releases the batch after a pause without an attempt when the handler returns without a confirmation', async () => {
    const harness = openQueueHarness();
    const attempts: number[] = [];
    const run = startRun(harness, async (batch) => {
      attempts.push(harness.clock.now());
      if (attempts.length === 3) await harness.finish(batch);
    });
    const start = harness.clock.now();
    await harness.seedTurn('a', { toolUses: 0 });
    harness.queue.notify();
    await runPendingWork(50);
    expect(attempts).toEqual([start]);
    expect(await harness.messages.list()).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await harness.clock.advance(1_000);
    await runPendingWork();
    await harness.clock.advance(2_000);
    await runPendingWork();
    expect(attempts).toEqual([start, start + 1_000, start + 3_000]);
    await run.stop();
  });
});
