import { describe, expect, it } from 'vitest';
import type { HeldBatch } from './queue.js';
import {
  openQueueHarness,
  rejection,
  settled,
  startRun,
  textsOf,
  type QueueHarness,
} from './queue-harness.js';
import type { QueueOptions } from './queue-options.js';

/** Runs a queue whose handler succeeds at once and keeps what it was given. */
function runAndCollect(options: QueueOptions = {}) {
  const harness = openQueueHarness({ options });
  const batches: HeldBatch[] = [];
  const run = startRun(harness, async (batch) => {
    batches.push(batch);
    await harness.finish(batch);
  });
  const notified = async () => {
    harness.queue.notify();
    await settled();
  };
  return { harness, batches, run, notified };
}

const isEmpty = async (harness: QueueHarness) => (await harness.messages.list()).length === 0;

describe('when a turn is flushed', () => {
  it('at its end: all tool uses and the end in one batch', async () => {
    const { harness, batches, run, notified } = runAndCollect();
    await harness.seedTurn('a', { toolUses: 3 });
    await notified();
    expect(batches.map(textsOf)).toEqual([['result 1', 'result 2', 'result 3', 'turn-end']]);
    expect(batches[0]).toMatchObject({ promptNumber: 1, isTurnOver: true });
    await run.stop();
  });

  it('not while it goes on, until it was silent for idleFlushMs', async () => {
    const { harness, batches, run, notified } = runAndCollect({ idleFlushMs: 60_000 });
    await harness.seedTurn('a', { toolUses: 2, isOver: false });
    await notified();
    await harness.clock.advance(40_000);
    await harness.seedToolUse('a');
    await notified();
    await harness.clock.advance(59_999);
    await settled();
    expect(batches).toEqual([]);
    await harness.clock.advance(1);
    await settled();
    expect(batches.map(textsOf)).toEqual([['result 1', 'result 2', 'late']]);
    expect(batches[0]?.isTurnOver).toBe(false);
    await run.stop();
  });

  it('when the next prompt comes, and the older turn first', async () => {
    const { harness, batches, run, notified } = runAndCollect();
    await harness.seedTurn('a', { isOver: false, texts: ['first turn'] });
    await notified();
    await harness.seedTurn('a', { isOver: true, texts: ['second turn'] });
    await notified();
    expect(batches.map((batch) => [batch.promptNumber, textsOf(batch)])).toEqual([
      [1, ['first turn', 'interrupted']],
      [2, ['second turn', 'turn-end']],
    ]);
    await run.stop();
  });

  it('when it overflows, by count', async () => {
    const { harness, batches, run, notified } = runAndCollect({ maxCount: 4 });
    await harness.seedTurn('a', { toolUses: 3, isOver: false });
    await notified();
    expect(batches).toEqual([]);
    await harness.seedToolUse('a');
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([4]);
    await run.stop();
  });

  it('when it overflows, by what takes a place: evidence goes along and fills nothing', async () => {
    const { harness, batches, run, notified } = runAndCollect({ maxCount: 3 });
    await harness.seedTurn('a', { toolUses: 2, isOver: false });
    await harness.seedEvidence('a', ['listing 1', 'listing 2', 'listing 3']);
    await notified();
    expect(batches).toEqual([]);
    await harness.seedToolUse('a');
    await harness.seedEvidence('a', ['listing 4']);
    await notified();
    expect(batches.map(textsOf)).toEqual([
      ['result 1', 'result 2', 'listing 1', 'listing 2', 'listing 3', 'late', 'listing 4'],
    ]);
    await run.stop();
  });

  it('when it overflows, by bytes', async () => {
    const { harness, batches, run, notified } = runAndCollect({ maxBytes: 2_000 });
    const text = 'x'.repeat(700);
    await harness.seedTurn('a', { toolUses: 3, isOver: false, texts: [text, text, text] });
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([2]);
    await run.stop();
  });

  it('when its session is asked for, also with waitForTurn, and what comes later waits again', async () => {
    const { harness, batches, run, notified } = runAndCollect({ waitForTurn: () => true });
    const sessionId = await harness.seedTurn('a', { toolUses: 2, isOver: false });
    await harness.seedTurn('b', { isOver: false, texts: ['of another session'] });
    await notified();
    await harness.queue.flush({ sessionId, signal: new AbortController().signal });
    expect(batches.map(textsOf)).toEqual([['result 1', 'result 2']]);
    await harness.clock.advance(1);
    await harness.seedToolUse('a');
    await notified();
    expect(batches).toHaveLength(1);
    await harness.seedEnd('a');
    await notified();
    expect(batches.slice(1).map(textsOf)).toEqual([['late', 'turn-end']]);
    await run.stop();
  });

  it('whole with waitForTurn, however many messages it has', async () => {
    const { harness, batches, run, notified } = runAndCollect({ maxCount: 4, waitForTurn: () => true });
    await harness.seedTurn('a', { toolUses: 90, isOver: false });
    await notified();
    expect(batches).toEqual([]);
    await harness.seedEnd('a');
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([91]);
    await run.stop();
  });

  it('by what waitForTurn says at that moment', async () => {
    let isWhole = true;
    const { harness, batches, run, notified } = runAndCollect({ maxCount: 4, waitForTurn: () => isWhole });
    await harness.seedTurn('a', { toolUses: 6, isOver: false });
    await notified();
    expect(batches).toEqual([]);
    isWhole = false;
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([4]);
    await run.stop();
  });

  it('even with waitForTurn once it passes the hard cap', async () => {
    const { harness, batches, run, notified } = runAndCollect({ waitForTurn: () => true });
    await harness.seedTurn('a', { toolUses: 2_100, isOver: false });
    await notified();
    expect(batches.map(({ messages }) => messages.length)).toEqual([2_000]);
    await run.stop();
  });
});

describe('turns without tool uses', () => {
  const talk = async (harness: QueueHarness, texts: readonly string[], session = 'a') => {
    for (const text of texts) {
      const at = harness.clock.now();
      await harness.seed([{ session, kind: 'prompt', at }, { session, kind: 'turn-end', at, text }]); // prettier-ignore
    }
  };
  const sixTurns = ['1', '2', '3', '4', '5', '6'];
  const ends = (batch: HeldBatch) =>
    batch.messages.map(({ payload }) => ('reason' in payload ? payload.lastAssistantMessage : 'tool use'));
  const run = (options: QueueOptions = {}) => runAndCollect({ maxTurns: () => 6, ...options });

  it('are flushed together when there are maxTurns', async () => {
    const { harness, batches, run: running, notified } = run();
    await talk(harness, sixTurns.slice(0, 5));
    await notified();
    expect(batches).toEqual([]);
    await talk(harness, ['6', '7']);
    await notified();
    expect(batches.map(ends)).toEqual([sixTurns]);
    expect(batches[0]).toMatchObject({ promptNumber: 6, isTurnOver: true });
    await running.stop();
  });

  it('are flushed one by one when maxTurns is 1', async () => {
    const { harness, batches, run: running, notified } = run({ maxTurns: () => 1 });
    await talk(harness, ['1', '2']);
    await notified();
    expect(batches.map(ends)).toEqual([['1'], ['2']]);
    await running.stop();
  });

  it('are flushed when the session ends', async () => {
    const { harness, batches, run: running, notified } = run();
    await talk(harness, ['1', '2']);
    await notified();
    await harness.seed([{ session: 'a', kind: 'session-end', at: harness.clock.now() }]);
    await notified();
    expect(batches.map(ends)).toEqual([['1', '2']]);
    await running.stop();
  });

  it('are flushed when the session was silent for ten minutes', async () => {
    const { harness, batches, run: running, notified } = run();
    await talk(harness, ['1']);
    await notified();
    await harness.clock.advance(500_000);
    await talk(harness, ['2']);
    await notified();
    await harness.clock.advance(599_999);
    await settled();
    expect(batches).toEqual([]);
    await harness.clock.advance(1);
    await settled();
    expect(batches.map(ends)).toEqual([['1', '2']]);
    await running.stop();
  });

  it('are flushed with the next turn when it has tool uses and is over', async () => {
    const { harness, batches, run: running, notified } = run();
    await talk(harness, ['1', '2']);
    await harness.seedTurn('a', { isOver: false });
    await notified();
    expect(batches).toEqual([]);
    await harness.seedEnd('a');
    await notified();
    expect(batches.map(ends)).toEqual([['1', '2', 'tool use', 'event']]);
    expect(batches[0]).toMatchObject({ promptNumber: 3, isTurnOver: true });
    await running.stop();
  });

  it('are flushed with a part of the next turn when it overflows, which is not over then', async () => {
    const { harness, batches, run: running, notified } = run({ maxCount: 3 });
    await talk(harness, ['1']);
    await harness.seedTurn('a', { toolUses: 2, isOver: false });
    await notified();
    expect(batches.map(ends)).toEqual([['1', 'tool use', 'tool use']]);
    expect(batches[0]).toMatchObject({ promptNumber: 2, isTurnOver: false });
    await harness.seedEnd('a');
    await notified();
    expect(batches.slice(1)).toMatchObject([{ promptNumber: 2, isTurnOver: true }]);
    await running.stop();
  });

  it('are flushed when their session is asked for', async () => {
    const { harness, batches, run: running, notified } = run();
    await talk(harness, ['1', '2']);
    const [first] = await harness.messages.list();
    await notified();
    await harness.queue.flush({ sessionId: first?.sessionId ?? 0, signal: new AbortController().signal });
    expect(batches.map(ends)).toEqual([['1', '2']]);
    await running.stop();
  });

  it('do not include a turn when its tool uses were parked', async () => {
    const harness = openQueueHarness({ options: { maxTurns: () => 6 } });
    const seen: unknown[] = [];
    const running = startRun(harness, async (batch) => {
      seen.push(ends(batch));
      if (batch.messages.some(({ kind }) => kind === 'observation')) return batch.release(rejection);
      await harness.finish(batch);
    });
    await harness.seedTurn('a');
    harness.queue.notify();
    await settled();
    expect(seen).toEqual([['tool use', 'event'], ['tool use'], ['event']]);
    await running.stop();
  });

  it('are retried together when their batch failed', async () => {
    const harness = openQueueHarness({ options: { maxTurns: () => 6 } });
    const seen: unknown[] = [];
    const running = startRun(harness, async (batch) => {
      seen.push(ends(batch));
      if (seen.length === 1) return batch.release({ message: 'prose', retryable: true, scope: 'batch' });
      await harness.finish(batch);
    });
    await talk(harness, sixTurns);
    harness.queue.notify();
    await settled();
    await harness.clock.advance(1_000);
    await settled();
    expect(seen).toEqual([sixTurns, sixTurns]);
    await running.stop();
  });
});

describe('what comes in meanwhile', () => {
  it('the end of a turn, while its first part is worked on, goes with the rest', async () => {
    const harness = openQueueHarness({ options: { maxCount: 3 } });
    const batches: string[][] = [];
    let isFirst = true;
    const run = startRun(harness, async (batch) => {
      batches.push(textsOf(batch));
      if (isFirst) {
        isFirst = false;
        await harness.seedToolUse('a');
        await harness.seedEnd('a');
        harness.queue.notify();
        await settled(5);
      }
      await harness.finish(batch);
    });
    await harness.seedTurn('a', { toolUses: 3, isOver: false });
    harness.queue.notify();
    await settled();
    expect(batches).toEqual([
      ['result 1', 'result 2', 'result 3'],
      ['late', 'turn-end'],
    ]);
    expect(await isEmpty(harness)).toBe(true);
    await run.stop();
  });

  it('tool uses recorded after the end, before it is flushed, are in the same batch', async () => {
    const { harness, batches, run, notified } = runAndCollect();
    await harness.seedTurn('a', { toolUses: 1 });
    await harness.seedToolUse('a');
    await notified();
    expect(batches.map(textsOf)).toEqual([['result 1', 'turn-end', 'late']]);
    expect(batches[0]?.isTurnOver).toBe(true);
    await run.stop();
  });

  it('B010: tool uses of a turn that was over and done are taken after a short silence', async () => {
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
    await settled();
    expect(batches.slice(1).map(textsOf)).toEqual([['one', 'two', 'three']]);
    expect(await isEmpty(harness)).toBe(true);
    await run.stop();
  });
});

describe('waiting', () => {
  it('asks the storage nothing while nothing happens', async () => {
    let looks = 0;
    const harness = openQueueHarness({
      options: { leaseMs: 3_600_000 },
      wrap: (messages) => ({
        ...messages,
        waitingTurns: () => {
          looks += 1;
          return messages.waitingTurns();
        },
      }),
    });
    const run = startRun(harness, (batch) => harness.finish(batch));
    await harness.seedTurn('a', { isOver: false });
    harness.queue.notify();
    await settled();
    const before = looks;
    await harness.clock.advance(299_999);
    await settled();
    expect(looks).toBe(before);
    await harness.clock.advance(1);
    await settled();
    expect(await isEmpty(harness)).toBe(true);
    await run.stop();
  });

  it('misses no notification, whenever it comes', async () => {
    const harness = openQueueHarness({
      wrap: (messages) => ({
        ...messages,
        waitingTurns: async () => {
          const turns = await messages.waitingTurns();
          if (turns.length === 0 && !seededDuringLook) {
            seededDuringLook = true;
            await harness.seedTurn('during');
            harness.queue.notify();
          }
          return turns;
        },
      }),
    });
    let seededDuringLook = false;
    const seen: number[] = [];
    harness.queue.notify();
    const run = startRun(harness, async (batch) => {
      seen.push(batch.sessionId);
      await harness.finish(batch);
    });
    await settled();
    expect(seen).toHaveLength(1);
    await run.stop();
  });
});
