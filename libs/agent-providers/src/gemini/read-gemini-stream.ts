import { isRecord } from '@claude-mem/core';
import { createReplyText } from '../model/create-reply-text.js';

/** The result of a stream of generated content. */
export interface GeminiReply {
  text: string;
  /** The name that the vendor reports. */
  model: string | null;
  hasCandidate: boolean;
  /** Null when the stream ended without a finish reason. */
  finishReason: string | null;
  /** The reason why the prompt was blocked. */
  blockReason: string | null;
  /** An error that arrived instead of an answer. */
  error: Readonly<Record<string, unknown>> | null;
  usage: GeminiUsage | null;
  /** The reply exceeded the limit and was cut. */
  isCut: boolean;
}

interface GeminiUsage {
  inputTokens: number;
  /** Includes thinking tokens, which are charged like text. */
  outputTokens: number;
  cachedTokens: number;
}

/** @param alive called for each chunk */
export async function readGeminiStream(
  chunks: AsyncIterable<unknown>,
  alive: () => void,
): Promise<GeminiReply> {
  const text = createReplyText();
  const reply: Omit<GeminiReply, 'text' | 'isCut'> = {
    model: null,
    hasCandidate: false,
    finishReason: null,
    blockReason: null,
    error: null,
    usage: null,
  };
  for await (const chunk of chunks) {
    alive();
    if (!isRecord(chunk)) continue;
    if (isRecord(chunk.error)) reply.error = chunk.error;
    if (typeof chunk.modelVersion === 'string') reply.model = chunk.modelVersion;
    reply.usage = readUsage(chunk.usageMetadata) ?? reply.usage;
    if (isRecord(chunk.promptFeedback))
      reply.blockReason = nameOf(chunk.promptFeedback.blockReason) ?? reply.blockReason;
    const candidate: unknown = Array.isArray(chunk.candidates) ? chunk.candidates[0] : null;
    if (!isRecord(candidate)) continue;
    reply.hasCandidate = true;
    reply.finishReason = nameOf(candidate.finishReason) ?? reply.finishReason;
    if (!text.add(wordsOf(candidate.content))) break;
  }
  return { ...reply, text: text.toString(), isCut: text.isCut };
}

/** Thinking is not part of the reply. */
function wordsOf(content: unknown): string {
  const parts = isRecord(content) && Array.isArray(content.parts) ? content.parts.filter(isRecord) : [];
  return parts
    .map(({ text, thought }) => (typeof text === 'string' && thought !== true ? text : ''))
    .join('');
}

/** Each chunk reports the totals so far. */
function readUsage(usage: unknown): GeminiUsage | null {
  if (!isRecord(usage)) return null;
  const inputTokens = countOf(usage.promptTokenCount);
  return {
    inputTokens,
    outputTokens: countOf(usage.candidatesTokenCount) + countOf(usage.thoughtsTokenCount),
    cachedTokens: Math.min(countOf(usage.cachedContentTokenCount), inputTokens),
  };
}

const nameOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const countOf = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
