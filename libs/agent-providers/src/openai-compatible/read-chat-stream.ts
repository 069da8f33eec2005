import { isRecord } from '@claude-mem/core';
import { createReplyText } from '../model/create-reply-text.js';

/** The result of a stream of chat chunks. */
export interface ChatReply {
  text: string;
  /** The name that the server reports. */
  model: string | null;
  /** Whether an answer arrived, even an empty one. */
  hasChoice: boolean;
  /** Null when the stream ended without a finish reason. */
  finishReason: string | null;
  /** The refusal text of the model. */
  refusal: string;
  /** An error that arrived instead of an answer. */
  error: unknown;
  usage: ChatUsage | null;
  /** The reply exceeded the limit and was cut. */
  isCut: boolean;
}

interface ChatUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** The cost that a router reports. */
  costUsd: number | null;
}

/** Reads chunks whose fields may be missing, null, or of another type than documented. */
export async function readChatStream(chunks: AsyncIterable<unknown>): Promise<ChatReply> {
  const text = createReplyText();
  const reply: Omit<ChatReply, 'text' | 'isCut'> = {
    model: null,
    hasChoice: false,
    finishReason: null,
    refusal: '',
    error: null,
    usage: null,
  };
  try {
    for await (const chunk of chunks) {
      if (!isRecord(chunk)) continue;
      if (typeof chunk.model === 'string' && chunk.model !== '') reply.model = chunk.model;
      reply.usage = readUsage(chunk.usage) ?? reply.usage;
      const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : null;
      if (!isRecord(choice)) continue;
      reply.hasChoice = true;
      reply.error = choice.error ?? reply.error;
      if (typeof choice.finish_reason === 'string') reply.finishReason = choice.finish_reason;
      const refusal = isRecord(choice.delta) ? choice.delta : isRecord(choice.message) ? choice.message : {};
      reply.refusal += textOf(refusal.refusal);
      if (!text.add(textOf(refusal.content))) break;
    }
  } catch (error) {
    // The SDK throws the `error` field of a chunk. Broken connections have none.
    if (!isRecord(error) || error.error === undefined) throw error;
    reply.error = error.error;
  }
  return { ...reply, text: text.toString(), isCut: text.isCut };
}

/** Reasoning parts of a list are not text of the reply. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .join('');
}

function readUsage(usage: unknown): ChatUsage | null {
  if (!isRecord(usage)) return null;
  const inputTokens = numberOf(usage.prompt_tokens) ?? 0;
  const outputTokens = numberOf(usage.completion_tokens) ?? 0;
  if (inputTokens === 0 && outputTokens === 0) return null;
  const details = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const cachedTokens = numberOf(details.cached_tokens ?? usage.prompt_cache_hit_tokens) ?? 0;
  return {
    inputTokens,
    outputTokens,
    cachedTokens: Math.min(cachedTokens, inputTokens),
    costUsd: numberOf(usage.cost),
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
