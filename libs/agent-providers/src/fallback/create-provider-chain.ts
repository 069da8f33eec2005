import { systemClock, type Clock } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { ProviderError } from '../provider-error.js';
import { createChainMember, type ChainMember } from './chain-member.js';
import type { ProviderState } from './provider-state.js';

export interface ProviderChainOptions {
  /** Ordered by preference. */
  providers: readonly AgentProvider[];
  /** @default systemClock */
  clock?: Clock;
  /** Milliseconds for which a failed provider is paused when it names no time. @default 600_000 */
  pauseMs?: number;
  /** Consecutive failures after which the next provider replaces one with a temporary failure. @default 3 */
  maxTemporaryFailures?: number;
  /** Milliseconds of failures after which the same happens. @default 300_000 */
  maxTemporaryFailureMs?: number;
  /**
   * Called when the state of a provider changes. `isChanged` is true when the state or its reason differs from the last
   * call.
   */
  onChange?: (state: ProviderState, how: { isChanged: boolean }) => void;
}

/** One request to one provider. Disposing it without a reported result changes nothing. */
export interface ProviderAttempt extends Disposable {
  readonly provider: AgentProvider;
  succeeded(): void;
  /** Reports a failure of the provider, not a failure that the request caused. */
  failed(error: ProviderError): void;
  /** Reports that the budget is used up. `untilEpoch` is null when only a changed setting ends this. */
  overBudget(budget: { reason: string; untilEpoch: number | null }): void;
}

/** Selects the provider of each request. Stores no requests: the caller repeats a request that failed. */
export interface ProviderChain {
  /**
   * Returns the first available provider, or null. A provider that was paused gets one request at a time; other
   * requests go to the next provider meanwhile. `costsNothing` selects only providers that read the batch themselves.
   */
  begin(options?: { costsNothing?: boolean }): ProviderAttempt | null;
  /** Returns the provider that `begin` would select if no request was running. */
  current(): AgentProvider | null;
  /** Epoch milliseconds at which the next paused provider becomes available, or null. */
  nextChangeAt(): number | null;
  states(): readonly ProviderState[];
  /** Makes all providers available. */
  reset(): void;
}

/**
 * Creates a chain in which one provider answers at a time. A permanent failure (quota, login, setup) or a used-up
 * budget pauses a provider, and the next one answers. A temporary failure is waited for until it lasts too long. The
 * preferred provider is used again as soon as its pause ends.
 */
export function createProviderChain({
  providers,
  clock = systemClock,
  pauseMs = 600_000,
  maxTemporaryFailures = 3,
  maxTemporaryFailureMs = 300_000,
  onChange = () => {},
}: ProviderChainOptions): ProviderChain {
  const members = providers.map((provider) => createChainMember({ provider, clock, onChange }));
  const available = () => members.filter(({ isAvailable: isFree }) => isFree());
  const isLasting = (member: ChainMember, retryAfterMs: number | null) =>
    member.failuresInARow() >= maxTemporaryFailures ||
    member.failingForMs() > maxTemporaryFailureMs ||
    (retryAfterMs ?? 0) > maxTemporaryFailureMs;

  const attempt = (member: ChainMember): ProviderAttempt => {
    const request = member.beginRequest();
    return {
      provider: member.provider,
      succeeded: member.succeeded,
      failed(error) {
        const { retryable, retryAfterMs, message } = error;
        // The provider was paused by another request that ran at the same time.
        if (!member.isAvailable()) return;
        request.countFailure();
        const hasOther = available().some((other) => other !== member);
        if (retryable && !(hasOther && isLasting(member, retryAfterMs))) member.waitFor(message);
        else member.pause(message, clock.now() + (retryAfterMs || pauseMs));
      },
      overBudget: ({ reason, untilEpoch }) => member.exhaustBudget(reason, untilEpoch ?? Infinity),
      [Symbol.dispose]: request.end,
    };
  };

  return {
    begin({ costsNothing = false } = {}) {
      const able = available().filter(({ provider }) => !costsNothing || provider.capabilities.readsBatch);
      const member = able.find(({ isBeingTested: isTried }) => !isTried()) ?? able[0];
      return member === undefined ? null : attempt(member);
    },
    current: () => available()[0]?.provider ?? null,
    nextChangeAt() {
      const times = members.flatMap((member) => (member.isAvailable() ? [] : [member.availableAt()]));
      const first = Math.min(...times);
      return Number.isFinite(first) ? first : null;
    },
    states: () => members.map(({ state }) => state()),
    reset() {
      for (const member of members) member.reset();
    },
  };
}
