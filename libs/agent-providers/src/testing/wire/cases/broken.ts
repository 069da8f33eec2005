import { expect } from 'vitest';
import { NO_USAGE } from '../../../no-usage.js';
import { openWireSetup, type Answers, type WireHarness } from '../open-wire-setup.js';
import type { ProviderError, ProviderFailure } from '../../../provider-error.js';
import type { WireCase } from '../wire-case.js';

const LONG = 'The cart has a total now. '.repeat(80);

/** Test cases for broken connections and invalid answers, whose cost is unknown. */
export const BROKEN_CASES: readonly WireCase[] = [
  {
    title: 'connection refused: network',
    async run(harness) {
      expect(await refused(harness)).toMatchObject({ code: 'provider/network', retryable: true });
    },
  },
  {
    title: 'connection refused: no cost',
    async run(harness) {
      expect((await refused(harness)).usage).toEqual(NO_USAGE);
    },
  },
  {
    title: 'connection lost before the reply: network',
    run: (harness) => broken(harness, { kind: 'reset' }, 'network'),
  },
  {
    title: 'connection lost in the middle of the reply: network',
    run: (harness) => broken(harness, { kind: 'reply', text: LONG, resetAfterChunks: 3 }, 'network'),
  },
  {
    title: 'reply without its end: network',
    run: (harness) => broken(harness, { kind: 'reply', text: LONG, endAfterChunks: 3 }, 'network'),
  },
  {
    title: 'error in the middle of the reply: reported failure, unknown cost',
    run: (harness) =>
      broken(
        harness,
        {
          kind: 'reply',
          text: LONG,
          errorAfterChunks: { chunks: 3, errorKind: 'overloaded', message: 'Overloaded' },
        },
        'overloaded',
      ),
  },
  {
    title: '200 with a web page: bad reply',
    run: (harness) => broken(harness, { kind: 'html', status: 200 }, 'bad-reply'),
  },
  {
    title: '200 with invalid JSON: bad reply',
    run: (harness) => broken(harness, raw('application/json', '{"choices": [{"mess'), 'bad-reply'),
  },
  {
    title: '200 with an invalid event stream: bad reply',
    run: (harness) =>
      broken(
        harness,
        raw('text/event-stream', 'event: message_start\ndata: {"type": "mess\n\n'),
        'bad-reply',
      ),
  },
  {
    title: '200 with an empty body: bad reply',
    run: (harness) => broken(harness, raw('text/event-stream', ''), 'bad-reply'),
  },
  {
    title: '200 without an answer: bad reply',
    run: (harness) => broken(harness, { kind: 'hollow' }, 'bad-reply'),
  },
];

async function refused(harness: WireHarness): Promise<ProviderError> {
  const { fake, fail } = await openWireSetup(harness, { kind: 'hang' });
  await fake[Symbol.asyncDispose]();
  return fail();
}

async function broken(harness: WireHarness, answer: Answers, failure: ProviderFailure): Promise<void> {
  const { fail } = await openWireSetup(harness, answer);
  expect(await fail()).toMatchObject({ code: `provider/${failure}`, retryable: true, usage: null });
}

const raw = (type: string, body: string) =>
  ({ kind: 'raw', status: 200, headers: { 'content-type': type }, body }) as const;
