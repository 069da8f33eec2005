import { describe, expect, it } from 'vitest';
import type { HeldBatch } from './queue.js';
import { openQueueLab, settled, startRun, textsOf, type QueueLab } from './queue-lab.js';
import type { QueueOptions } from './queue-options.js';

/** Runs a queue whose handler succeeds at once and keeps what it was given. */
function runAndCollect(options: QueueOptions = {}) {
  const lab = openQueueLab({ options });
  const batches: HeldBatch[] = [];
  const run = startRun(lab, async (batch) => {
    batches.push(batch);
    await lab.finish(batch);
  });
  const told = async () => {
    lab.queue.notify();
    await settled();
  };
  return { lab, batches, run, told };
}

const isEmpty = async (lab: QueueLab) => (await lab.messages.list()).length === 0;

describe('when a turn is flushed', () => {
  it('at its end: all tool uses and the end in one batch', async () => {
    const { lab, batches, run, told } = runAndCollect();
    await lab.seedTurn('a', { toolUses: 3 });
    await told();
    expect(batches.map(textsOf)).toEqual([['result 1', 'result 2', 'result 3', 'turn-end']]);
    expect(batches[0]).toMatchObject({ promptNumber: 1, isTurnOver: true });
    await run.stop();
  });

  it('not while it goes on, until it was silent for idleFlushMs', async () => {
    const { lab, batches, run, told } = runAndCollect({ idleFlushMs: 60_000 });
    await lab.seedTurn('a', { toolUses: 2, isOver: false });
    await told();
    await lab.clock.advance(40_000);
    await lab.seedToolUse('a');
    await told();
    await lab.clock.advance(59_999);
    await settled();
    expect(batches).toEqual([]);
    await lab.clock.advance(1);
    await settled();
    expect(batches.map(textsOf)).toEqual([['result 1', 'result 2', 'late']]);
    expect(batches[0]?.isTurnOver).toBe(false);
    await run.stop();
  });

  it('when the next prompt comes, and the older turn first', async () => {
    const { lab, batches, run, told } = runAndCollect();
    await lab.seedTurn('a', { isOver: false, texts: ['first turn'] });
    await told();
    await lab.seedTurn('a', { isOver: true, texts: ['second turn'] });
    await told();
    expect(batches.map((batch) => [batch.promptNumber, textsOf(batch)])).toEqual([
      [1, ['first turn', 'interrupted']],
      [2, ['second turn', 'turn-end']],
    ]);
    await run.stop();
  });

  it('when it overflows, by count', async () => {
    const { lab, batches, run, told } = runAndCollect({ maxCount: 4 });
    await lab.seedTurn('a', { toolUses: 3, isOver: false });
    await told();
    expect(batches).toEqual([]);
    await lab.seedToolUse('a');
    await told();
    expect(batches.map(({ messages }) => messages.length)).toEqual([4]);
    await run.stop();
  });

  it('when it overflows, by what takes a place: evidence goes along and fills nothing', async () => {
    const { lab, batches, run, told } = runAndCollect({ maxCount: 3 });
    await lab.seedTurn('a', { toolUses: 2, isOver: false });
    await lab.seedEvidence('a', ['listing 1', 'listing 2', 'listing 3']);
    await told();
    expect(batches).toEqual([]);
    await lab.seedToolUse('a');
    await lab.seedEvidence('a', ['listing 4']);
    await told();
    expect(batches.map(textsOf)).toEqual([
      ['result 1', 'result 2', 'listing 1', 'listing 2', 'listing 3', 'late', 'listing 4'],
    ]);
    await run.stop();
  });

  it('when it overflows, by bytes', async () => {
    const { lab, batches, run, told } = runAndCollect({ maxBytes: 2_000 });
    const text = 'x'.repeat(700);
    await lab.seedTurn('a', { toolUses: 3, isOver: false, texts: [text, text, text] });
    await told();
    expect(batches.map(({ messages }) => messages.length)).toEqual([2]);
    await run.stop();
  });

  it('when its session is asked for, also with waitForTurn, and what comes later waits again', async () => {
    const { lab, batches, run, told } = runAndCollect({ waitForTurn: () => true });
    const sessionId = await lab.seedTurn('a', { toolUses: 2, isOver: false });
    await lab.seedTurn('b', { isOver: false, texts: ['of another session'] });
    await told();
    await lab.queue.flush({ sessionId, signal: new AbortController().signal });
    expect(batches.map(textsOf)).toEqual([['result 1', 'result 2']]);
    await lab.clock.advance(1);
    await lab.seedToolUse('a');
    await told();
    expect(batches).toHaveLength(1);
    await lab.seedEnd('a');
    await told();
    expect(batches.slice(1).map(textsOf)).toEqual([['late', 'turn-end']]);
    await run.stop();
  });

  it('whole with waitForTurn, however many messages it has', async () => {
    const { lab, batches, run, told } = runAndCollect({ maxCount: 4, waitForTurn: () => true });
    await lab.seedTurn('a', { toolUses: 90, isOver: false });
    await told();
    expect(batches).toEqual([]);
    await lab.seedEnd('a');
    await told();
    expect(batches.map(({ messages }) => messages.length)).toEqual([91]);
    await run.stop();
  });

  it('by what waitForTurn says at that moment', async () => {
    let isWhole = true;
    const { lab, batches, run, told } = runAndCollect({ maxCount: 4, waitForTurn: () => isWhole });
    await lab.seedTurn('a', { toolUses: 6, isOver: false });
    await told();
    expect(batches).toEqual([]);
    isWhole = false;
    await told();
    expect(batches.map(({ messages }) => messages.length)).toEqual([4]);
    await run.stop();
  });

  it('even with waitForTurn once it passes the hard cap', async () => {
    const { lab, batches, run, told } = runAndCollect({ waitForTurn: () => true });
    await lab.seedTurn('a', { toolUses: 2_100, isOver: false });
    await told();
    expect(batches.map(({ messages }) => messages.length)).toEqual([2_000]);
    await run.stop();
  });
});

describe('what comes in meanwhile', () => {
  it('the end of a turn, while its first part is worked on, goes with the rest', async () => {
    const lab = openQueueLab({ options: { maxCount: 3 } });
    const batches: string[][] = [];
    let isFirst = true;
    const run = startRun(lab, async (batch) => {
      batches.push(textsOf(batch));
      if (isFirst) {
        isFirst = false;
        await lab.seedToolUse('a');
        await lab.seedEnd('a');
        lab.queue.notify();
        await settled(5);
      }
      await lab.finish(batch);
    });
    await lab.seedTurn('a', { toolUses: 3, isOver: false });
    lab.queue.notify();
    await settled();
    expect(batches).toEqual([
      ['result 1', 'result 2', 'result 3'],
      ['late', 'turn-end'],
    ]);
    expect(await isEmpty(lab)).toBe(true);
    await run.stop();
  });

  it('tool uses recorded after the end, before it is flushed, are in the same batch', async () => {
    const { lab, batches, run, told } = runAndCollect();
    await lab.seedTurn('a', { toolUses: 1 });
    await lab.seedToolUse('a');
    await told();
    expect(batches.map(textsOf)).toEqual([['result 1', 'turn-end', 'late']]);
    expect(batches[0]?.isTurnOver).toBe(true);
    await run.stop();
  });

  it('B010: tool uses of a turn that was over and done are taken after a short silence', async () => {
    const { lab, batches, run, told } = runAndCollect({ lateFlushMs: 10_000 });
    await lab.seedTurn('a', { toolUses: 1 });
    await told();
    await lab.clock.advance(60_000);
    for (const text of ['one', 'two', 'three']) {
      await lab.seedToolUse('a', text);
      await told();
    }
    expect(batches).toHaveLength(1);
    await lab.clock.advance(10_000);
    await settled();
    expect(batches.slice(1).map(textsOf)).toEqual([['one', 'two', 'three']]);
    expect(await isEmpty(lab)).toBe(true);
    await run.stop();
  });
});

describe('waiting', () => {
  it('asks the storage nothing while nothing happens', async () => {
    let looks = 0;
    const lab = openQueueLab({
      options: { leaseMs: 3_600_000 },
      wrap: (messages) => ({
        ...messages,
        waitingTurns: () => {
          looks += 1;
          return messages.waitingTurns();
        },
      }),
    });
    const run = startRun(lab, (batch) => lab.finish(batch));
    await lab.seedTurn('a', { isOver: false });
    lab.queue.notify();
    await settled();
    const before = looks;
    await lab.clock.advance(299_999);
    await settled();
    expect(looks).toBe(before);
    await lab.clock.advance(1);
    await settled();
    expect(await isEmpty(lab)).toBe(true);
    await run.stop();
  });

  it('misses no notification, whenever it comes', async () => {
    const lab = openQueueLab({
      wrap: (messages) => ({
        ...messages,
        waitingTurns: async () => {
          const turns = await messages.waitingTurns();
          if (turns.length === 0 && !seededDuringLook) {
            seededDuringLook = true;
            await lab.seedTurn('during');
            lab.queue.notify();
          }
          return turns;
        },
      }),
    });
    let seededDuringLook = false;
    const seen: number[] = [];
    lab.queue.notify();
    const run = startRun(lab, async (batch) => {
      seen.push(batch.sessionId);
      await lab.finish(batch);
    });
    await settled();
    expect(seen).toHaveLength(1);
    await run.stop();
  });
});
