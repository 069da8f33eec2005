import { expect, it } from 'vitest';
import { openQueueLab, sessionLimit, settled, startRun } from './queue-lab.js';

it('holds one session alone, without an attempt, and the others go on', async () => {
  const lab = openQueueLab({ options: { concurrency: 1, pauseMs: 600_000 } });
  const limited = await lab.seedTurn('limited', { toolUses: 2 });
  const tries: number[] = [];
  const run = startRun(lab, async (batch) => {
    if (batch.sessionId !== limited) return lab.finish(batch);
    tries.push(lab.clock.now());
    await batch.release(sessionLimit);
  });
  const start = lab.clock.now();
  for (const session of ['a', 'b', 'c']) await lab.seedTurn(session);
  lab.queue.notify();
  await settled();
  expect(await lab.messages.list()).toMatchObject(
    Array.from({ length: 3 }, () => ({
      sessionId: limited,
      status: 'pending',
      attempts: 0,
      lastError: null,
    })),
  );
  expect(lab.queue.activity()).toEqual({
    running: 0,
    heldBackUntil: null,
    heldBackBecause: null,
    heldSessions: 1,
    heldSessionsBecause: 'over its limit',
  });

  await lab.seedTurn('d');
  await lab.seedToolUse('limited');
  lab.queue.notify();
  await lab.clock.advance(599_999);
  await settled();
  expect(tries).toEqual([start]);
  expect(await lab.messages.counts()).toMatchObject({ pending: 4 });

  await lab.clock.advance(1);
  await settled();
  expect(tries).toEqual([start, start + 600_000]);
  await run.stop();
});

it('holds it as long as it was told to', async () => {
  const lab = openQueueLab();
  let tries = 0;
  const run = startRun(lab, async (batch) => {
    tries += 1;
    if (tries > 1) return lab.finish(batch);
    await batch.release({ ...sessionLimit, retryAfterMs: 5_000 });
  });
  await lab.seedTurn('a');
  lab.queue.notify();
  await settled();
  await lab.clock.advance(4_999);
  await settled();
  expect(tries).toBe(1);
  expect(lab.queue.activity()).toMatchObject({ heldSessions: 1 });
  await lab.clock.advance(1);
  await settled();
  expect(tries).toBe(2);
  expect(lab.queue.activity()).toMatchObject({ heldSessions: 0, heldSessionsBecause: null });
  await run.stop();
});

it('goes on at once when it is resumed', async () => {
  const lab = openQueueLab();
  let isLimited = true;
  const run = startRun(lab, async (batch) => {
    if (isLimited) return batch.release(sessionLimit);
    await lab.finish(batch);
  });
  await lab.seedTurn('a');
  await lab.seedTurn('b');
  lab.queue.notify();
  await settled();
  expect(lab.queue.activity()).toMatchObject({ heldSessions: 2 });
  isLimited = false;
  lab.queue.resume();
  await settled();
  expect(await lab.messages.list()).toEqual([]);
  await run.stop();
});

it('holds the loop over one session too', async () => {
  const lab = openQueueLab();
  const sessionId = await lab.seedTurn('a');
  const stop = new AbortController();
  let batches = 0;
  const loop = (async () => {
    for await (const batch of lab.queue.batches({ sessionId, signal: stop.signal })) {
      batches += 1;
      await batch.release({ ...sessionLimit, retryAfterMs: 5_000 });
    }
  })();
  await settled();
  await lab.clock.advance(4_999);
  await settled();
  expect(batches).toBe(1);
  await lab.clock.advance(1);
  await settled();
  expect(batches).toBe(2);
  stop.abort();
  await loop;
});

it('is no success: while a provider is tried again, it stays one session at a time', async () => {
  const lab = openQueueLab({ options: { concurrency: 4 } });
  const started: number[] = [];
  let isDown = true;
  const run = startRun(lab, async (batch, { signal }) => {
    started.push(batch.sessionId);
    if (isDown) return batch.release({ message: 'down', retryable: true, scope: 'provider' });
    if (started.length === 5) return batch.release(sessionLimit);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
  for (const session of ['a', 'b', 'c', 'd']) await lab.seedTurn(session);
  lab.queue.notify();
  await settled();
  expect(started).toHaveLength(4);
  isDown = false;
  await lab.clock.advance(1_000);
  await settled();
  expect(started).toHaveLength(6);
  await run.stop();
});
