import { createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import type { AgentProvider, ObserverReply } from '../agent-provider.js';
import { PROVIDER_FAILURES, ProviderError, type ProviderFailure } from '../provider-error.js';

export interface AgentProviderHarness {
  /** A new provider that answers every request. */
  open: () => AgentProvider | Promise<AgentProvider>;
  /** For each failure, a provider whose `send` fails in that way. */
  failures?: Partial<Record<ProviderFailure, () => AgentProvider | Promise<AgentProvider>>>;
  /** A provider whose `send` waits until it is aborted. Omit it when `send` never waits. */
  openWaiting?: () => AgentProvider | Promise<AgentProvider>;
}

/** Tests the contract of `AgentProvider`. Call it in a test file of the adapter. */
export function describeAgentProvider(name: string, harness: AgentProviderHarness): void {
  describe(`AgentProvider: ${name}`, () => {
    it('has a name and capabilities', async () => {
      const provider = await harness.open();
      expect(provider.name).not.toBe('');
      expect(provider.maxReplyTokens > 0).toBe(!provider.capabilities.readsBatch);
      expect(typeof provider.capabilities.needsCompleteTurn).toBe('boolean');
      expect(typeof provider.capabilities.readsBatch).toBe('boolean');
      expect(typeof provider.capabilities.isFree).toBe('boolean');
      expect(typeof provider.capabilities.resumes).toBe('boolean');
    });

    it('replies to a turn', async () => {
      expectReply(await ask(await harness.open(), TURN));
    });

    it('replies to a batch without events', async () => {
      expectReply(await ask(await harness.open(), createObserverBatch()));
    });

    it('replies to several batches in one conversation', async () => {
      await using conversation = await (await harness.open()).startConversation();
      expectReply(await conversation.send({ instructions: 'Remember.', prompt: 'first', batch: TURN }));
      expectReply(
        await conversation.send({
          instructions: 'Remember.',
          prompt: 'second',
          batch: { ...TURN, promptNumber: 2 },
        }),
      );
    });

    it('supports two parallel conversations', async () => {
      const provider = await harness.open();
      await using one = await provider.startConversation();
      const two = await provider.startConversation();
      const replies = await Promise.all([
        one.send({ instructions: 'Remember.', prompt: 'one', batch: TURN }),
        two.send({ instructions: 'Remember.', prompt: 'two', batch: TURN }),
      ]);
      replies.forEach(expectReply);
      await two[Symbol.asyncDispose]();
      expectReply(await one.send({ instructions: 'Remember.', prompt: 'again', batch: TURN }));
    });

    it('can be disposed twice', async () => {
      const conversation = await (await harness.open()).startConversation();
      await conversation[Symbol.asyncDispose]();
      await conversation[Symbol.asyncDispose]();
    });

    it('does not change the batch', async () => {
      const batch = structuredClone(TURN);
      await ask(await harness.open(), batch);
      expect(batch).toEqual(TURN);
    });

    it('returns a memorySessionId if and only if it can resume conversations', async () => {
      const provider = await harness.open();
      const reply = await ask(provider, TURN);
      expect(reply.memorySessionId !== undefined).toBe(provider.capabilities.resumes);
    });

    it('starts no conversation when already aborted, and rejects with the reason', async () => {
      const provider = await harness.open();
      const reason = new Error('stop');
      await expect(provider.startConversation({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    it('sends nothing when already aborted, and stays usable', async () => {
      await using conversation = await (await harness.open()).startConversation();
      const reason = new Error('stop');
      const signal = AbortSignal.abort(reason);
      await expect(
        conversation.send({ instructions: 'Remember.', prompt: 'p', batch: TURN }, { signal }),
      ).rejects.toBe(reason);
      expectReply(await conversation.send({ instructions: 'Remember.', prompt: 'p', batch: TURN }));
    });

    const { openWaiting, failures = {} } = harness;
    if (openWaiting) {
      it('stops waiting when aborted, and rejects with the reason', async () => {
        await using conversation = await (await openWaiting()).startConversation();
        const controller = new AbortController();
        const reason = new Error('stop');
        const sent = conversation.send(
          { instructions: 'Remember.', prompt: 'p', batch: TURN },
          { signal: controller.signal },
        );
        controller.abort(reason);
        await expect(sent).rejects.toBe(reason);
      });
    }

    for (const failure of PROVIDER_FAILURES) {
      const openFailing = failures[failure];
      if (!openFailing) continue;
      it(`reports ${failure} as a ProviderError`, async () => {
        const provider = await openFailing();
        const error = await ask(provider, TURN).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (!ProviderError.isInstance(error)) throw new Error(`${name} did not fail with a ProviderError`);
        expect(error.code).toBe(`provider/${failure}`);
        expect(error.message).not.toBe('');
        if (error.retryAfterMs !== null) expect(error.retryAfterMs).toBeGreaterThanOrEqual(0);
      });
    }
  });
}

const TURN = createObserverBatch({
  prompt: 'Add a total to the cart',
  toolUses: [
    {
      toolName: 'Edit',
      input: {
        file_path: '/home/dev/shop/src/cart.ts',
        old_string: 'a',
        new_string: 'export const total = 0;',
      },
      response: { filePath: '/home/dev/shop/src/cart.ts' },
    },
  ],
  closing: 'The cart in `src/cart.ts` now has a `total`.',
});

async function ask(provider: AgentProvider, batch: typeof TURN): Promise<ObserverReply> {
  await using conversation = await provider.startConversation();
  return await conversation.send({ instructions: 'Remember.', prompt: 'What should be remembered?', batch });
}

function expectReply(reply: ObserverReply): void {
  if (reply.kind === 'records') {
    expect(Array.isArray(reply.observations)).toBe(true);
    return;
  }
  expect(typeof reply.text).toBe('string');
  expect(reply.usage.inputTokens).toBeGreaterThanOrEqual(0);
  expect(reply.usage.outputTokens).toBeGreaterThanOrEqual(0);
  expect(reply.usage.cachedTokens).toBeGreaterThanOrEqual(0);
  expect(reply.usage.estimatedCostUsd).toBeGreaterThanOrEqual(0);
}
