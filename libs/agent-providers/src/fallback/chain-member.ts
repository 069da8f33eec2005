import type { Clock } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { ProviderState } from './provider-state.js';

/** One provider with its failures. */
export interface ChainMember {
  readonly provider: AgentProvider;
  isAvailable(): boolean;
  /** A request is running that will show whether the provider works again. */
  isBeingTested(): boolean;
  availableAt(): number;
  failuresInARow(): number;
  failingForMs(): number;
  state(): ProviderState;
  beginRequest(): { countFailure(): void; end(): void };
  succeeded(): void;
  waitFor(reason: string): void;
  pause(reason: string, until: number): void;
  exhaustBudget(reason: string, until: number): void;
  reset(): void;
}

export function createChainMember({
  provider,
  clock,
  onChange,
}: {
  provider: AgentProvider;
  clock: Clock;
  onChange: (state: ProviderState, how: { isChanged: boolean }) => void;
}): ChainMember {
  let failure: { kind: 'waiting' | 'aside' | 'spent'; reason: string; sinceEpoch: number } | null = null;
  let until = -Infinity;
  let failures = 0;
  let failingSince = Infinity;
  let runningRequests = 0;
  let lastReported = 'works';

  const isAvailable = () => until <= clock.now();
  const state = (): ProviderState => {
    const { name, model } = provider;
    // A budget ends with the day, so no request has to succeed first.
    if (failure === null || (failure.kind === 'spent' && isAvailable()))
      return { name, model, state: 'works', reason: null, sinceEpoch: null, untilEpoch: null };
    const untilEpoch = isAvailable() || until === Infinity ? null : until;
    const { kind, reason, sinceEpoch } = failure;
    return { name, model, state: kind === 'waiting' ? 'waiting' : 'aside', reason, sinceEpoch, untilEpoch };
  };
  const report = () => {
    const now = state();
    const words = now.reason === null ? 'works' : `${now.state} ${now.reason}`;
    const isChanged = words !== lastReported;
    lastReported = words;
    if (isChanged || now.state === 'aside') onChange(now, { isChanged });
  };
  const setFailure = (kind: NonNullable<typeof failure>['kind'], reason: string, newUntil: number) => {
    failure = { kind, reason, sinceEpoch: clock.now() };
    until = newUntil;
    report();
  };
  const markWorking = () => {
    failure = null;
    until = -Infinity;
    failures = 0;
    failingSince = Infinity;
    report();
  };

  return {
    provider,
    isAvailable,
    isBeingTested: () => failure?.kind === 'aside' && runningRequests > 0,
    availableAt: () => until,
    failuresInARow: () => failures,
    failingForMs: () => Math.max(0, clock.now() - failingSince),
    state,
    beginRequest() {
      const before = failures;
      let hasEnded = false;
      runningRequests += 1;
      return {
        countFailure() {
          // Requests that ran at the same time count as one failure.
          if (failures > before) return;
          failures += 1;
          failingSince = Math.min(failingSince, clock.now());
        },
        end() {
          if (!hasEnded) runningRequests -= 1;
          hasEnded = true;
        },
      };
    },
    succeeded() {
      // A request from before the budget limit says nothing about the budget.
      if (failure?.kind !== 'spent' || isAvailable()) markWorking();
    },
    waitFor: (reason) => setFailure('waiting', reason, -Infinity),
    pause: (reason, newUntil) => setFailure('aside', reason, newUntil),
    exhaustBudget: (reason, newUntil) => setFailure('spent', reason, newUntil),
    reset: markWorking,
  };
}
