import { createFixedClock, createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import type { ObserverReply } from '../agent-provider.js';
import { PROVIDER_FAILURES, ProviderError, type ProviderFailure } from '../provider-error.js';
import { createScriptedProvider } from './create-scripted-provider.js';
import { describeAgentProvider } from './describe-agent-provider.js';

const usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 0, estimatedCostUsd: 0 };
const text = (value: string): ObserverReply => ({
  kind: 'text',
  text: value,
  usage,
  model: null,
  isTruncated: false,
});
const failing = (failure: ProviderFailure) => () =>
  createScriptedProvider([], { otherwise: { error: new ProviderError(failure, 'as scripted') } });

describeAgentProvider('scripted', {
  open: () => createScriptedProvider(),
  openWaiting: () => createScriptedProvider([{ hang: true }]),
  failures: Object.fromEntries(PROVIDER_FAILURES.map((failure) => [failure, failing(failure)])),
});

describeAgentProvider('scripted, answering with text and resuming', {
  open: () =>
    createScriptedProvider([], {
      capabilities: { resumes: true },
      otherwise: { reply: { ...text('<observation/>'), memorySessionId: 'm1' } },
    }),
});

describe('createScriptedProvider', () => {
  const request = { instructions: 'i', prompt: 'p', batch: createObserverBatch() };

  it('returns the scripted answers in order, then replies without records', async () => {
    const provider = createScriptedProvider([{ reply: text('one') }, { error: new Error('two') }]);
    await using conversation = await provider.startConversation({ resume: 'earlier' });
    expect(await conversation.send(request)).toEqual(text('one'));
    await expect(conversation.send(request)).rejects.toThrow('two');
    expect(await conversation.send(request)).toEqual({ kind: 'records', observations: [], summary: null });
    expect(provider.requests).toHaveLength(3);
    expect(provider.resumed).toEqual(['earlier']);
  });

  it('waits on the passed clock', async () => {
    const clock = createFixedClock();
    const provider = createScriptedProvider([{ reply: text('late'), delayMs: 1000 }], { clock });
    await using conversation = await provider.startConversation();
    const sent = conversation.send(request);
    await clock.advance(1000);
    expect(await sent).toEqual(text('late'));
  });

  it('counts each conversation once', async () => {
    const provider = createScriptedProvider();
    const conversation = await provider.startConversation();
    await conversation[Symbol.asyncDispose]();
    await conversation[Symbol.asyncDispose]();
    expect(provider.conversations).toEqual({ started: 1, disposed: 1 });
  });
});
