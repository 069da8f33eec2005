import { systemClock } from '@claude-mem/core';
import { describe, it, onTestFinished } from 'vitest';
import type { AgentProvider } from '../../agent-provider.js';
import type { ProviderFailure } from '../../provider-error.js';
import { describeAgentProvider } from '../describe-agent-provider.js';
import { createWireFake, type WireAnswer } from './create-wire-fake.js';
import { API_KEY, type WireHarness } from './open-wire-setup.js';
import { WIRE_CASES } from './wire-cases.js';

declare module 'vitest' {
  interface TaskMeta {
    /** Why a case does not apply. */
    excludedCases?: string;
  }
}

/** Tests the contract of providers that use HTTP, and the contract of every `AgentProvider`. */
export function describeProviderOnTheWire(name: string, harness: WireHarness): void {
  const { excludedCases = {} } = harness;
  const unknown = Object.keys(excludedCases).filter(
    (title) => !WIRE_CASES.some((one) => one.title === title),
  );
  if (unknown.length > 0) throw new Error(`${name} excludes unknown cases: ${unknown.join('; ')}`);

  describe(`On the wire: ${name}`, () => {
    for (const { title, run } of WIRE_CASES) {
      const reason = excludedCases[title];
      it(title, async ({ task, skip }) => {
        if (reason === undefined) return run(harness);
        task.meta.excludedCases = reason;
        return skip(reason);
      });
    }
  });

  describeAgentProvider(name, {
    open: () => openWith(harness, { kind: 'reply', text: '<summary/>' }),
    openWaiting: () => openWith(harness, { kind: 'hang' }),
    failures: Object.fromEntries(
      Object.entries(FAILURES).map(([failure, answer]) => [failure, () => openWith(harness, answer)]),
    ),
  });
}

const FAILURES: Partial<Record<ProviderFailure, WireAnswer>> = {
  'rate-limited': { kind: 'error', status: 429, errorKind: 'rate-limit' },
  'quota-exhausted': { kind: 'error', status: 402, errorKind: 'quota' },
  'auth-invalid': { kind: 'error', status: 401, errorKind: 'auth' },
  'setup-required': { kind: 'error', status: 404, errorKind: 'not-found' },
  overloaded: { kind: 'error', status: 503, errorKind: 'overloaded' },
  timeout: { kind: 'error', status: 408, errorKind: 'overloaded' },
  network: { kind: 'reset' },
  'bad-reply': { kind: 'hollow' },
  'too-long': { kind: 'error', status: 413, errorKind: 'too-long' },
  rejected: { kind: 'error', status: 400, errorKind: 'bad-request' },
};

async function openWith(harness: WireHarness, answer: WireAnswer): Promise<AgentProvider> {
  const fake = await createWireFake({ dialect: harness.dialect, answer: () => answer });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  return harness.open({ baseUrl: fake.url, apiKey: API_KEY, timeouts: {}, clock: systemClock });
}
