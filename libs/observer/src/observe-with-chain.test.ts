import { createConversations, createProviderChain, ProviderError } from '@claude-mem/agent-providers';
import { createScriptedProvider, type ScriptStep } from '@claude-mem/agent-providers/testing';
import { noopLogger } from '@claude-mem/core';
import { createFixedClock, createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { observeWithChain } from './observe-with-chain.js';
import type { ObserveOptions } from './observe-options.js';

const MINUTE = 60_000;

describe('observeWithChain', () => {
  it('calls a fallback once when it fails temporarily, even while the first provider is tested again', async () => {
    const clock = createFixedClock(0);
    const busy: ScriptStep = { error: new ProviderError('rate-limited', 'Slow down.') };
    const reads = { capabilities: { readsBatch: true } };
    const first = createScriptedProvider([], { name: 'first', ...reads });
    const second = createScriptedProvider([], { name: 'second', otherwise: busy, ...reads });
    const chain = createProviderChain({ providers: [first, second], clock, pauseMs: MINUTE });
    {
      using attempt = chain.begin();
      attempt?.failed(new ProviderError('quota-exhausted', 'No credit.'));
    }
    await clock.advance(MINUTE);
    using trial = chain.begin();
    expect(trial?.provider).toBe(first);
    await using conversations = createConversations({ maxHistoryTokens: 0, clock });
    const options = { conversations, clock, log: noopLogger } as Partial<ObserveOptions> as ObserveOptions;
    const observed = observeWithChain(
      { ...options, chain },
      createObserverBatch(),
      new AbortController().signal,
    );
    await expect(observed).rejects.toMatchObject({ code: 'provider/rate-limited' });
    expect(second.requests).toHaveLength(1);
  });
});
