import { systemClock, type Clock } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { ProviderError } from '../provider-error.js';
import { createChainMember, type ChainMember } from './chain-member.js';

export interface ProviderChainOptions {
  /** In the order of preference. */
  providers: readonly AgentProvider[];
  /** @default systemClock */
  clock?: Clock;
  /** How long one is set aside that names no time. @default 600_000 */
  pauseMs?: number;
  /** Failures in a row after which a passing fault is no longer waited for. @default 3 */
  patienceFailures?: number;
  /** The same in time. @default 300_000 */
  patienceMs?: number;
  /** Called at every change of who may be asked. `isNews`: another state than was said last, or another reason. */
  onChange?: (state: ProviderState, how: { isNews: boolean }) => void;
}

/**
 * `works`: nothing is known against it. `waiting`: it failed in passing and is waited for. `aside`: others are asked
 * instead, or nobody, until `untilEpoch`; null: it is tried again with the next request.
 */
export interface ProviderState {
  name: string;
  model: string | null;
  state: 'works' | 'waiting' | 'aside';
  /** Null when it works. */
  reason: string | null;
  /** Of the latest failure. */
  sinceEpoch: number | null;
  untilEpoch: number | null;
}

/** One request to one provider. Disposing of it without a word on how it went changes nothing. */
export interface ProviderAttempt extends Disposable {
  readonly provider: AgentProvider;
  succeeded(): void;
  /** For failures of the provider, not of what it was sent. */
  failed(error: ProviderError): void;
  /** Its budget is used up; `untilEpoch` null: until somebody changes it. */
  overBudget(budget: { reason: string; untilEpoch: number | null }): void;
}

/** Decides who is asked. Keeps no requests: what could not be answered is brought again. */
export interface ProviderChain {
  /**
   * The first that may be asked now; null: nobody. One that was set aside is tried by one request at a time, the others
   * meanwhile go to the next. `costsNothing`: only those that read the batch themselves.
   */
  begin(options?: { costsNothing?: boolean }): ProviderAttempt | null;
  /** Who `begin` would ask if nothing was on its way. */
  current(): AgentProvider | null;
  /** When the next one comes back that is set aside now; null: none. */
  nextChangeAt(): number | null;
  states(): readonly ProviderState[];
  /** Everybody may be asked again now. */
  reset(): void;
}

/**
 * Providers of which one answers at a time. Who fails for good (quota, login, set-up) or has spent its budget is set aside
 * until its time and the next one answers; a passing fault is waited for, until it lasts. The first comes back by itself.
 */
export function createProviderChain({
  providers,
  clock = systemClock,
  pauseMs = 600_000,
  patienceFailures = 3,
  patienceMs = 300_000,
  onChange = () => {},
}: ProviderChainOptions): ProviderChain {
  const members = providers.map((provider) => createChainMember({ provider, clock, onChange }));
  const free = () => members.filter(({ isFree }) => isFree());
  const isLasting = (member: ChainMember, retryAfterMs: number | null) =>
    member.failuresInARow() >= patienceFailures ||
    member.failingForMs() > patienceMs ||
    (retryAfterMs ?? 0) > patienceMs;

  const attempt = (member: ChainMember): ProviderAttempt => {
    const visit = member.enter();
    return {
      provider: member.provider,
      succeeded: member.succeeded,
      failed(error) {
        const { retryable, retryAfterMs, message } = error;
        // what was on its way when it was set aside brings no news
        if (!member.isFree()) return;
        visit.countFailure();
        const hasOther = free().some((other) => other !== member);
        if (retryable && !(hasOther && isLasting(member, retryAfterMs))) member.waitFor(message);
        else member.setAside(message, clock.now() + (retryAfterMs || pauseMs));
      },
      overBudget: ({ reason, untilEpoch }) => member.spend(reason, untilEpoch ?? Infinity),
      [Symbol.dispose]: visit.leave,
    };
  };

  return {
    begin({ costsNothing = false } = {}) {
      const able = free().filter(({ provider }) => !costsNothing || provider.capabilities.readsBatch);
      const member = able.find(({ isTried }) => !isTried()) ?? able[0];
      return member === undefined ? null : attempt(member);
    },
    current: () => free()[0]?.provider ?? null,
    nextChangeAt() {
      const times = members.flatMap((member) => (member.isFree() ? [] : [member.freeAt()]));
      const first = Math.min(...times);
      return Number.isFinite(first) ? first : null;
    },
    states: () => members.map(({ state }) => state()),
    reset() {
      for (const member of members) member.reset();
    },
  };
}
