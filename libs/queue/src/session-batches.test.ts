import { describe, expect, it } from 'vitest';
import { openQueueHarness, runPendingWork, getTexts, type QueueHarness } from './queue-harness.js';

const counts = async (harness: QueueHarness) => {
  const { pending, processing } = await harness.messages.counts();
  return { pending, processing };
};

describe('batches of one session', () => {
  it('returns batches in order when they are due, and ends on abort', async () => {
    const harness = openQueueHarness();
    const stop = new AbortController();
    const sessionId = await harness.seedTurn('a', { texts: ['one'] });
    const seen: string[][] = [];
    const loop = (async () => {
      for await (const batch of harness.queue.batches({ sessionId, signal: stop.signal })) {
        seen.push(getTexts(batch));
        await harness.finish(batch);
      }
    })();
    await runPendingWork();
    expect(seen).toEqual([['one', 'turn-end']]);
    await harness.seedTurn('b', { texts: ['not ours'] });
    await harness.seedTurn('a', { texts: ['two'] });
    harness.queue.notify();
    await runPendingWork();
    expect(seen).toEqual([
      ['one', 'turn-end'],
      ['two', 'turn-end'],
    ]);
    stop.abort();
    await loop;
  });

  it('releases a batch when the loop ends without a confirmation', async () => {
    const harness = openQueueHarness();
    const sessionId = await harness.seedTurn('a');
    for await (const batch of harness.queue.batches({ sessionId, signal: new AbortController().signal })) {
      expect(batch.messages).toHaveLength(2);
      expect(await counts(harness)).toEqual({ pending: 0, processing: 2 });
      break;
    }
    expect(await counts(harness)).toEqual({ pending: 2, processing: 0 });
    expect(await harness.messages.list()).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    expect(harness.queue.activity().running).toBe(0);
  });

  it('releases a batch when the body throws, and after a pause when the body does not confirm', async () => {
    const harness = openQueueHarness();
    const sessionId = await harness.seedTurn('a');
    const stop = new AbortController();
    await expect(async () => {
      for await (const _ of harness.queue.batches({ sessionId, signal: stop.signal }))
        throw new Error('body');
    }).rejects.toThrow('body');
    expect(await counts(harness)).toEqual({ pending: 2, processing: 0 });

    await harness.clock.advance(1_000);
    let seen = 0;
    const loop = (async () => {
      for await (const _ of harness.queue.batches({ sessionId, signal: stop.signal })) seen += 1;
    })();
    await runPendingWork(50);
    expect(seen).toBe(1);
    await harness.clock.advance(2_000);
    await runPendingWork();
    expect(seen).toBe(2);
    stop.abort();
    await loop;
  });

  it('confirms a batch within `await using`', async () => {
    const harness = openQueueHarness();
    const sessionId = await harness.seedTurn('a');
    for await (const batch of harness.queue.batches({ sessionId, signal: new AbortController().signal })) {
      await using held = batch;
      await harness.finish(held);
      break;
    }
    expect(await harness.messages.list()).toEqual([]);
  });

  it('never returns a batch to two loops at the same time', async () => {
    const harness = openQueueHarness();
    const sessionId = await harness.seedTurn('a', { toolUses: 60 });
    const stop = new AbortController();
    let held = 0;
    let most = 0;
    const seen: string[] = [];
    const consume = async () => {
      for await (const batch of harness.queue.batches({ sessionId, signal: stop.signal })) {
        held += 1;
        most = Math.max(most, held);
        seen.push(...getTexts(batch));
        await runPendingWork(2);
        await harness.finish(batch);
        held -= 1;
      }
    };
    const loops = [consume(), consume(), consume()];
    await runPendingWork(200);
    stop.abort();
    await Promise.all(loops);
    expect(most).toBe(1);
    expect(seen).toEqual([...Array.from({ length: 60 }, (_, index) => `result ${index + 1}`), 'turn-end']);
  });

  it('continues when the storage fails or cannot release a batch', async () => {
    let isBroken = true;
    const harness = openQueueHarness({
      wrap: (messages) => ({
        ...messages,
        waitingTurns: () => (isBroken ? Promise.reject(new Error('busy')) : messages.waitingTurns()),
        release: () => Promise.reject(new Error('disk full')),
      }),
    });
    const sessionId = await harness.seedTurn('a');
    const stop = new AbortController();
    let seen = 0;
    const loop = (async () => {
      for await (const _ of harness.queue.batches({ sessionId, signal: stop.signal })) {
        seen += 1;
        break;
      }
    })();
    await runPendingWork();
    expect(seen).toBe(0);
    isBroken = false;
    await harness.clock.advance(1_000);
    await runPendingWork();
    expect(seen).toBe(1);
    stop.abort();
    await loop;
    expect(harness.logs.filter(({ level }) => level === 'error')).toHaveLength(2);
  });
});
