import { NO_USAGE, ProviderError, type AgentProvider, type ObserverReply } from '@claude-mem/agent-providers';
import type { ObserverBatch } from '@claude-mem/core';
import type { Answer, AskOptions } from './ask-provider.js';
import { readReply } from './read-reply.js';

/** One request to a provider. `callId` is its reservation; null for one that costs nothing. */
export async function sendRequest(
  { store, conversations, requestOptions, clock, log }: AskOptions,
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
): Promise<Answer> {
  let reply: ObserverReply | null = null;
  try {
    const { id: sessionId, memorySessionId } = batch.session;
    const said = await conversations.send(
      provider,
      { sessionId, memorySessionId },
      { ...texts, batch },
      { signal },
    );
    reply = said.reply;
    const records =
      reply.kind === 'records' ? reply : await readReply(reply, { mode: requestOptions().mode, log });
    return {
      observations: records.observations,
      summary: records.summary,
      provider,
      model: (reply.kind === 'text' ? reply.model : null) ?? provider.model,
      ...(said.memorySessionId === undefined ? {} : { memorySessionId: said.memorySessionId }),
      ...(callId === null ? {} : { usage: { ...usageOf(reply), callId } }),
    };
  } catch (error) {
    if (callId !== null) {
      const reported = ProviderError.isInstance(error) ? error.usage : null;
      const usage = reply === null ? reported : usageOf(reply);
      await store.settleUsage({ callId, usage, now: clock.now() });
    }
    // a conversation that goes on would carry the failed request
    if (ProviderError.isInstance(error) && error.isReplyText) await conversations.forget(batch.session.id);
    throw error;
  }
}

const usageOf = (reply: ObserverReply) => (reply.kind === 'text' ? reply.usage : NO_USAGE);
