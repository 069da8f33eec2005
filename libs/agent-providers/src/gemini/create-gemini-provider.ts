import {
  estimateTokens,
  isWebAddress,
  PROVIDER_ROWS,
  systemClock,
  type CallUsage,
  type Clock,
} from '@claude-mem/core';
import type { GenerationConfig, RequestOptions } from '@google/generative-ai';
import type { AgentProvider, ObserverReply, ObserverRequest } from '../agent-provider.js';
import { callWithin, type CallTimeouts, type RunningCall } from '../model/call-within.js';
import { estimateCost } from '../model/estimate-cost.js';
import { importPackage } from '../model/import-package.js';
import { readKey } from '../model/read-key.js';
import { unusableAddress } from '../model/unusable-address.js';
import { MAX_REPLY_TOKENS, MAX_TOKENS_WITH_THOUGHTS } from '../model/reply-limits.js';
import { ProviderError, type ProviderErrorOptions, type ProviderFailure } from '../provider-error.js';
import {
  failureOfGemini,
  failureOfVendorError,
  isAboutThinking,
  type GeminiContext,
} from './failure-of-gemini.js';
import { readGeminiStream, type GeminiReply } from './read-gemini-stream.js';
import { thinkingOf, type ThinkingConfig } from './thinking-of.js';
import { watchConnection } from './watch-connection.js';

export interface GeminiProviderOptions {
  apiKey: string;
  /** @default the model of the provider table: a small one without thinking */
  model?: string;
  /** @default the address of the vendor */
  baseUrl?: string;
  /** @default systemClock */
  clock?: Clock;
  timeouts?: CallTimeouts;
  /** Imports the SDK of the vendor. */
  loadSdk?: () => Promise<GeminiSdk>;
}

type GeminiSdk = typeof import('@google/generative-ai');

interface Setup {
  apiKey: string;
  address: RequestOptions & { baseUrl: string };
}

const ROW = PROVIDER_ROWS.gemini;
const ADDRESS = 'https://generativelanguage.googleapis.com';

/** Creates an observer that uses a Gemini model. Each request is independent. */
export function createGeminiProvider(options: GeminiProviderOptions): AgentProvider {
  const { model = ROW.defaultModel, baseUrl = ADDRESS, clock = systemClock, timeouts } = options;
  const { loadSdk = () => import('@google/generative-ai') } = options;
  let thinking = thinkingOf(model);

  async function send(sdk: GeminiSdk, setup: Setup, request: ObserverRequest, call: RunningCall) {
    const { apiKey, address } = setup;
    using connection = watchConnection(new URL(address.baseUrl).host, apiKey);
    const context = { apiKey, clock, connection };
    for (;;) {
      const asked = thinking;
      const over = new AbortController();
      try {
        const gemini = new sdk.GoogleGenerativeAI(apiKey).getGenerativeModel({ model }, address);
        const { stream, response } = await gemini.generateContentStream(bodyOf(request, asked), {
          // No timeout of the SDK, because it would keep the process running for its duration.
          signal: AbortSignal.any([call.signal, over.signal, connection.strayed]),
        });
        // A broken stream also rejects this promise. Without a handler the rejection would end the process.
        response.catch(() => undefined);
        const reply = await readGeminiStream(stream, call.alive);
        return readReply(reply, { ...context, request, model });
      } catch (error) {
        if (asked === null || !isAboutThinking(error)) throw failureOfGemini(error, context);
        // A refusal costs nothing, and the provider stores the supported parameters of each model.
        thinking = null;
      } finally {
        // A reply that was cut leaves its stream open.
        over.abort();
      }
    }
  }

  return {
    name: ROW.name,
    model,
    get maxReplyTokens() {
      return maxTokensOf(thinking);
    },
    capabilities: { needsCompleteTurn: false, readsBatch: false, isFree: false, resumes: false },
    async startConversation({ signal } = {}) {
      signal?.throwIfAborted();
      const setup = { apiKey: readKey(ROW, options.apiKey), address: readAddress(baseUrl) };
      const sdk = await importPackage(ROW, loadSdk);
      return {
        send: (request, { signal } = {}) =>
          callWithin({ row: ROW, signal, clock, timeouts }, (call) => send(sdk, setup, request, call)),
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}

/** Removes the path that the SDK adds from the address. */
function readAddress(baseUrl: string): Setup['address'] {
  const [, base = '', apiVersion] = /^(.*?)(?:\/(v\d\w*))?\/*$/.exec(baseUrl.trim()) ?? [];
  if (!isWebAddress(base)) throw unusableAddress(ROW, ADDRESS);
  return { baseUrl: base, ...(apiVersion === undefined ? {} : { apiVersion }) };
}

function bodyOf({ instructions, prompt }: ObserverRequest, thinking: ThinkingConfig | null) {
  // The types of the SDK do not contain thinking.
  const generationConfig: GenerationConfig & { thinkingConfig?: ThinkingConfig } = {
    maxOutputTokens: maxTokensOf(thinking),
    ...(thinking === null ? {} : { thinkingConfig: thinking }),
  };
  return {
    systemInstruction: { role: 'system', parts: [{ text: instructions.toWellFormed() }] },
    contents: [{ role: 'user', parts: [{ text: prompt.toWellFormed() }] }],
    generationConfig,
  };
}

function maxTokensOf(thinking: ThinkingConfig | null): number {
  const isThinkingOff = thinking !== null && 'thinkingBudget' in thinking && thinking.thinkingBudget === 0;
  return isThinkingOff ? MAX_REPLY_TOKENS : MAX_TOKENS_WITH_THOUGHTS;
}

interface AskedGemini extends GeminiContext {
  request: ObserverRequest;
  model: string;
}

function readReply(reply: GeminiReply, asked: AskedGemini): ObserverReply {
  const { blockReason, finishReason } = reply;
  const usage = usageOf(reply, asked);
  const fail = (failure: ProviderFailure, message: string, options: ProviderErrorOptions = {}) =>
    new ProviderError(failure, `The ${ROW.name} observer ${message}.`, {
      data: { provider: ROW.name },
      ...options,
    });

  if (reply.error) throw failureOfVendorError(reply.error, asked, null);
  if (blockReason !== null)
    throw fail('rejected', `was refused this request by a filter (${blockReason})`, { usage });
  if (!reply.hasCandidate) throw fail('bad-reply', 'got an answer without a candidate');
  if (FILTERED.test(finishReason ?? ''))
    throw fail('rejected', `was refused an answer by a filter (${finishReason})`, { usage });
  if (finishReason === null && !reply.isCut) throw fail('network', 'got a reply that broke off');

  const isTruncated = reply.isCut || finishReason === 'MAX_TOKENS';
  // With MAX_TOKENS, all tokens were used for thinking.
  if (reply.text.trim() === '' && finishReason !== 'STOP')
    throw fail('bad-reply', `got a reply without words (${finishReason})`, { usage });
  return { kind: 'text', text: reply.text, usage, model: reply.model, isTruncated };
}

const FILTERED = /SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII/;

/** The usage that the vendor reported, or an estimate when no usage arrived. */
function usageOf(reply: GeminiReply, { request, model }: AskedGemini): CallUsage {
  const tokens = reply.usage ?? {
    inputTokens: estimateTokens(request.instructions) + estimateTokens(request.prompt),
    outputTokens: estimateTokens(reply.text),
    cachedTokens: 0,
  };
  return { ...tokens, estimatedCostUsd: estimateCost(reply.model ?? model, tokens) };
}
