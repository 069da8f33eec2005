import { estimateTokens, type CallUsage, type Clock, type ProviderRow } from '@claude-mem/core';
import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ObserverReply, ObserverRequest } from '../agent-provider.js';
import { callWithin, type CallTimeouts } from '../model/call-within.js';
import { estimateCost } from '../model/estimate-cost.js';
import { plausibleCost, plausibleTokens } from '../model/plausible-usage.js';
import { failureOfThrown } from '../model/failure-of-thrown.js';
import { ProviderError, type ProviderErrorOptions, type ProviderFailure } from '../provider-error.js';
import { fieldsOf, type ChatHabits } from './chat-habits.js';
import { createChatFetch, type ChatRefusal } from './create-chat-fetch.js';
import { failureOfChat, readStreamError } from './failure-of-chat.js';
import { readChatStream, type ChatReply } from './read-chat-stream.js';
import { withoutReasoning } from './without-reasoning.js';

export interface ChatSetup {
  /** Base URL for `/chat/completions`. */
  baseUrl: string;
  /** Null when the server needs no key. */
  apiKey: string | null;
  model: string;
  /** Headers in addition to the required ones. */
  headers?: Readonly<Record<string, string>>;
}

export interface ChatCall extends ChatSetup {
  row: ProviderRow;
  OpenAI: typeof OpenAI;
  habits: ChatHabits;
  /** No vendor charges for the call. */
  isFree: boolean;
  clock: Clock;
  timeouts: CallTimeouts | undefined;
}

export type ChatAnswer = Extract<ObserverReply, { kind: 'text' }> | { kind: 'refused'; refusal: ChatRefusal };

/**
 * Sends one request and reads its answer. Returns a refusal unchanged, because it may concern the form of the
 * request.
 */
export async function askChat(
  call: ChatCall,
  request: ObserverRequest,
  signal?: AbortSignal,
): Promise<ChatAnswer> {
  const { row, apiKey, headers = {}, timeouts, clock } = call;
  const refusals: ChatRefusal[] = [];
  try {
    const reply = await callWithin({ row, signal, timeouts, clock }, async (running) => {
      const chatFetch = createChatFetch({
        alive: running.alive,
        headers: { ...headers, ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) },
        onRefusal: (refusal) => void refusals.push(refusal),
      });
      const body = bodyOf(call, request) as ChatCompletionCreateParamsStreaming;
      const chunks = await openClient(call, chatFetch).chat.completions.create(body, {
        signal: running.signal,
      });
      return readChatStream(chunks);
    });
    return readReply(reply, call, request);
  } catch (error) {
    signal?.throwIfAborted();
    const [refusal] = refusals;
    if (refusal) return { kind: 'refused', refusal };
    throw failureOfThrown({ row, error, secrets: apiKey === null ? [] : [apiKey] });
  }
}

/** All options are set, because the SDK takes missing ones from the environment. */
function openClient({ OpenAI, baseUrl }: ChatCall, chatFetch: typeof fetch): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    // The SDK requires a key. The real key is in the headers of the fetch.
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: 2_147_483_647,
    logLevel: 'off',
    fetch: chatFetch,
  });
}

function bodyOf({ model, habits }: ChatCall, { instructions, prompt }: ObserverRequest) {
  return {
    model,
    messages: [
      { role: 'system' as const, content: instructions.toWellFormed() },
      { role: 'user' as const, content: prompt.toWellFormed() },
    ],
    stream: true as const,
    ...fieldsOf(habits),
  };
}

function readReply(reply: ChatReply, call: ChatCall, request: ObserverRequest) {
  const { row } = call;
  const usage = usageOf(reply, call, request);
  const fail = (failure: ProviderFailure, message: string, options: ProviderErrorOptions = {}) =>
    new ProviderError(failure, `The ${row.name} observer ${message}.`, {
      data: { provider: row.name },
      ...options,
    });
  const { finishReason } = reply;

  if (reply.error !== null || finishReason === 'error')
    throw failureOfChat(readStreamError(reply.error), call);
  if (!reply.hasChoice) throw fail('bad-reply', 'got an answer without a choice');
  if (finishReason === 'content_filter' || reply.refusal !== '')
    throw fail('rejected', 'was refused an answer by the model or its filter', { usage });
  if (finishReason === null && !reply.isCut) throw fail('network', 'got a reply that broke off');

  const text = withoutReasoning(reply.text);
  const isTruncated = reply.isCut || finishReason === 'length' || finishReason === 'max_tokens';
  if (text.trim() === '' && isTruncated)
    throw fail('bad-reply', 'got no words: all of the reply was reasoning', { usage });
  if (text.trim() === '' && /tool|function/.test(finishReason ?? ''))
    throw fail('bad-reply', 'got a call of a tool that it does not have', { usage });
  return { kind: 'text' as const, text, usage, model: reply.model, isTruncated };
}

/** The usage that the server reported, within limits, or an estimate. */
function usageOf(reply: ChatReply, call: ChatCall, request: ObserverRequest): CallUsage {
  const counted = reply.usage;
  const estimate = {
    inputTokens: estimateTokens(request.instructions) + estimateTokens(request.prompt),
    outputTokens: estimateTokens(reply.text),
    cachedTokens: 0,
  };
  const tokens = plausibleTokens(counted ?? estimate, estimate);
  const model = reply.model ?? call.model;
  const listed = call.isFree ? 0 : estimateCost(model, tokens);
  const charged = counted?.costUsd ?? null;
  return { ...tokens, estimatedCostUsd: charged === null ? listed : plausibleCost(charged, model, tokens) };
}
