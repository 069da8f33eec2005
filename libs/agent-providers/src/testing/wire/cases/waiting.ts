import { expect } from 'vitest';
import { failureOf, openWireSetup, REQUEST, type WireSetup } from '../open-wire-setup.js';
import type { WireAnswer } from '../create-wire-fake.js';
import type { WireCase } from '../wire-case.js';

const LONG = 'The cart has a total now. '.repeat(80);
const OK: WireAnswer = { kind: 'reply', text: 'good' };

/** Test cases for aborts and time limits. */
export const WAITING_CASES: readonly WireCase[] = [
  {
    title: 'sends nothing and rejects with the reason when aborted before the start',
    async run(harness) {
      const { fake, provider } = await openWireSetup(harness, OK);
      await using conversation = await provider.startConversation();
      const reason = new Error('stop');
      await expect(conversation.send(REQUEST, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(fake.requests).toHaveLength(0);
    },
  },
  {
    title: 'closes the connection and stays usable when aborted while waiting',
    run: (harness) => cancelled(openWireSetup(harness, [{ kind: 'hang' }, OK])),
  },
  {
    title: 'closes the connection and stays usable when aborted in the middle of a reply',
    run: (harness) =>
      cancelled(openWireSetup(harness, [{ kind: 'reply', text: LONG, stallAfterChunks: 3 }, OK])),
  },
  {
    title: 'no response: timeout after the limit for the first byte, and closes the connection',
    run: (harness) => timedOut(openWireSetup(harness, { kind: 'hang' }, { firstByteMs: 90_000 }), 90_000),
  },
  {
    title: 'stalled reply: timeout after the limit between two pieces',
    run: (harness) =>
      timedOut(
        openWireSetup(harness, { kind: 'reply', text: LONG, stallAfterChunks: 3 }, { stallMs: 60_000 }),
        60_000,
      ),
  },
  {
    title: 'call longer than the total limit: timeout',
    run: (harness) =>
      timedOut(
        openWireSetup(harness, { kind: 'reply', text: LONG, stallAfterChunks: 3 }, { totalMs: 180_000 }),
        180_000,
      ),
  },
];

async function cancelled(opening: Promise<WireSetup>): Promise<void> {
  const { provider, arrived } = await opening;
  await using conversation = await provider.startConversation();
  const controller = new AbortController();
  const reason = new Error('stop');
  const sent = conversation.send(REQUEST, { signal: controller.signal });
  const request = await Promise.race([
    arrived,
    sent.then(() => Promise.reject(new Error('answered at once'))),
  ]);
  await request.silent;
  controller.abort(reason);
  await expect(sent).rejects.toBe(reason);
  expect(await request.ended).toBe('cut');
  expect(await conversation.send(REQUEST)).toMatchObject({ text: 'good' });
}

/** Advances the clock until the call fails, while pending data may arrive. The other time limits are never reached. */
async function timedOut(opening: Promise<WireSetup>, limitMs: number): Promise<void> {
  const { clock, arrived, send } = await opening;
  const sent = failureOf(send());
  const request = await Promise.race([arrived, sent.then((error) => Promise.reject(error))]);
  await request.silent;
  const startedAt = clock.now();
  let isOver = false;
  void sent.finally(() => (isOver = true));
  while (!isOver) {
    await clock.advance(limitMs / 10);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const error = await sent;
  expect(error).toMatchObject({ code: 'provider/timeout', retryable: true, usage: null });
  expect(clock.now() - startedAt).toBeGreaterThanOrEqual(limitMs);
  expect(await request.ended).toBe('cut');
}
