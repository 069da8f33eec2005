import { createConversations, createProviderChain, ProviderError } from '@claude-mem/agent-providers';
import { createScriptedProvider, type ScriptStep } from '@claude-mem/agent-providers/testing';
import { noopLogger } from '@claude-mem/core';
import { createFixedClock, createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import type { WorkerLog } from '../log/create-log.js';
import { askChain } from './ask-chain.js';
import type { AskOptions } from './ask-provider.js';

const MINUTE = 60_000;
const log: WorkerLog = { ...noopLogger, with: () => log, isDebug: false };

describe('askChain', () => {
  it('asks a stand-in that fails in passing once, also while the first is being tried', async () => {
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
    const options = { conversations, clock, log } as Partial<AskOptions> as AskOptions;
    const asked = askChain({ ...options, chain }, createObserverBatch(), new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ code: 'provider/rate-limited' });
    expect(second.requests).toHaveLength(1);
  });
});
