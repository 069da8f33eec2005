import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderErrorOptions, type ProviderFailure } from '../provider-error.js';
import { createScriptedProvider } from '../testing/create-scripted-provider.js';
import { createProviderChain, type ProviderChain } from './create-provider-chain.js';
import type { ProviderState } from './provider-state.js';

const MINUTE = 60_000;

function setup(...names: string[]) {
  const clock = createFixedClock();
  const changes: ProviderState[] = [];
  const chain = createProviderChain({
    providers: names.map((name) =>
      createScriptedProvider([], { name, capabilities: { readsBatch: name === 'local' } }),
    ),
    clock,
    onChange: (state, { isChanged }) => void (isChanged && changes.push(state)),
  });
  return { clock, said: changes, chain };
}

const asked = (chain: ProviderChain) => chain.current()?.name ?? null;

function fail(chain: ProviderChain, failure: ProviderFailure, options: ProviderErrorOptions = {}) {
  using attempt = chain.begin();
  attempt?.failed(new ProviderError(failure, `It is ${failure}.`, options));
}

function succeed(chain: ProviderChain) {
  using attempt = chain.begin();
  attempt?.succeeded();
}

describe('createProviderChain', () => {
  it('selects the first provider as long as it works', () => {
    const { chain, said: changes } = setup('a', 'b');
    succeed(chain);
    expect(asked(chain)).toBe('a');
    expect(changes).toEqual([]);
  });

  it.each(['quota-exhausted', 'auth-invalid', 'setup-required'] as const)(
    'pauses a provider at once when it is %s, for ten minutes, and then selects it again',
    async (failure) => {
      const { chain, clock, said: changes } = setup('a', 'b');
      fail(chain, failure);
      expect(asked(chain)).toBe('b');
      expect(chain.nextChangeAt()).toBe(clock.now() + 10 * MINUTE);
      await clock.advance(10 * MINUTE - 1);
      expect(asked(chain)).toBe('b');
      await clock.advance(1);
      expect(asked(chain)).toBe('a');
      succeed(chain);
      expect(changes.map(({ name, state }) => `${name} ${state}`)).toEqual(['a aside', 'a works']);
    },
  );

  it('pauses a provider for the time that the vendor names', async () => {
    const { chain, clock } = setup('a', 'b');
    fail(chain, 'quota-exhausted', { retryAfterMs: 60 * MINUTE });
    await clock.advance(59 * MINUTE);
    expect(asked(chain)).toBe('b');
    await clock.advance(MINUTE);
    expect(asked(chain)).toBe('a');
  });

  it.each(['rate-limited', 'overloaded', 'network', 'timeout'] as const)(
    'waits when a provider is %s, until the third consecutive failure',
    (failure) => {
      const { chain } = setup('a', 'b');
      fail(chain, failure);
      fail(chain, failure);
      expect(asked(chain)).toBe('a');
      succeed(chain);
      fail(chain, failure);
      fail(chain, failure);
      expect(asked(chain)).toBe('a');
      fail(chain, failure);
      expect(asked(chain)).toBe('b');
    },
  );

  it('waits at most five minutes, and not at all when the vendor names a longer time', async () => {
    const { chain, clock } = setup('a', 'b');
    fail(chain, 'overloaded');
    await clock.advance(5 * MINUTE + 1);
    fail(chain, 'overloaded');
    expect(asked(chain)).toBe('b');
    const other = setup('a', 'b');
    fail(other.chain, 'rate-limited', { retryAfterMs: 6 * MINUTE });
    expect(asked(other.chain)).toBe('b');
  });

  it('counts failures of simultaneous requests as one', () => {
    const { chain } = setup('a', 'b');
    const attempts = Array.from({ length: 4 }, () => chain.begin());
    for (const attempt of attempts) attempt?.failed(new ProviderError('overloaded', 'Busy.'));
    expect(asked(chain)).toBe('a');
  });

  it('keeps the pause when an earlier request succeeds', () => {
    const { chain } = setup('a', 'b');
    const [first, second, third] = [chain.begin(), chain.begin(), chain.begin()];
    first?.failed(new ProviderError('quota-exhausted', 'Spent.'));
    second?.failed(new ProviderError('overloaded', 'Busy.'));
    expect(asked(chain)).toBe('b');
    third?.succeeded();
    expect(asked(chain)).toBe('a');
  });

  it('waits for the last provider however long its temporary failures last', async () => {
    const { chain, clock } = setup('a');
    for (let hour = 0; hour < 12; hour += 1) {
      fail(chain, 'network');
      await clock.advance(60 * MINUTE);
      expect(chain.states()[0]?.state).toBe('waiting');
    }
    expect(asked(chain)).toBe('a');
  });

  it('selects none when all are paused, and reports until when', () => {
    const { chain, clock } = setup('a', 'b');
    fail(chain, 'auth-invalid', { retryAfterMs: 2 * MINUTE });
    fail(chain, 'quota-exhausted');
    expect(chain.begin()).toBeNull();
    expect(chain.nextChangeAt()).toBe(clock.now() + 2 * MINUTE);
    chain.reset();
    expect(asked(chain)).toBe('a');
  });

  it('sends one request to test whether a paused provider works again', async () => {
    const { chain, clock } = setup('a', 'b');
    fail(chain, 'quota-exhausted');
    await clock.advance(10 * MINUTE);
    const first = chain.begin();
    const second = chain.begin();
    expect([first?.provider.name, second?.provider.name]).toEqual(['a', 'b']);
    first?.succeeded();
    first?.[Symbol.dispose]();
    expect(chain.begin()?.provider.name).toBe('a');
  });

  it('reports each change once, however often the same failure repeats', async () => {
    const { chain, clock, said: changes } = setup('a', 'b');
    for (let times = 0; times < 6; times += 1) {
      fail(chain, 'quota-exhausted');
      await clock.advance(10 * MINUTE);
    }
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ name: 'a', state: 'aside', reason: 'It is quota-exhausted.' });
    expect(chain.states()).toMatchObject([
      { state: 'aside', untilEpoch: null },
      { state: 'works', reason: null },
    ]);
  });

  it('pauses a provider with a used-up budget until its time, and then selects it without a test', async () => {
    const { chain, clock } = setup('a', 'local');
    const until = clock.now() + 60 * MINUTE;
    const late = chain.begin();
    chain.begin()?.overBudget({ reason: 'The budget is used up.', untilEpoch: until });
    late?.succeeded();
    expect(asked(chain)).toBe('local');
    expect(chain.states()[0]).toMatchObject({ state: 'aside', untilEpoch: until });
    await clock.advance(60 * MINUTE);
    expect(asked(chain)).toBe('a');
    expect(chain.states()[0]?.state).toBe('works');
  });

  it('pauses a provider with a budget without an end until the reset', async () => {
    const { chain, clock } = setup('a');
    chain.begin()?.overBudget({ reason: 'The budget is used up.', untilEpoch: null });
    await clock.advance(48 * 60 * MINUTE);
    expect(chain.begin()).toBeNull();
    expect(chain.nextChangeAt()).toBeNull();
    chain.reset();
    expect(asked(chain)).toBe('a');
  });

  it('selects a provider that costs nothing', () => {
    expect(setup('a', 'local').chain.begin({ costsNothing: true })?.provider.name).toBe('local');
    expect(setup('a').chain.begin({ costsNothing: true })).toBeNull();
  });
});
