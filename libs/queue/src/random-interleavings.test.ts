import type { PendingMessages } from '@claude-mem/core';
import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { createQueue } from './create-queue.js';
import { openQueueHarness, runPendingWork, getText, type QueueHarness } from './queue-harness.js';

/** Wraps the port so that its process can be killed. After that, no call has an effect or an answer. */
function createKillable(messages: PendingMessages) {
  const life = { isOver: false };
  const calls = Object.entries(messages).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      if (life.isOver) return new Promise(() => {});
      const answer = await (call as (...all: unknown[]) => Promise<unknown>)(...args);
      return life.isOver ? new Promise(() => {}) : answer;
    },
  ]);
  return { life, messages: Object.fromEntries(calls) as PendingMessages };
}

async function playRound(seed: number) {
  const random = randomFrom(seed);
  const harness = openQueueHarness();
  const done = new Map<number, number>();
  const lastOfSession = new Map<number, { promptNumber: number; id: number }>();
  let seeded = 0;
  let outOfOrder = 0;
  /** Times before which a session must not be claimed. */
  const pausedUntil = new Map<number, number>();
  let startedWhilePaused = 0;
  let isCalm = false;

  const maxTurns = 1 + Math.floor(random() * 4);
  const open = () => {
    const { life, messages } = createKillable(harness.messages);
    const queue = createQueue({
      messages,
      clock: harness.clock,
      options: {
        backoffMs: (attempt) => attempt * 500,
        concurrency: 3,
        maxCount: 5,
        maxTurns: () => maxTurns,
        maxRecoveries: 1_000,
        maxAttempts: 1_000,
      },
    });
    const stop = new AbortController();
    pausedUntil.clear();
    const ended = queue.run(
      async (batch) => {
        const startedAt = harness.clock.now();
        for (let wait = Math.floor(random() * 4); wait > 0; wait -= 1)
          await new Promise((resolve) => setImmediate(resolve));
        if (life.isOver) return new Promise(() => {});
        if ((pausedUntil.get(batch.sessionId) ?? 0) > startedAt) startedWhilePaused += 1;
        const chance = isCalm ? 0.4 : random();
        if (chance < 0.5) {
          for (const { id, promptNumber, sessionId } of batch.messages) {
            done.set(id, (done.get(id) ?? 0) + 1);
            const last = lastOfSession.get(sessionId) ?? { promptNumber: 0, id: 0 };
            if (promptNumber < last.promptNumber || (promptNumber === last.promptNumber && id < last.id))
              outOfOrder += 1;
            lastOfSession.set(sessionId, { promptNumber, id });
          }
          await harness.confirm(batch.messages);
          if (chance < 0.05) return new Promise(() => {}); // The batch is committed, and the handler does not return before the kill.
          return batch.confirm();
        }
        if (chance < 0.6) throw new Error('broken handler');
        if (chance < 0.7) return;
        if (chance < 0.8) return batch.release({ message: 'down', retryable: random() < 0.9, retryAfterMs: 300, scope: 'provider' }); // prettier-ignore
        if (chance < 0.88) {
          pausedUntil.set(batch.sessionId, harness.clock.now() + 4_000);
          return batch.release({ message: 'limit', retryable: false, retryAfterMs: 4_000, scope: 'session' });
        }
        if (chance < 0.92) return batch.release({ message: 'garbage', retryable: true, scope: 'message' });
        if (chance < 0.96) return batch.release({ message: 'prose', retryable: true, scope: 'batch' });
        return new Promise(() => {});
      },
      { signal: stop.signal },
    );
    return {
      queue,
      kill: () => {
        life.isOver = true;
      },
      stop: async () => {
        stop.abort();
        for (let step = 0; step < 5; step += 1) await harness.clock.advance(500);
        await ended;
      },
    };
  };

  let process = open();
  const step = async () => {
    const choice = random();
    if (choice < 0.4) {
      const session = `s${Math.floor(random() * 4)}`;
      const kind = random();
      const at = harness.clock.now();
      const before = (await harness.messages.list({ limit: 10_000 })).length;
      await harness.seed([
        {
          session,
          kind: kind < 0.2 ? 'prompt' : kind < 0.7 ? 'tool-use' : kind < 0.97 ? 'turn-end' : 'session-end',
          isEvidence: kind > 0.5 && kind < 0.7,
          at,
          text: `event ${seeded}`,
        },
      ]);
      seeded += (await harness.messages.list({ limit: 10_000 })).length - before;
      if (random() < 0.7) process.queue.notify();
    } else if (choice < 0.7) await runPendingWork(Math.floor(random() * 6));
    else if (choice < 0.9) await harness.clock.advance(Math.floor(random() * 5_000));
    else if (choice < 0.92) {
      process.queue.resume();
      pausedUntil.clear();
    } else if (choice < 0.96) {
      process.kill();
      process = open();
    } else {
      await process.stop();
      process = open();
    }
  };
  for (let count = 0; count < 120; count += 1) await step();

  // The queue cannot end handlers that never return. After a last kill, all messages must be processed.
  isCalm = true;
  process.kill();
  process = open();
  await processAll(harness);
  await process.stop();
  return { harness, done, seeded, outOfOrder, startedWhilePaused };
}

async function processAll(harness: QueueHarness) {
  for (let minute = 0; minute < 60; minute += 1) {
    await runPendingWork(10);
    if ((await harness.messages.list()).length === 0) return;
    await harness.clock.advance(60_000);
  }
}

it(
  'B009: processes every message once and in order for random sequences of events',
  { timeout: 60_000 },
  async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { harness, done, seeded, outOfOrder, startedWhilePaused } = await playRound(seed);
      const left = (await harness.messages.list({ limit: 10_000 })).map((message) => getText(message));
      expect({ seed, left, done: done.size, outOfOrder, startedWhilePaused }).toEqual({
        seed,
        left: [],
        done: seeded,
        outOfOrder: 0,
        startedWhilePaused: 0,
      });
      expect(Math.max(...done.values()), `seed ${seed}`).toBe(1);
    }
  },
);
