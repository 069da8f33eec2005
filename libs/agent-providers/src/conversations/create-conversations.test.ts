import { createFixedClock, createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import type { ObserverReply } from '../agent-provider.js';
import { ProviderError } from '../provider-error.js';
import { createScriptedProvider, type ScriptStep } from '../testing/create-scripted-provider.js';
import { createConversations, type ConversationsOptions } from './create-conversations.js';

const REQUEST = { instructions: 'i'.repeat(400), prompt: 'p', batch: createObserverBatch() };

/** @param history tokens besides the 100 of the instructions */
function answer(memorySessionId = 'm1', history = 50): ScriptStep & { reply: ObserverReply } {
  const usage = { inputTokens: 100 + history - 10, outputTokens: 10, cachedTokens: 0, estimatedCostUsd: 0 };
  return {
    reply: { kind: 'text', text: '<summary/>', usage, model: 'm', isTruncated: false, memorySessionId },
  };
}

function open(script: readonly ScriptStep[] = [], options: Partial<ConversationsOptions> = {}) {
  const clock = createFixedClock();
  const provider = createScriptedProvider(script, {
    clock,
    capabilities: { resumes: true },
    otherwise: answer(),
  });
  const conversations = createConversations({ maxHistoryTokens: 1_000, clock, ...options });
  const send = (sessionId: number, memorySessionId: string | null = null, signal?: AbortSignal) =>
    conversations.send(provider, { sessionId, memorySessionId }, REQUEST, signal ? { signal } : {});
  return { clock, provider, conversations, send };
}

describe('createConversations', () => {
  it('continues the conversation of a session, and returns the id to store', async () => {
    const { provider, send } = open([answer(), answer()]);
    expect(await send(1)).toEqual({ reply: answer().reply, memorySessionId: 'm1' });
    await send(1, 'm1');
    expect(provider.conversations).toEqual({ started: 1, disposed: 0 });
  });

  it('resumes the stored conversation of an earlier process', async () => {
    const { provider, send } = open();
    await send(1, 'earlier');
    await send(2);
    expect(provider.resumed).toEqual(['earlier', undefined]);
  });

  it('opens a conversation per request and stores nothing when the provider cannot resume', async () => {
    const { conversations } = open();
    const provider = createScriptedProvider();
    const session = { sessionId: 1, memorySessionId: 'of another provider' };
    for (let count = 0; count < 2; count += 1)
      expect((await conversations.send(provider, session, REQUEST)).memorySessionId).toBeUndefined();
    expect(provider.conversations).toEqual({ started: 2, disposed: 2 });
    expect(provider.resumed).toEqual([undefined, undefined]);
  });

  it('disposes a conversation whose request failed', async () => {
    const { conversations } = open();
    const provider = createScriptedProvider([{ error: new ProviderError('overloaded', 'busy') }]);
    const sent = conversations.send(provider, { sessionId: 1, memorySessionId: null }, REQUEST);
    await expect(sent).rejects.toMatchObject({ code: 'provider/overloaded' });
    expect(provider.conversations).toEqual({ started: 1, disposed: 1 });
  });

  it('closes a conversation with too much history, and clears its stored id', async () => {
    const { provider, send } = open([answer('m1', 1_000), answer('m1', 1_001), answer('m2')]);
    expect((await send(1)).memorySessionId).toBe('m1');
    expect((await send(1, 'm1')).memorySessionId).toBeNull();
    expect(provider.conversations).toEqual({ started: 1, disposed: 1 });
    expect((await send(1, null)).memorySessionId).toBe('m2');
    expect(provider.resumed).toEqual([undefined, undefined]);
  });

  it('estimates the history when the vendor reports no usage', async () => {
    const { provider, conversations } = open([answer('m1', 0), answer('m1', 0)]);
    const request = { ...REQUEST, prompt: 'p'.repeat(2_400) };
    const session = { sessionId: 1, memorySessionId: null };
    expect((await conversations.send(provider, session, request)).memorySessionId).toBe('m1');
    expect((await conversations.send(provider, session, request)).memorySessionId).toBeNull();
  });

  it('starts a new conversation when a request with its history would be too large', async () => {
    const { provider, conversations } = open([], { maxRequestTokens: 2_000 });
    const send = (sessionId: number, tokens: number, memorySessionId: string | null = null) =>
      conversations.send(
        provider,
        { sessionId, memorySessionId },
        { ...REQUEST, prompt: 'p'.repeat(tokens * 4) },
      );
    await send(1, 800);
    await send(1, 1_000, 'm1');
    expect(provider.conversations.started).toBe(1);
    await send(2, 800);
    await send(2, 1_200, 'm1');
    expect(provider.resumed).toEqual([undefined, undefined, undefined]);
    await send(3, 1_000, 'earlier');
    await send(4, 900, 'earlier');
    expect(provider.resumed.slice(3)).toEqual([undefined, 'earlier']);
  });

  it('closes a conversation that is idle for two minutes, and resumes it later', async () => {
    const { clock, provider, send } = open();
    await send(1);
    await clock.advance(119_000);
    await send(1, 'm1');
    await clock.advance(119_000);
    expect(provider.conversations.disposed).toBe(0);
    await clock.advance(1_000);
    expect(provider.conversations.disposed).toBe(1);
    await send(1, 'm1');
    expect(provider.resumed).toEqual([undefined, 'm1']);
  });

  it('opens at most two conversations, and closes the least recently used one', async () => {
    const { provider, send } = open();
    await send(1);
    await send(2);
    await send(1);
    await send(3);
    expect(provider.conversations).toEqual({ started: 3, disposed: 1 });
    await send(1);
    expect(provider.conversations.started).toBe(3);
    await send(2, 'm1');
    expect(provider.conversations).toEqual({ started: 4, disposed: 2 });
  });

  it('B026: waits when all open conversations are in use', async () => {
    const { clock, provider, send } = open(
      Array.from({ length: 6 }, () => ({ ...answer(), delayMs: 1_000 })),
    );
    const sent = [1, 2, 3, 4, 5, 6].map((id) => send(id));
    await clock.advance(500);
    expect(provider.conversations).toEqual({ started: 2, disposed: 0 });
    for (let second = 0; second < 3; second += 1) await clock.advance(1_000);
    await Promise.all(sent);
    expect(provider.conversations).toEqual({ started: 6, disposed: 4 });
  });

  it('stops waiting when the request is aborted', async () => {
    const { clock, provider, send } = open([{ hang: true }, { hang: true }]);
    const stop = new AbortController();
    const gone = new AbortController();
    const sent = [send(1, null, stop.signal), send(2, null, stop.signal)];
    const waiting = send(3, null, gone.signal);
    await clock.advance(1);
    const reason = new Error('stop');
    gone.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(provider.conversations.started).toBe(2);
    stop.abort(reason);
    await Promise.allSettled(sent);
  });

  it('sends one request at a time per session', async () => {
    const { clock, provider, send } = open([{ ...answer(), delayMs: 1_000 }, answer()]);
    const sent = [send(1), send(1)];
    await clock.advance(500);
    expect(provider.requests).toHaveLength(1);
    await clock.advance(1_000);
    await Promise.all(sent);
    expect(provider.requests).toHaveLength(2);
    expect(provider.conversations.started).toBe(1);
  });

  it('starts a new conversation after a failure, even when an id is stored', async () => {
    const { provider, send } = open([{ error: new ProviderError('overloaded', 'busy') }, answer('m2')]);
    await expect(send(1, 'm1')).rejects.toMatchObject({ code: 'provider/overloaded' });
    expect((await send(1, 'm1')).memorySessionId).toBe('m2');
    expect(provider.resumed).toEqual(['m1', undefined]);
    expect(provider.conversations.disposed).toBe(1);
  });

  it('repeats a request in a new conversation when its history made it too long', async () => {
    const tooLong: ScriptStep = { error: new ProviderError('too-long', 'too much') };
    const { provider, send } = open([answer('m1'), tooLong, answer('m2')]);
    await send(1);
    expect((await send(1, 'm1')).memorySessionId).toBe('m2');
    expect(provider.conversations).toEqual({ started: 2, disposed: 1 });
  });

  it('drops a resumed history that is too long', async () => {
    const tooLong: ScriptStep = { error: new ProviderError('too-long', 'too much') };
    const { provider, send } = open([tooLong, answer('m2')]);
    expect((await send(1, 'm1')).memorySessionId).toBe('m2');
    expect(provider.resumed).toEqual(['m1', undefined]);
  });

  it('does not repeat a refused request that was charged, so that both calls are counted', async () => {
    const usage = { inputTokens: 900, outputTokens: 3, cachedTokens: 0, estimatedCostUsd: 0.1 };
    const charged = new ProviderError('too-long', 'too much', { usage });
    const { provider, send } = open([{ error: charged }, answer('m2')]);
    await expect(send(1, 'm1')).rejects.toBe(charged);
    expect((await send(1, 'm1')).memorySessionId).toBe('m2');
    expect(provider.resumed).toEqual(['m1', undefined]);
  });

  it('does not repeat a request that is too long without history', async () => {
    const tooLong: ScriptStep = { error: new ProviderError('too-long', 'too much') };
    const { provider, send } = open([tooLong, tooLong, tooLong]);
    await expect(send(1)).rejects.toMatchObject({ code: 'provider/too-long' });
    expect(provider.requests).toHaveLength(1);
    await expect(send(2, 'm1')).rejects.toMatchObject({ code: 'provider/too-long' });
    expect(provider.requests).toHaveLength(3);
  });

  it('releases the slot when a conversation cannot be started', async () => {
    const { conversations, send, provider } = open([], { maxOpen: 1 });
    const startError = new ProviderError('setup-required', 'not there');
    const failing = createScriptedProvider([], { capabilities: { resumes: true }, startError });
    const session = { sessionId: 9, memorySessionId: null };
    await expect(conversations.send(failing, session, REQUEST)).rejects.toBe(startError);
    await send(1);
    expect(provider.conversations.started).toBe(1);
  });

  it('changes the provider of a session', async () => {
    const { conversations, send, provider } = open();
    await send(1);
    const other = createScriptedProvider([], { capabilities: { resumes: true }, otherwise: answer('other') });
    const sent = await conversations.send(other, { sessionId: 1, memorySessionId: null }, REQUEST);
    expect(sent.memorySessionId).toBe('other');
    expect(provider.conversations.disposed).toBe(1);
  });

  it('does not continue a forgotten session, even when a batch contains its stored id', async () => {
    const { conversations, send, provider } = open();
    await send(1);
    await conversations.forget(1);
    await send(1, 'm1');
    await send(1, 'm1');
    await conversations.forget(2);
    await send(2, 'stored by another process');
    expect(provider.resumed).toEqual([undefined, undefined, undefined]);
  });

  it('stores no id when the session was forgotten during a request', async () => {
    const { conversations, send, provider } = open([answer()]);
    await send(1);
    provider.push({
      reply: () => {
        void conversations.forget(1);
        return answer('with all of it').reply;
      },
    });
    const asked = send(1, 'm1');
    const waiting = send(1, 'm1');
    expect(await asked).toMatchObject({ memorySessionId: null });
    expect(await waiting).toMatchObject({ memorySessionId: 'm1' });
    expect(provider.resumed).toEqual([undefined, undefined]);
    expect(provider.conversations).toEqual({ started: 2, disposed: 1 });
  });

  it('closes a forgotten session, and all sessions on disposal', async () => {
    const { conversations, send, provider } = open();
    await send(1);
    await send(2);
    await conversations.forget(1);
    await conversations.forget(7);
    expect(provider.conversations.disposed).toBe(1);
    await conversations[Symbol.asyncDispose]();
    expect(provider.conversations.disposed).toBe(2);
  });
});
