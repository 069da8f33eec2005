import { expect, it } from 'vitest';
import { openQueueHarness, sessionLimit, runPendingWork, startRun } from './queue-harness.js';

it('pauses only the failed session and counts no attempt when a session fails', async () => {
  const harness = openQueueHarness({ options: { concurrency: 1, pauseMs: 600_000 } });
  const limited = await harness.seedTurn('limited', { toolUses: 2 });
  const tries: number[] = [];
  const run = startRun(harness, async (batch) => {
    if (batch.sessionId !== limited) return harness.finish(batch);
    tries.push(harness.clock.now());
    await batch.release(sessionLimit);
  });
  const start = harness.clock.now();
  for (const session of ['a', 'b', 'c']) await harness.seedTurn(session);
  harness.queue.notify();
  await runPendingWork();
  expect(await harness.messages.list()).toMatchObject(
    Array.from({ length: 3 }, () => ({
      sessionId: limited,
      status: 'pending',
      attempts: 0,
      lastError: null,
    })),
  );
  expect(harness.queue.activity()).toEqual({
    running: 0,
    pausedUntil: null,
    pauseReason: null,
    pausedSessions: 1,
    sessionPauseReason: 'over its limit',
  });

  await harness.seedTurn('d');
  await harness.seedToolUse('limited');
  harness.queue.notify();
  await harness.clock.advance(599_999);
  await runPendingWork();
  expect(tries).toEqual([start]);
  expect(await harness.messages.counts()).toMatchObject({ pending: 4 });

  await harness.clock.advance(1);
  await runPendingWork();
  expect(tries).toEqual([start, start + 600_000]);
  await run.stop();
});

it('pauses the session for the requested time', async () => {
  const harness = openQueueHarness();
  let tries = 0;
  const run = startRun(harness, async (batch) => {
    tries += 1;
    if (tries > 1) return harness.finish(batch);
    await batch.release({ ...sessionLimit, retryAfterMs: 5_000 });
  });
  await harness.seedTurn('a');
  harness.queue.notify();
  await runPendingWork();
  await harness.clock.advance(4_999);
  await runPendingWork();
  expect(tries).toBe(1);
  expect(harness.queue.activity()).toMatchObject({ pausedSessions: 1 });
  await harness.clock.advance(1);
  await runPendingWork();
  expect(tries).toBe(2);
  expect(harness.queue.activity()).toMatchObject({ pausedSessions: 0, sessionPauseReason: null });
  await run.stop();
});

it('continues a paused session immediately when the queue is resumed', async () => {
  const harness = openQueueHarness();
  let isLimited = true;
  const run = startRun(harness, async (batch) => {
    if (isLimited) return batch.release(sessionLimit);
    await harness.finish(batch);
  });
  await harness.seedTurn('a');
  await harness.seedTurn('b');
  harness.queue.notify();
  await runPendingWork();
  expect(harness.queue.activity()).toMatchObject({ pausedSessions: 2 });
  isLimited = false;
  harness.queue.resume();
  await runPendingWork();
  expect(await harness.messages.list()).toEqual([]);
  await run.stop();
});

it('pauses a loop over one session when the session fails', async () => {
  const harness = openQueueHarness();
  const sessionId = await harness.seedTurn('a');
  const stop = new AbortController();
  let batches = 0;
  const loop = (async () => {
    for await (const batch of harness.queue.batches({ sessionId, signal: stop.signal })) {
      batches += 1;
      await batch.release({ ...sessionLimit, retryAfterMs: 5_000 });
    }
  })();
  await runPendingWork();
  await harness.clock.advance(4_999);
  await runPendingWork();
  expect(batches).toBe(1);
  await harness.clock.advance(1);
  await runPendingWork();
  expect(batches).toBe(2);
  stop.abort();
  await loop;
});

it('runs one session at a time after a provider failure until a batch succeeds', async () => {
  const harness = openQueueHarness({ options: { concurrency: 4 } });
  const started: number[] = [];
  let isDown = true;
  const run = startRun(harness, async (batch, { signal }) => {
    started.push(batch.sessionId);
    if (isDown) return batch.release({ message: 'down', retryable: true, scope: 'provider' });
    if (started.length === 5) return batch.release(sessionLimit);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
  for (const session of ['a', 'b', 'c', 'd']) await harness.seedTurn(session);
  harness.queue.notify();
  await runPendingWork();
  expect(started).toHaveLength(4);
  isDown = false;
  await harness.clock.advance(1_000);
  await runPendingWork();
  expect(started).toHaveLength(6);
  await run.stop();
});
