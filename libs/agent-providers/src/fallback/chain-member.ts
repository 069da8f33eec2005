import type { Clock } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { ProviderState } from './create-provider-chain.js';

/** One provider and what is known about it. */
export interface ChainMember {
  readonly provider: AgentProvider;
  isFree(): boolean;
  /** A request is on its way that shows whether it works again. */
  isTried(): boolean;
  freeAt(): number;
  failuresInARow(): number;
  failingForMs(): number;
  state(): ProviderState;
  enter(): { countFailure(): void; leave(): void };
  succeeded(): void;
  waitFor(reason: string): void;
  setAside(reason: string, until: number): void;
  spend(reason: string, until: number): void;
  reset(): void;
}

export function createChainMember({
  provider,
  clock,
  onChange,
}: {
  provider: AgentProvider;
  clock: Clock;
  onChange: (state: ProviderState, how: { isNews: boolean }) => void;
}): ChainMember {
  let trouble: { kind: 'waiting' | 'aside' | 'spent'; reason: string; sinceEpoch: number } | null = null;
  let until = -Infinity;
  let failures = 0;
  let failingSince = Infinity;
  let onTheirWay = 0;
  let said = 'works';

  const isFree = () => until <= clock.now();
  const state = (): ProviderState => {
    const { name, model } = provider;
    // a new day needs no proof
    if (trouble === null || (trouble.kind === 'spent' && isFree()))
      return { name, model, state: 'works', reason: null, sinceEpoch: null, untilEpoch: null };
    const untilEpoch = isFree() || until === Infinity ? null : until;
    const { kind, reason, sinceEpoch } = trouble;
    return { name, model, state: kind === 'waiting' ? 'waiting' : 'aside', reason, sinceEpoch, untilEpoch };
  };
  const say = () => {
    const now = state();
    const words = now.reason === null ? 'works' : `${now.state} ${now.reason}`;
    const isNews = words !== said;
    said = words;
    if (isNews || now.state === 'aside') onChange(now, { isNews });
  };
  const setTrouble = (kind: NonNullable<typeof trouble>['kind'], reason: string, newUntil: number) => {
    trouble = { kind, reason, sinceEpoch: clock.now() };
    until = newUntil;
    say();
  };
  const heal = () => {
    trouble = null;
    until = -Infinity;
    failures = 0;
    failingSince = Infinity;
    say();
  };

  return {
    provider,
    isFree,
    isTried: () => trouble?.kind === 'aside' && onTheirWay > 0,
    freeAt: () => until,
    failuresInARow: () => failures,
    failingForMs: () => Math.max(0, clock.now() - failingSince),
    state,
    enter() {
      const before = failures;
      let hasLeft = false;
      onTheirWay += 1;
      return {
        countFailure() {
          // those that were on their way when the first of them failed are one failure together
          if (failures > before) return;
          failures += 1;
          failingSince = Math.min(failingSince, clock.now());
        },
        leave() {
          if (!hasLeft) onTheirWay -= 1;
          hasLeft = true;
        },
      };
    },
    succeeded() {
      // a call of before the ceiling was reached says nothing about the ceiling
      if (trouble?.kind !== 'spent' || isFree()) heal();
    },
    waitFor: (reason) => setTrouble('waiting', reason, -Infinity),
    setAside: (reason, newUntil) => setTrouble('aside', reason, newUntil),
    spend: (reason, newUntil) => setTrouble('spent', reason, newUntil),
    reset: heal,
  };
}
