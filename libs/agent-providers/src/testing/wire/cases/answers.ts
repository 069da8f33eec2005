import { expect } from 'vitest';
import { estimateCost } from '../../../model/estimate-cost.js';
import { failureInProse } from '../../../model/failure-in-prose.js';
import { MAX_REPLY_CHARS } from '../../../model/reply-limits.js';
import { openWireSetup } from '../open-wire-setup.js';
import type { WireCase } from '../wire-case.js';

const textOf = (sentences: number) =>
  '<observation><type>change</type><title>Preis 3 € — 合計 👩‍👩‍👧 cart</title><narrative>' +
  'The cart has a total now. '.repeat(sentences) +
  '</narrative></observation>';
const TEXT = textOf(60);

/** Test cases for answers. */
export const ANSWER_CASES: readonly WireCase[] = [
  {
    title: 'returns the text and the model of a reply',
    async run(harness) {
      const { provider, send } = await openWireSetup(harness, { kind: 'reply', text: TEXT });
      const reply = await send();
      expect(reply).toMatchObject({ text: TEXT, isTruncated: false });
      if (provider.model !== null) expect(reply.model).toBe(provider.model);
    },
  },
  {
    title: 'returns the same text when the reply arrives in pieces of three bytes',
    async run(harness) {
      const text = textOf(5);
      const { send } = await openWireSetup(harness, { kind: 'reply', text, pieceBytes: 3 });
      expect((await send()).text).toBe(text);
    },
  },
  {
    title: 'returns usage with cost, and counts cached tokens as input',
    async run(harness) {
      const usage = { inputTokens: 1000, cachedTokens: 800, outputTokens: 500 };
      const { provider, send } = await openWireSetup(harness, { kind: 'reply', text: TEXT, usage });
      const cost = harness.isFreeOnLoopback ? 0 : estimateCost(provider.model, usage);
      expect((await send()).usage).toEqual({ ...usage, estimatedCostUsd: expect.closeTo(cost, 9) });
    },
  },
  {
    title: 'returns an empty text for an empty reply',
    async run(harness) {
      const { send } = await openWireSetup(harness, { kind: 'reply', text: '' });
      expect(await send()).toMatchObject({ text: '', isTruncated: false });
    },
  },
  {
    title: 'returns prose instead of XML unchanged',
    async run(harness) {
      const text = 'Invalid API key · Please run /login';
      const { send } = await openWireSetup(harness, { kind: 'reply', text });
      const reply = await send();
      expect(reply.text).toBe(text);
      expect(failureInProse(reply.text)?.code).toBe('provider/auth-invalid');
    },
  },
  {
    title: 'marks a reply that stopped at its limit as truncated',
    async run(harness) {
      const text = TEXT.slice(0, 700);
      const { send } = await openWireSetup(harness, { kind: 'reply', text, stop: 'max-tokens' });
      expect(await send()).toMatchObject({ text, isTruncated: true });
    },
  },
  {
    title: 'cuts a reply of 6 MB, marks it as truncated and closes its connection',
    async run(harness) {
      const { fake, send } = await openWireSetup(harness, {
        kind: 'reply',
        text: '合計 total. '.repeat(500_000),
        // The vendor never sends the rest, because a fast client could receive all of it before closing the connection.
        stallAfterChunks: 4_000,
      });
      const reply = await send();
      expect(reply.text.length).toBeLessThanOrEqual(MAX_REPLY_CHARS);
      expect(reply.text.length).toBeGreaterThan(MAX_REPLY_CHARS / 2);
      expect(reply.isTruncated).toBe(true);
      expect(await fake.requests[0]?.ended).toBe('cut');
    },
  },
];
