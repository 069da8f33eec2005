import { createFixedClock } from '@claude-mem/core/testing';
import { StorageError } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from '@claude-mem/core';
import { createForgetBin } from './create-forget-bin.js';

const SECOND = 1_000;
const quiet = { info: () => undefined, warn: () => undefined } as unknown as Logger;

let stop: AbortController;
let clock: ReturnType<typeof createFixedClock>;
/** Times at which the deletions become final. */
let bins: number[];
/** Deletions whose undo was interrupted. */
let half: number[];
let isBusy: boolean;
let isHalfStuck: boolean;
/** Seconds at which the file was overwritten. */
let erased: number[];
let start: number;
beforeEach(() => {
  stop = new AbortController();
  clock = createFixedClock();
  start = clock.now();
  bins = [];
  half = [];
  erased = [];
  isBusy = false;
  isHalfStuck = false;
});
afterEach(() => stop.abort());

function open() {
  const store = {
    async finishForgetting(now: number) {
      if (isBusy) throw new StorageError('storage/busy', 'locked');
      const before = bins.length;
      bins = bins.filter((at) => at > now);
      return {
        finished: before - bins.length,
        undoing: half,
        nextFinalAtEpoch: bins.length === 0 ? null : Math.min(...bins),
      };
    },
  };
  const eraser = {
    async now() {
      erased.push((clock.now() - start) / SECOND);
      return true;
    },
  };
  const undoing = {
    async undo(id: number) {
      if (isBusy || isHalfStuck) throw new StorageError('storage/busy', 'locked');
      half = half.filter((other) => other !== id);
      return null;
    },
  };
  const bin = createForgetBin({ store, undoing, eraser, clock, log: quiet, signal: stop.signal });
  return { bin, ended: bin.run() };
}

const pass = async (seconds: number) => {
  await clock.advance(0);
  for (let second = 0; second < seconds; second += 1) await clock.advance(SECOND);
};
const finalIn = (...seconds: number[]) => bins.push(...seconds.map((second) => start + second * SECOND));

describe('createForgetBin', () => {
  it('erases expired deletions at the start, and each later one when its undo period ends', async () => {
    finalIn(-5, 100);
    open();
    await pass(0);
    expect(erased).toEqual([0]);
    await pass(99);
    expect(bins).toHaveLength(1);
    await pass(2);
    expect(erased).toEqual([0, 100]);
  });

  it('erases deletions that expire at nearly the same time together, within a bounded delay', async () => {
    finalIn(10, 30, 55);
    open();
    await pass(60);
    expect(erased).toEqual([55]);
    finalIn(...Array.from({ length: 20 }, (_, number) => 80 + number * 20));
    stop.abort();
    stop = new AbortController();
    open();
    await pass(200);
    expect(erased).toEqual([55, 200]);
  });

  it('includes deletions made while it runs, and retries when the database is busy', async () => {
    const { bin } = open();
    await pass(5);
    finalIn(8);
    bin.wake();
    await pass(1);
    isBusy = true;
    await pass(4);
    expect(erased).toEqual([]);
    isBusy = false;
    await pass(6);
    expect(erased).toHaveLength(1);
    expect(bins).toEqual([]);
  });

  it('continues an interrupted undo when the database is no longer busy', async () => {
    half = [3, 4];
    isBusy = true;
    open();
    await pass(1);
    expect(half).toEqual([3, 4]);
    isBusy = false;
    await pass(6);
    expect(half).toEqual([]);
  });

  it('erases expired deletions when an interrupted undo cannot continue', async () => {
    half = [3];
    isHalfStuck = true;
    finalIn(-5);
    open();
    await pass(1);
    expect(erased).toHaveLength(1);
    isHalfStuck = false;
    await pass(6);
    expect([half, erased.length]).toEqual([[], 1]);
  });

  it('stops on request, and keeps the remaining deletions', async () => {
    finalIn(100);
    const { ended } = open();
    await pass(1);
    stop.abort();
    await ended;
    expect(bins).toHaveLength(1);
  });
});
