import { expect } from 'vitest';
import { NO_USAGE } from '../../../no-usage.js';
import { openScene, type Answers, type WireHarness } from '../open-scene.js';
import type { ProviderError, ProviderFailure } from '../../../provider-error.js';
import type { WireCase } from '../wire-case.js';

const LONG = 'The cart has a total now. '.repeat(80);

/** Connections that break, and answers that are none. Nobody knows what these cost. */
export const BROKEN_CASES: readonly WireCase[] = [
  {
    title: 'connection refused: network',
    async run(harness) {
      expect(await refused(harness)).toMatchObject({ code: 'provider/network', retryable: true });
    },
  },
  {
    title: 'connection refused: known to have cost nothing',
    async run(harness) {
      expect((await refused(harness)).usage).toEqual(NO_USAGE);
    },
  },
  { title: 'cut before the reply: network', run: (harness) => broken(harness, { kind: 'reset' }, 'network') },
  {
    title: 'cut in the middle of the reply: network',
    run: (harness) => broken(harness, { kind: 'reply', text: LONG, resetAfterChunks: 3 }, 'network'),
  },
  {
    title: 'a reply whose end is missing: network',
    run: (harness) => broken(harness, { kind: 'reply', text: LONG, endAfterChunks: 3 }, 'network'),
  },
  {
    title: 'a failure reported in the middle of the reply: what it says, cost unknown',
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
    title: '200 with JSON that is none: bad reply',
    run: (harness) => broken(harness, raw('application/json', '{"choices": [{"mess'), 'bad-reply'),
  },
  {
    title: '200 with a stream of events that cannot be read: bad reply',
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
    title: '200 without an answer in it: bad reply',
    run: (harness) => broken(harness, { kind: 'hollow' }, 'bad-reply'),
  },
];

async function refused(harness: WireHarness): Promise<ProviderError> {
  const { fake, fail } = await openScene(harness, { kind: 'hang' });
  await fake[Symbol.asyncDispose]();
  return fail();
}

async function broken(harness: WireHarness, answer: Answers, failure: ProviderFailure): Promise<void> {
  const { fail } = await openScene(harness, answer);
  expect(await fail()).toMatchObject({ code: `provider/${failure}`, retryable: true, usage: null });
}

const raw = (type: string, body: string) =>
  ({ kind: 'raw', status: 200, headers: { 'content-type': type }, body }) as const;
