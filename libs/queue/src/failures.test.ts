import { ClaudeMemError } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import {
  messageFailure,
  openQueueLab,
  outage,
  rejection,
  settled,
  startRun,
  textsOf,
  type QueueLab,
} from './queue-lab.js';

/** Moves time in steps until the queue is empty or holds only parked messages, at most an hour. */
async function workOff(lab: QueueLab): Promise<void> {
  lab.queue.notify();
  for (let step = 0; step < 720; step += 1) {
    await settled(4);
    const { pending, processing } = await lab.messages.counts();
    if (pending + processing === 0) return;
    await lab.clock.advance(5_000);
  }
}

describe('a message that fails', () => {
  it('is tried again after the backoff and parked after its last attempt; the rest goes on', async () => {
    const lab = openQueueLab({ options: { maxAttempts: 3 } });
    const tries: number[] = [];
    const run = startRun(lab, async (batch) => {
      if (!textsOf(batch).includes('poison')) return lab.finish(batch);
      if (batch.messages.length === 1) tries.push(lab.clock.now());
      await batch.release(messageFailure);
    });
    await lab.seedTurn('a', { toolUses: 3, texts: ['fine', 'poison', 'also fine'] });
    await workOff(lab);
    expect(tries).toHaveLength(3);
    expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect((tries[2] ?? 0) - (tries[1] ?? 0)).toBeGreaterThanOrEqual(2_000);
    expect(await lab.messages.list()).toMatchObject([
      { status: 'parked', attempts: 3, lastError: 'bad reply', payload: { response: { stdout: 'poison' } } },
    ]);
    await run.stop();
  });

  it('waits as long as it was told to', async () => {
    const lab = openQueueLab();
    const tries: number[] = [];
    const run = startRun(lab, async (batch) => {
      tries.push(lab.clock.now());
      if (tries.length > 1) return lab.finish(batch);
      await batch.release({ ...messageFailure, retryAfterMs: 77_000 });
    });
    await lab.seedTurn('a', { toolUses: 0 });
    lab.queue.notify();
    await settled();
    await lab.clock.advance(76_999);
    await settled();
    expect(tries).toHaveLength(1);
    await lab.clock.advance(1);
    await settled();
    expect(tries).toHaveLength(2);
    await run.stop();
  });

  it('is parked at once when trying again is pointless', async () => {
    const lab = openQueueLab();
    let calls = 0;
    const run = startRun(lab, async (batch) => {
      calls += 1;
      await batch.release(rejection);
    });
    await lab.seedTurn('a', { toolUses: 0 });
    await workOff(lab);
    expect(calls).toBe(1);
    expect(await lab.messages.counts()).toMatchObject({ parked: 1, pending: 0 });
    await run.stop();
  });

  it('B126: the culprit among ten is set aside alone, with its reason', async () => {
    const lab = openQueueLab();
    const stored: string[] = [];
    const sizes: number[] = [];
    const run = startRun(lab, async (batch) => {
      sizes.push(batch.messages.length);
      if (textsOf(batch).includes('result 3')) return batch.release(rejection);
      stored.push(...textsOf(batch));
      await lab.finish(batch);
    });
    await lab.seedTurn('a', { toolUses: 10 });
    await workOff(lab);
    expect(stored).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10].map((n) => `result ${n}`).concat('turn-end'));
    expect(await lab.messages.list()).toMatchObject([
      { status: 'parked', lastError: 'invalid request', payload: { response: { stdout: 'result 3' } } },
    ]);
    expect(sizes).toEqual([11, 6, 3, 2, 1, 8]);
    await run.stop();
  });

  it('B126: the culprit is found among evidence, which takes no place in a batch', async () => {
    const lab = openQueueLab({ options: { maxCount: 2 } });
    const stored: string[] = [];
    const sizes: number[] = [];
    const run = startRun(lab, async (batch) => {
      sizes.push(batch.messages.length);
      if (textsOf(batch).includes('listing 5')) return batch.release(rejection);
      stored.push(...textsOf(batch));
      await lab.finish(batch);
    });
    await lab.seedTurn('a', { toolUses: 0, isOver: false });
    const listings = Array.from({ length: 16 }, (_, index) => `listing ${index}`);
    await lab.seedEvidence('a', listings);
    await lab.seedEnd('a');
    await workOff(lab);
    expect(stored).toEqual([...listings.filter((text) => text !== 'listing 5'), 'turn-end']);
    expect(await lab.messages.list()).toMatchObject([
      { status: 'parked', payload: { response: { stdout: 'listing 5' } } },
    ]);
    expect(sizes).toEqual([17, 9, 5, 2, 1, 11]);
    await run.stop();
  });

  it('B016: three garbage replies, then a good one: everything is stored', async () => {
    const lab = openQueueLab();
    let garbage = 3;
    const stored: string[] = [];
    const run = startRun(lab, async (batch) => {
      garbage -= 1;
      if (garbage >= 0) return batch.release(messageFailure);
      stored.push(...textsOf(batch));
      await lab.finish(batch);
    });
    await lab.seedTurn('a', { toolUses: 5 });
    await workOff(lab);
    expect(stored).toEqual(['result 1', 'result 2', 'result 3', 'result 4', 'result 5', 'turn-end']);
    await run.stop();
  });

  it('B016: a reply that makes no sense is asked for three times at most, with no search for a culprit', async () => {
    const lab = openQueueLab({ options: { maxAttempts: 3 } });
    const sizes: number[] = [];
    const run = startRun(lab, async (batch) => {
      sizes.push(batch.messages.length);
      await batch.release({ message: 'prose', retryable: true, scope: 'batch' });
    });
    await lab.seedTurn('a', { toolUses: 11 });
    await workOff(lab);
    expect(sizes.slice(0, 2)).toEqual([12, 12]);
    expect(sizes.slice(2)).toEqual(Array.from({ length: 6 }, () => 2));
    expect(await lab.messages.counts()).toMatchObject({ pending: 0, processing: 0, parked: 12 });
    await run.stop();
  });

  it('B016: what was set aside is listed, and worked on when asked to', async () => {
    const lab = openQueueLab();
    let isBroken = true;
    const stored: string[] = [];
    const run = startRun(lab, async (batch) => {
      if (isBroken) return batch.release(messageFailure);
      stored.push(...textsOf(batch));
      await lab.finish(batch);
    });
    await lab.seedTurn('a', { toolUses: 1 });
    await workOff(lab);
    expect(await lab.messages.list({ status: 'parked' })).toHaveLength(2);
    isBroken = false;
    expect(await lab.messages.retry({ status: 'parked' }, lab.clock.now())).toBe(2);
    await workOff(lab);
    expect(stored).toEqual(['result 1', 'turn-end']);
    await run.stop();
  });

  it('is taken apart from fresh ones by a new process too', async () => {
    const lab = openQueueLab();
    await lab.seedTurn('a', { toolUses: 4 });
    const ids = (await lab.messages.list()).map(({ id }) => id);
    const sessionId = 1;
    await lab.messages.claim({ sessionId, now: lab.clock.now(), maxCount: 2, maxBytes: 1e6 });
    await lab.messages.release({ ids: ids.slice(0, 1), availableAt: 0 });
    await lab.messages.release({ ids: ids.slice(1, 2), availableAt: 0, error: 'killed the process' });
    const batches: string[][] = [];
    const run = startRun(lab, async (batch) => {
      batches.push(textsOf(batch));
      await lab.finish(batch);
    });
    await workOff(lab);
    expect(batches).toEqual([['result 1'], ['result 2'], ['result 3', 'result 4', 'turn-end']]);
    await run.stop();
  });

  it('does not take a broken provider down with it: after three parked in a row the queue slows down', async () => {
    const lab = openQueueLab({ options: { backoffMs: () => 60_000, concurrency: 1 } });
    let calls = 0;
    const run = startRun(lab, async (batch) => {
      calls += 1;
      await batch.release(rejection);
    });
    for (let session = 0; session < 10; session += 1) await lab.seedTurn(`s${session}`, { toolUses: 0 });
    lab.queue.notify();
    await settled(100);
    expect(calls).toBe(3);
    expect(lab.queue.activity()).toMatchObject({ heldBackBecause: 'invalid request' });
    await run.stop();
  });
});

describe('a provider that fails', () => {
  it('costs no attempt and holds the whole queue back, with growing waits and one try at a time', async () => {
    const lab = openQueueLab({ options: { concurrency: 4 } });
    const tries: number[] = [];
    let isDown = true;
    const run = startRun(lab, async (batch) => {
      tries.push(lab.clock.now());
      if (isDown) return batch.release(outage);
      await lab.finish(batch);
    });
    for (let session = 0; session < 6; session += 1) await lab.seedTurn(`s${session}`);
    const start = lab.clock.now();
    lab.queue.notify();
    await settled();
    expect(tries).toHaveLength(4);
    expect(lab.queue.activity()).toEqual({
      running: 0,
      heldBackUntil: start + 1_000,
      heldBackBecause: 'overloaded',
      heldSessions: 0,
      heldSessionsBecause: null,
    });
    lab.queue.notify();
    await settled();
    expect(tries).toHaveLength(4);
    await lab.clock.advance(1_000);
    await settled();
    expect(tries).toHaveLength(5);
    expect(lab.queue.activity().heldBackUntil).toBe(start + 3_000);
    isDown = false;
    await lab.clock.advance(2_000);
    await settled();
    expect(await lab.messages.counts()).toMatchObject({ pending: 0, processing: 0, parked: 0 });
    expect(lab.queue.activity()).toMatchObject({ running: 0, heldBackUntil: null, heldBackBecause: null });
    await run.stop();
  });

  it('is asked again when it said so', async () => {
    const lab = openQueueLab();
    const tries: number[] = [];
    const run = startRun(lab, async (batch) => {
      tries.push(lab.clock.now());
      if (tries.length === 1) return batch.release({ ...outage, retryAfterMs: 90_000 });
      await lab.finish(batch);
    });
    await lab.seedTurn('a');
    lab.queue.notify();
    await settled();
    await lab.clock.advance(89_999);
    await settled();
    expect(tries).toHaveLength(1);
    await lab.clock.advance(1);
    await settled();
    expect(tries).toHaveLength(2);
    await run.stop();
  });

  it('is asked ever more seldom when it always says "in a moment"', async () => {
    const lab = openQueueLab();
    const tries: number[] = [];
    const run = startRun(lab, async (batch) => {
      tries.push(lab.clock.now());
      await batch.release({ ...outage, retryAfterMs: 1_500 });
    });
    await lab.seedTurn('a');
    lab.queue.notify();
    for (let step = 0; step < 80; step += 1) {
      await settled();
      await lab.clock.advance(100);
    }
    const gaps = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(gaps).toEqual([1_500, 2_000, 3_000]);
    await run.stop();
  });

  it('pauses the queue when only a person can help, until then nothing is parked', async () => {
    const lab = openQueueLab({ options: { pauseMs: 600_000 } });
    let isLoggedIn = false;
    let calls = 0;
    const run = startRun(lab, async (batch) => {
      calls += 1;
      if (!isLoggedIn) return batch.release({ message: 'log in first', retryable: false, scope: 'provider' });
      await lab.finish(batch);
    });
    await lab.seedTurn('a');
    lab.queue.notify();
    await settled();
    await lab.clock.advance(599_999);
    await settled();
    expect(calls).toBe(1);
    expect(await lab.messages.list()).toMatchObject([
      { status: 'pending', attempts: 0 },
      { status: 'pending', attempts: 0 },
    ]);
    isLoggedIn = true;
    lab.queue.resume();
    await settled();
    expect(await lab.messages.counts()).toMatchObject({ pending: 0, parked: 0 });
    await run.stop();
  });

  it('is not asked in a loop when it says "retry after 0"', async () => {
    const lab = openQueueLab();
    let calls = 0;
    const run = startRun(lab, async (batch) => {
      calls += 1;
      await batch.release({ ...outage, retryAfterMs: 0 });
    });
    await lab.seedTurn('a');
    lab.queue.notify();
    await settled(50);
    expect(calls).toBe(1);
    await run.stop();
  });
});

describe('a handler that throws', () => {
  it('fails its batch, synchronously or not, and the run goes on', async () => {
    const lab = openQueueLab();
    const stored: string[] = [];
    const run = startRun(lab, (batch) => {
      if (textsOf(batch).includes('poison')) throw new Error('cannot read this');
      stored.push(...textsOf(batch));
      return lab.finish(batch);
    });
    await lab.seedTurn('a', { toolUses: 2, texts: ['poison', 'fine'] });
    await lab.seedTurn('b', { toolUses: 1, texts: ['other'] });
    await workOff(lab);
    expect(stored.sort()).toEqual(['fine', 'other', 'turn-end', 'turn-end']);
    expect(await lab.messages.list()).toMatchObject([{ status: 'parked', lastError: 'cannot read this' }]);
    await run.stop();
  });

  it('because of the storage costs the message no attempt', async () => {
    const lab = openQueueLab();
    let calls = 0;
    const run = startRun(lab, async (batch) => {
      calls += 1;
      if (calls <= 5) throw new ClaudeMemError('storage/busy', 'the disk is full');
      await lab.finish(batch);
    });
    await lab.seedTurn('a', { toolUses: 0 });
    lab.queue.notify();
    await settled();
    expect(await lab.messages.list()).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await workOff(lab);
    expect(calls).toBe(6);
    await run.stop();
  });

  it('after confirming has confirmed', async () => {
    const lab = openQueueLab();
    let calls = 0;
    const run = startRun(lab, async (batch) => {
      calls += 1;
      await lab.finish(batch);
      throw new Error('too late');
    });
    await lab.seedTurn('a');
    await workOff(lab);
    expect(calls).toBe(1);
    expect(await lab.messages.list()).toEqual([]);
    await run.stop();
  });

  it('or returns without a word gives its batch back after a pause, without an attempt', async () => {
    const lab = openQueueLab();
    const tries: number[] = [];
    const run = startRun(lab, async (batch) => {
      tries.push(lab.clock.now());
      if (tries.length === 3) await lab.finish(batch);
    });
    const start = lab.clock.now();
    await lab.seedTurn('a', { toolUses: 0 });
    lab.queue.notify();
    await settled(50);
    expect(tries).toEqual([start]);
    expect(await lab.messages.list()).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await lab.clock.advance(1_000);
    await settled();
    await lab.clock.advance(2_000);
    await settled();
    expect(tries).toEqual([start, start + 1_000, start + 3_000]);
    await run.stop();
  });
});
