import { createFixedClock, createObserverBatch, type FixedClock } from '@claude-mem/core/testing';
import type { Clock } from '@claude-mem/core';
import { onTestFinished } from 'vitest';
import type { AgentProvider, ObserverReply, ObserverRequest } from '../../agent-provider.js';
import type { CallTimeouts } from '../../model/call-within.js';
import { ProviderError } from '../../provider-error.js';
import { createWireFake, type WireAnswer, type WireFake, type WireRequest } from './create-wire-fake.js';
import type { WireDialect } from './wire-dialect.js';

export interface OpenOnTheWire {
  baseUrl: string;
  apiKey: string;
  timeouts: CallTimeouts;
  clock: Clock;
}

/** The provider and the vendor that the suite tests. */
export interface WireHarness {
  dialect: WireDialect;
  /** Creates a provider that uses `baseUrl`. */
  open: (options: OpenOnTheWire) => AgentProvider | Promise<AgentProvider>;
  /** Cases that do not apply to this vendor, by title, with the reason. */
  excludedCases?: Readonly<Record<string, string>>;
  /** Whether calls cost nothing because the server is on this machine. @default false */
  isFreeOnLoopback?: boolean;
}

/** Looks like a key but is none. */
export const API_KEY = 'sk-test-0123456789abcdefghijklmnop';

/** Infinite on a clock that stands still. */
const NEVER_MS = 1e12;

export type Answers =
  WireAnswer | readonly WireAnswer[] | ((request: WireRequest) => WireAnswer | Promise<WireAnswer>);

/** A provider and its vendor for one test. */
export interface WireSetup {
  readonly fake: WireFake;
  readonly provider: AgentProvider;
  readonly clock: FixedClock;
  /** Sends the request in a new conversation. */
  send(
    request?: Partial<ObserverRequest>,
    options?: { signal?: AbortSignal },
  ): Promise<ObserverReply & { kind: 'text' }>;
  /** Sends a request that has to fail. */
  fail(request?: Partial<ObserverRequest>): Promise<ProviderError>;
  /** Resolves with the first request when it arrives. */
  arrived: Promise<WireRequest>;
}

export const REQUEST: ObserverRequest = {
  instructions: 'Remember what is worth it.',
  prompt: 'The cart has a total now.',
  batch: createObserverBatch(),
};

/** @param timeouts on a clock that stands still until the test advances it */
export async function openWireSetup(
  harness: WireHarness,
  answers: Answers,
  timeouts: CallTimeouts = {},
): Promise<WireSetup> {
  const clock = createFixedClock();
  let onArrival: (request: WireRequest) => void = () => {};
  const arrived = new Promise<WireRequest>((resolve) => (onArrival = resolve));
  let count = 0;
  const fake = await createWireFake({
    dialect: harness.dialect,
    answer(request) {
      onArrival(request);
      count += 1;
      if (typeof answers === 'function') return answers(request);
      if (!isList(answers)) return answers;
      return (
        answers[count - 1] ?? {
          kind: 'error',
          status: 400,
          errorKind: 'bad-request',
          message: 'script is over',
        }
      );
    },
  });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const provider = await harness.open({
    baseUrl: fake.url,
    apiKey: API_KEY,
    timeouts: { firstByteMs: NEVER_MS, stallMs: NEVER_MS, totalMs: NEVER_MS, ...timeouts },
    clock,
  });
  const send: WireSetup['send'] = async (request = {}, options = {}) => {
    await using conversation = await provider.startConversation();
    const reply = await conversation.send({ ...REQUEST, ...request }, options);
    if (reply.kind !== 'text') throw new Error('a model answers with text');
    return reply;
  };
  return { fake, provider, clock, arrived, send, fail: (request) => failureOf(send(request)) };
}

export async function failureOf(sent: Promise<unknown>): Promise<ProviderError> {
  const error = await sent.then(
    (reply) => new Error(`it did not fail: ${JSON.stringify(reply).slice(0, 200)}`),
    (thrown: unknown) => thrown,
  );
  if (!ProviderError.isInstance(error)) throw error;
  return error;
}

const isList = (answers: WireAnswer | readonly WireAnswer[]): answers is readonly WireAnswer[] =>
  Array.isArray(answers);
