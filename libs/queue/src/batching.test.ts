import { describe, expect, it } from 'vitest';
import type { HeldBatch } from './queue.js';
import {
  openQueueHarness,
  rejection,
  runPendingWork,
  startRun,
  getTexts,
  type QueueHarness,
} from './queue-harness.js';
import type { QueueOptions } from './queue-options.js';

/** Runs a queue whose handler succeeds immediately and collects the batches. */
function runAndCollect(options: QueueOptions = {}) {
  const harness = openQueueHarness({ options });
  const batches: HeldBatch[] = [];
  const run = startRun(harness, async (batch) => {
    batches.push(batch);
    await harness.finish(batch);
  });
  const notified = async () => {
    harness.queue.notify();
    await runPendingWork();
  };
  return { harness, batches, run, notified };
}

const isEmpty = async (harness: QueueHarness) => (await harness.messages.list()).length === 0;

describe('flush of a turn', () => {
  it('flushes all tool uses and the end in one batch when the turn ends', async () => {
    const { harness, batches, run, notified } = runAndCollect();
    await harness.seedTurn('a', { toolUses: 3 });
    await notified();
    expect(batches.map(getTexts)).toEqual([['result 1', 'result 2', 'result 3', 'turn-end']]);
    expect(batches[0]).toMatchObject({ promptNumber: 1, isTurnOver: true });
    await run.stop();
  });

  it('flushes a running turn only after idleFlushMs without a new message', async () => {
    const { harness, batches, run, notified } = runAndCollect({ idleFlushMs: 60_000 });
    await harness.seedTurn('a', { toolUses: 2, isOver: false });
    await notified();
    await harness.clock.advance(40_000);
    await harness.seedToolUse('a');
    await notified();
    await harness.clock.advance(59_999);
    await runPendingWork();
    expect(batches).toEqual([]);
    await harness.clock.advance(1);
    await runPendingWork();
    expect(batches.map(getTexts)).toEqual([['result 1', 'result 2', 'late']]);
    expect(batches[0]?.isTurnOver).toBe(false);
    await run.stop();
  });

  it('flushes the older turn first when the next prompt arrives', async () => {
    const { harness, batches, run, notified } = runAndCollect();
    await harness.seedTurn('a', { isOver: false, texts: ['first turn'] });
    await notified();
    await harness.seedTurn('a', { isOver: true, texts: ['second turn'] });
    await notified();
    expect(batches.map((batch) => [batch.promptNumber, getTexts(batch)])).toEqual([
      [1, ['first turn', 'interrupted']],
      [2, ['second turn', 'turn-end']],
    ]);
    await run.stop();
  });

  it('flushes a running turn when it reaches the maximum count', async () => {
    const { harness, batches, run, notified } = runAndCollect({ maxCount: 4 });
    await harness.seedTurn('a', { toolUses: 3, isOver: false });
    await notified();
    expect(batches).toEqual([]);
    await harness.seedToolUse('a');
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([4]);
    await run.stop();
  });

  it('counts no evidence toward the maximum count and includes it in the batch', async () => {
    const { harness, batches, run, notified } = runAndCollect({ maxCount: 3 });
    await harness.seedTurn('a', { toolUses: 2, isOver: false });
    await harness.seedEvidence('a', ['listing 1', 'listing 2', 'listing 3']);
    await notified();
    expect(batches).toEqual([]);
    await harness.seedToolUse('a');
    await harness.seedEvidence('a', ['listing 4']);
    await notified();
    expect(batches.map(getTexts)).toEqual([
      ['result 1', 'result 2', 'listing 1', 'listing 2', 'listing 3', 'late', 'listing 4'],
    ]);
    await run.stop();
  });

  it('flushes a running turn when it reaches the maximum bytes', async () => {
    const { harness, batches, run, notified } = runAndCollect({ maxBytes: 2_000 });
    const text = 'x'.repeat(700);
    await harness.seedTurn('a', { toolUses: 3, isOver: false, texts: [text, text, text] });
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([2]);
    await run.stop();
  });

  it('flushes a session on request also with waitForTurn, and later messages wait again', async () => {
    const { harness, batches, run, notified } = runAndCollect({ waitForTurn: () => true });
    const sessionId = await harness.seedTurn('a', { toolUses: 2, isOver: false });
    await harness.seedTurn('b', { isOver: false, texts: ['of another session'] });
    await notified();
    await harness.queue.flush({ sessionId, signal: new AbortController().signal });
    expect(batches.map(getTexts)).toEqual([['result 1', 'result 2']]);
    await harness.clock.advance(1);
    await harness.seedToolUse('a');
    await notified();
    expect(batches).toHaveLength(1);
    await harness.seedEnd('a');
    await notified();
    expect(batches.slice(1).map(getTexts)).toEqual([['late', 'turn-end']]);
    await run.stop();
  });

  it('flushes a turn of any size as one batch when waitForTurn returns true', async () => {
    const { harness, batches, run, notified } = runAndCollect({ maxCount: 4, waitForTurn: () => true });
    await harness.seedTurn('a', { toolUses: 90, isOver: false });
    await notified();
    expect(batches).toEqual([]);
    await harness.seedEnd('a');
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([91]);
    await run.stop();
  });

  it('uses the current result of waitForTurn for each decision', async () => {
    let waitsForTurn = true;
    const { harness, batches, run, notified } = runAndCollect({
      maxCount: 4,
      waitForTurn: () => waitsForTurn,
    });
    await harness.seedTurn('a', { toolUses: 6, isOver: false });
    await notified();
    expect(batches).toEqual([]);
    waitsForTurn = false;
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([4]);
    await run.stop();
  });

  it('splits a turn at the hard limit when waitForTurn returns true', async () => {
    const { harness, batches, run, notified } = runAndCollect({ waitForTurn: () => true });
    await harness.seedTurn('a', { toolUses: 2_100, isOver: false });
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([2_000]);
    await run.stop();
  });
});

describe('turns without tool uses', () => {
  const seedConversation = async (harness: QueueHarness, texts: readonly string[], session = 'a') => {
    for (const text of texts) {
      const at = harness.clock.now();
      await harness.seed([{ session, kind: 'prompt', at }, { session, kind: 'turn-end', at, text }]); // prettier-ignore
    }
  };
  const sixTurns = ['1', '2', '3', '4', '5', '6'];
  const ends = (batch: HeldBatch) =>
    batch.messages.map(({ payload }) => ('reason' in payload ? payload.lastAssistantMessage : 'tool use'));
  const run = (options: QueueOptions = {}) => runAndCollect({ maxTurns: () => 6, ...options });

  it('flushes turns without tool uses together when there are maxTurns', async () => {
    const { harness, batches, run: running, notified } = run();
    await seedConversation(harness, sixTurns.slice(0, 5));
    await notified();
    expect(batches).toEqual([]);
    await seedConversation(harness, ['6', '7']);
    await notified();
    expect(batches.map(ends)).toEqual([sixTurns]);
    expect(batches[0]).toMatchObject({ promptNumber: 6, isTurnOver: true });
    await running.stop();
  });

  it('flushes turns without tool uses one by one when maxTurns is 1', async () => {
    const { harness, batches, run: running, notified } = run({ maxTurns: () => 1 });
    await seedConversation(harness, ['1', '2']);
    await notified();
    expect(batches.map(ends)).toEqual([['1'], ['2']]);
    await running.stop();
  });

  it('flushes turns without tool uses when the session ends', async () => {
    const { harness, batches, run: running, notified } = run();
    await seedConversation(harness, ['1', '2']);
    await notified();
    await harness.seed([{ session: 'a', kind: 'session-end', at: harness.clock.now() }]);
    await notified();
    expect(batches.map(ends)).toEqual([['1', '2']]);
    await running.stop();
  });

  it('flushes turns without tool uses after ten minutes without a new message', async () => {
    const { harness, batches, run: running, notified } = run();
    await seedConversation(harness, ['1']);
    await notified();
    await harness.clock.advance(500_000);
    await seedConversation(harness, ['2']);
    await notified();
    await harness.clock.advance(599_999);
    await runPendingWork();
    expect(batches).toEqual([]);
    await harness.clock.advance(1);
    await runPendingWork();
    expect(batches.map(ends)).toEqual([['1', '2']]);
    await running.stop();
  });

  it('flushes turns without tool uses together with the next turn when it has tool uses and is over', async () => {
    const { harness, batches, run: running, notified } = run();
    await seedConversation(harness, ['1', '2']);
    await harness.seedTurn('a', { isOver: false });
    await notified();
    expect(batches).toEqual([]);
    await harness.seedEnd('a');
    await notified();
    expect(batches.map(ends)).toEqual([['1', '2', 'tool use', 'event']]);
    expect(batches[0]).toMatchObject({ promptNumber: 3, isTurnOver: true });
    await running.stop();
  });

  it('flushes turns without tool uses together with a part of the next turn when it is full and not over', async () => {
    const { harness, batches, run: running, notified } = run({ maxCount: 3 });
    await seedConversation(harness, ['1']);
    await harness.seedTurn('a', { toolUses: 2, isOver: false });
    await notified();
    expect(batches.map(ends)).toEqual([['1', 'tool use', 'tool use']]);
    expect(batches[0]).toMatchObject({ promptNumber: 2, isTurnOver: false });
    await harness.seedEnd('a');
    await notified();
    expect(batches.slice(1)).toMatchObject([{ promptNumber: 2, isTurnOver: true }]);
    await running.stop();
  });

  it('flushes turns without tool uses when a flush of the session is requested', async () => {
    const { harness, batches, run: running, notified } = run();
    await seedConversation(harness, ['1', '2']);
    const [first] = await harness.messages.list();
    await notified();
    await harness.queue.flush({ sessionId: first?.sessionId ?? 0, signal: new AbortController().signal });
    expect(batches.map(ends)).toEqual([['1', '2']]);
    await running.stop();
  });

  it('excludes a turn from the turns without tool uses when its tool uses were parked', async () => {
    const harness = openQueueHarness({ options: { maxTurns: () => 6 } });
    const seen: unknown[] = [];
    const running = startRun(harness, async (batch) => {
      seen.push(ends(batch));
      if (batch.messages.some(({ kind }) => kind === 'observation')) return batch.release(rejection);
      await harness.finish(batch);
    });
    await harness.seedTurn('a');
    harness.queue.notify();
    await runPendingWork();
    expect(seen).toEqual([['tool use', 'event'], ['tool use'], ['event']]);
    await running.stop();
  });

  it('retries turns without tool uses together when their batch failed', async () => {
    const harness = openQueueHarness({ options: { maxTurns: () => 6 } });
    const seen: unknown[] = [];
    const running = startRun(harness, async (batch) => {
      seen.push(ends(batch));
      if (seen.length === 1) return batch.release({ message: 'prose', retryable: true, scope: 'batch' });
      await harness.finish(batch);
    });
    await seedConversation(harness, sixTurns);
    harness.queue.notify();
    await runPendingWork();
    await harness.clock.advance(1_000);
    await runPendingWork();
    expect(seen).toEqual([sixTurns, sixTurns]);
    await running.stop();
  });
});

describe('messages that arrive during processing', () => {
  it('processes the end of a turn with the rest when it arrives during the first part', async () => {
    const harness = openQueueHarness({ options: { maxCount: 3 } });
    const batches: string[][] = [];
    let isFirst = true;
    const run = startRun(harness, async (batch) => {
      batches.push(getTexts(batch));
      if (isFirst) {
        isFirst = false;
        await harness.seedToolUse('a');
        await harness.seedEnd('a');
        harness.queue.notify();
        await runPendingWork(5);
      }
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 3, isOver: false });
    harness.queue.notify();
    await runPendingWork();
    expect(batches).toEqual([
      ['result 1', 'result 2', 'result 3'],
      ['late', 'turn-end'],
    ]);
    expect(await isEmpty(harness)).toBe(true);
    await run.stop();
  });

  it('includes tool uses in the batch when they arrive after the end and before the flush', async () => {
    const { harness, batches, run, notified } = runAndCollect();
    await harness.seedTurn('a', { toolUses: 1 });
    await harness.seedToolUse('a');
    await notified();
    expect(batches.map(getTexts)).toEqual([['result 1', 'turn-end', 'late']]);
    expect(batches[0]?.isTurnOver).toBe(true);
    await run.stop();
  });

  it('B010: processes late tool uses of a completed turn after lateFlushMs', async () => {
    const { harness, batches, run, notified } = runAndCollect({ lateFlushMs: 10_000 });
    await harness.seedTurn('a', { toolUses: 1 });
    await notified();
    await harness.clock.advance(60_000);
    for (const text of ['one', 'two', 'three']) {
      await harness.seedToolUse('a', text);
      await notified();
    }
    expect(batches).toHaveLength(1);
    await harness.clock.advance(10_000);
    await runPendingWork();
    expect(batches.slice(1).map(getTexts)).toEqual([['one', 'two', 'three']]);
    expect(await isEmpty(harness)).toBe(true);
    await run.stop();
  });
});

describe('queue without due work', () => {
  it('sends no request to the storage while nothing happens', async () => {
    let requests = 0;
    const harness = openQueueHarness({
      options: { leaseMs: 3_600_000 },
      wrap: (messages) => ({
        ...messages,
        waitingTurns: () => {
          requests += 1;
          return messages.waitingTurns();
        },
      }),
    });
    const run = startRun(harness, (batch) => harness.finish(batch));
    await harness.seedTurn('a', { isOver: false });
    harness.queue.notify();
    await runPendingWork();
    const before = requests;
    await harness.clock.advance(299_999);
    await runPendingWork();
    expect(requests).toBe(before);
    await harness.clock.advance(1);
    await runPendingWork();
    expect(await isEmpty(harness)).toBe(true);
    await run.stop();
  });

  it('processes a message whose notification arrives during a request to the storage', async () => {
    const harness = openQueueHarness({
      wrap: (messages) => ({
        ...messages,
        waitingTurns: async () => {
          const turns = await messages.waitingTurns();
          if (turns.length === 0 && !seededDuringRequest) {
            seededDuringRequest = true;
            await harness.seedTurn('during');
            harness.queue.notify();
          }
          return turns;
        },
      }),
    });
    let seededDuringRequest = false;
    const seen: number[] = [];
    harness.queue.notify();
    const run = startRun(harness, async (batch) => {
      seen.push(batch.sessionId);
      await harness.finish(batch);
    });
    await runPendingWork();
    expect(seen).toHaveLength(1);
    await run.stop();
  });
});
