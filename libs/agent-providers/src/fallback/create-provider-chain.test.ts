import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderErrorOptions, type ProviderFailure } from '../provider-error.js';
import { createScriptedProvider } from '../testing/create-scripted-provider.js';
import { createProviderChain, type ProviderChain, type ProviderState } from './create-provider-chain.js';

const MINUTE = 60_000;

function lab(...names: string[]) {
  const clock = createFixedClock();
  const said: ProviderState[] = [];
  const chain = createProviderChain({
    providers: names.map((name) =>
      createScriptedProvider([], { name, capabilities: { readsBatch: name === 'local' } }),
    ),
    clock,
    onChange: (state, { isNews }) => void (isNews && said.push(state)),
  });
  return { clock, said, chain };
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
  it('asks the first as long as it works', () => {
    const { chain, said } = lab('a', 'b');
    succeed(chain);
    expect(asked(chain)).toBe('a');
    expect(said).toEqual([]);
  });

  it.each(['quota-exhausted', 'auth-invalid', 'setup-required'] as const)(
    'sets it aside at once when it is %s, for ten minutes, and goes back by itself',
    async (failure) => {
      const { chain, clock, said } = lab('a', 'b');
      fail(chain, failure);
      expect(asked(chain)).toBe('b');
      expect(chain.nextChangeAt()).toBe(clock.now() + 10 * MINUTE);
      await clock.advance(10 * MINUTE - 1);
      expect(asked(chain)).toBe('b');
      await clock.advance(1);
      expect(asked(chain)).toBe('a');
      succeed(chain);
      expect(said.map(({ name, state }) => `${name} ${state}`)).toEqual(['a aside', 'a works']);
    },
  );

  it('sets it aside as long as the vendor asks', async () => {
    const { chain, clock } = lab('a', 'b');
    fail(chain, 'quota-exhausted', { retryAfterMs: 60 * MINUTE });
    await clock.advance(59 * MINUTE);
    expect(asked(chain)).toBe('b');
    await clock.advance(MINUTE);
    expect(asked(chain)).toBe('a');
  });

  it.each(['rate-limited', 'overloaded', 'network', 'timeout'] as const)(
    'waits for it when it is %s, until the third failure in a row',
    (failure) => {
      const { chain } = lab('a', 'b');
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

  it('waits for it no longer than five minutes, and not at all when it asks for more', async () => {
    const { chain, clock } = lab('a', 'b');
    fail(chain, 'overloaded');
    await clock.advance(5 * MINUTE + 1);
    fail(chain, 'overloaded');
    expect(asked(chain)).toBe('b');
    const other = lab('a', 'b');
    fail(other.chain, 'rate-limited', { retryAfterMs: 6 * MINUTE });
    expect(asked(other.chain)).toBe('b');
  });

  it('takes failures of requests side by side for one', () => {
    const { chain } = lab('a', 'b');
    const attempts = Array.from({ length: 4 }, () => chain.begin());
    for (const attempt of attempts) attempt?.failed(new ProviderError('overloaded', 'Busy.'));
    expect(asked(chain)).toBe('a');
  });

  it('is not talked out of it by what was on its way when it was set aside', () => {
    const { chain } = lab('a', 'b');
    const [first, second, third] = [chain.begin(), chain.begin(), chain.begin()];
    first?.failed(new ProviderError('quota-exhausted', 'Spent.'));
    second?.failed(new ProviderError('overloaded', 'Busy.'));
    expect(asked(chain)).toBe('b');
    third?.succeeded();
    expect(asked(chain)).toBe('a');
  });

  it('waits for the last one however long it fails in passing', async () => {
    const { chain, clock } = lab('a');
    for (let hour = 0; hour < 12; hour += 1) {
      fail(chain, 'network');
      await clock.advance(60 * MINUTE);
      expect(chain.states()[0]?.state).toBe('waiting');
    }
    expect(asked(chain)).toBe('a');
  });

  it('has nobody when all are set aside, and says until when', () => {
    const { chain, clock } = lab('a', 'b');
    fail(chain, 'auth-invalid', { retryAfterMs: 2 * MINUTE });
    fail(chain, 'quota-exhausted');
    expect(chain.begin()).toBeNull();
    expect(chain.nextChangeAt()).toBe(clock.now() + 2 * MINUTE);
    chain.reset();
    expect(asked(chain)).toBe('a');
  });

  it('lets one request try whether it works again', async () => {
    const { chain, clock } = lab('a', 'b');
    fail(chain, 'quota-exhausted');
    await clock.advance(10 * MINUTE);
    const first = chain.begin();
    const second = chain.begin();
    expect([first?.provider.name, second?.provider.name]).toEqual(['a', 'b']);
    first?.succeeded();
    first?.[Symbol.dispose]();
    expect(chain.begin()?.provider.name).toBe('a');
  });

  it('says each change once, however often the same fault comes back', async () => {
    const { chain, clock, said } = lab('a', 'b');
    for (let times = 0; times < 6; times += 1) {
      fail(chain, 'quota-exhausted');
      await clock.advance(10 * MINUTE);
    }
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({ name: 'a', state: 'aside', reason: 'It is quota-exhausted.' });
    expect(chain.states()).toMatchObject([
      { state: 'aside', untilEpoch: null },
      { state: 'works', reason: null },
    ]);
  });

  it('holds who has spent its budget until its time; then it works without proof', async () => {
    const { chain, clock } = lab('a', 'local');
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

  it('holds who has spent a budget without an end until it is reset', async () => {
    const { chain, clock } = lab('a');
    chain.begin()?.overBudget({ reason: 'The budget is used up.', untilEpoch: null });
    await clock.advance(48 * 60 * MINUTE);
    expect(chain.begin()).toBeNull();
    expect(chain.nextChangeAt()).toBeNull();
    chain.reset();
    expect(asked(chain)).toBe('a');
  });

  it('finds one that costs nothing', () => {
    expect(lab('a', 'local').chain.begin({ costsNothing: true })?.provider.name).toBe('local');
    expect(lab('a').chain.begin({ costsNothing: true })).toBeNull();
  });
});
