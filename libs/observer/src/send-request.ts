import { NO_USAGE, ProviderError, type AgentProvider, type ObserverReply } from '@claude-mem/agent-providers';
import type { ObserverBatch } from '@claude-mem/core';
import type { ProviderRecords, ObserveOptions } from './observe-options.js';
import { readReply } from './read-reply.js';

/**
 * Sends a request to a provider.
 * @param options.callId reservation of the cost; null for a free provider
 */
export async function sendRequest(
  { store, conversations, requestOptions, clock, log }: ObserveOptions,
  {
    provider,
    batch,
    signal,
    texts,
    callId,
  }: {
    provider: AgentProvider;
    batch: ObserverBatch;
    signal: AbortSignal;
    texts: { instructions: string; prompt: string };
    callId: number | null;
  },
): Promise<ProviderRecords> {
  let reply: ObserverReply | null = null;
  try {
    const { id: sessionId, memorySessionId } = batch.session;
    const sent = await conversations.send(
      provider,
      { sessionId, memorySessionId },
      { ...texts, batch },
      { signal },
    );
    reply = sent.reply;
    const records =
      reply.kind === 'records' ? reply : await readReply(reply, { mode: requestOptions().mode, log });
    return {
      observations: records.observations,
      summary: records.summary,
      provider,
      model: (reply.kind === 'text' ? reply.model : null) ?? provider.model,
      ...(sent.memorySessionId === undefined ? {} : { memorySessionId: sent.memorySessionId }),
      ...(callId === null ? {} : { usage: { ...usageOf(reply), callId } }),
    };
  } catch (error) {
    if (callId !== null) {
      const reported = ProviderError.isInstance(error) ? error.usage : null;
      const usage = reply === null ? reported : usageOf(reply);
      await store.settleUsage({ callId, usage, now: clock.now() });
    }
    // A continued conversation would contain the failed request, so the conversation is closed.
    if (ProviderError.isInstance(error) && error.isReplyText) await conversations.forget(batch.session.id);
    throw error;
  }
}

const usageOf = (reply: ObserverReply) => (reply.kind === 'text' ? reply.usage : NO_USAGE);
