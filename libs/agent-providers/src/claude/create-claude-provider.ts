import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import {
  isRecord,
  isWebAddress,
  PROVIDER_ROWS,
  systemClock,
  type CallUsage,
  type Clock,
} from '@claude-mem/core';
import type { AgentProvider, ObserverReply, ObserverRequest } from '../agent-provider.js';
import { callWithin, type CallTimeouts, type RunningCall } from '../model/call-within.js';
import { createReplyText } from '../model/create-reply-text.js';
import { estimateCost } from '../model/estimate-cost.js';
import { failureOfStatus } from '../model/failure-of-status.js';
import { failureOfThrown } from '../model/failure-of-thrown.js';
import { importPackage } from '../model/import-package.js';
import { readKey } from '../model/read-key.js';
import { MAX_REPLY_TOKENS } from '../model/reply-limits.js';
import { unusableAddress } from '../model/unusable-address.js';
import { createWatchedFetch } from '../model/watched-fetch.js';
import { ProviderError, type ProviderErrorOptions, type ProviderFailure } from '../provider-error.js';

export interface ClaudeProviderOptions {
  apiKey: string;
  /** @default the model of the provider table: the newest small model */
  model?: string;
  /** @default the address of the vendor */
  baseUrl?: string;
  /** @default systemClock */
  clock?: Clock;
  timeouts?: CallTimeouts;
  /** Imports the SDK of the vendor. */
  loadSdk?: () => Promise<Sdk>;
}

type Sdk = typeof import('@anthropic-ai/sdk');

const ROW = PROVIDER_ROWS.claude;
const ADDRESS = 'https://api.anthropic.com';

/**
 * Creates an observer that uses a model of the Claude API. Each request is independent, and its instructions are the
 * cached prefix.
 */
export function createClaudeProvider(options: ClaudeProviderOptions): AgentProvider {
  const { baseUrl = ADDRESS, clock = systemClock, timeouts } = options;
  const { loadSdk = () => import('@anthropic-ai/sdk') } = options;
  const model = options.model ?? ROW.defaultModel;

  async function send(
    sdk: Sdk,
    { apiKey, baseURL }: Setup,
    request: ObserverRequest,
    { signal, alive }: RunningCall,
  ): Promise<ObserverReply> {
    const client = new sdk.Anthropic({
      apiKey,
      authToken: null,
      webhookKey: null,
      baseURL,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
      fetch: createWatchedFetch({ alive, headers: { authorization: `Bearer ${apiKey}` } }),
    });
    try {
      const events = await client.messages.create(
        {
          model,
          ...thinkingOf(model),
          system: [
            {
              type: 'text',
              text: request.instructions.toWellFormed(),
              cache_control: { type: 'ephemeral' },
            },
          ],
          messages: [{ role: 'user', content: request.prompt.toWellFormed() }],
          stream: true,
        },
        { signal },
      );
      return await readReply(events, model);
    } catch (error) {
      throw failureOf(error, clock, apiKey);
    }
  }

  return {
    name: ROW.name,
    model,
    maxReplyTokens: thinkingOf(model).max_tokens,
    capabilities: { needsCompleteTurn: false, readsBatch: false, isFree: false, resumes: false },
    async startConversation({ signal } = {}) {
      signal?.throwIfAborted();
      const setup = { apiKey: readKey(ROW, options.apiKey), baseURL: readAddress(baseUrl) };
      const sdk = await importPackage(ROW, loadSdk);
      return {
        send: (request, { signal } = {}) =>
          callWithin({ row: ROW, signal, clock, timeouts }, (call) => send(sdk, setup, request, call)),
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}

interface Setup {
  apiKey: string;
  baseURL: string;
}

/** Removes the path that the SDK adds from the address. */
function readAddress(written: string): string {
  const base = written.trim().replace(/(?:\/v1)?\/*$/, '');
  if (!isWebAddress(base)) throw unusableAddress(ROW, ADDRESS);
  return base;
}

/** Disables thinking for models that allow it, because thinking tokens are charged. Some models always think. */
function thinkingOf(model: string) {
  if (/^claude-(?:fable|mythos|opus-(?:5-[5-9]|[6-9]))/.test(model))
    return { output_config: { effort: 'low' }, max_tokens: 2 * MAX_REPLY_TOKENS } as const;
  const type = /^claude-sonnet-5-[5-9]/.test(model) ? 'between_tools' : 'disabled';
  return { thinking: { type }, max_tokens: MAX_REPLY_TOKENS } as const;
}

async function readReply(
  events: AsyncIterable<RawMessageStreamEvent>,
  asked: string,
): Promise<ObserverReply> {
  const text = createReplyText();
  const tokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 };
  let model: string | null = null;
  let stop: string | null = null;

  const usage = (): CallUsage => {
    const { inputTokens, outputTokens, cachedTokens } = tokens;
    return { inputTokens, outputTokens, cachedTokens, estimatedCostUsd: estimateCost(asked, tokens) };
  };

  for await (const event of events) {
    if (event.type === 'message_start') {
      model = event.message.model;
      readUsage(event.message.usage, tokens);
    } else if (event.type === 'message_delta') {
      stop = event.delta.stop_reason;
      readUsage(event.usage, tokens);
    } else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
      if (!text.add(event.delta.text)) break;
    }
  }
  if (text.isCut) {
    tokens.outputTokens = Math.max(tokens.outputTokens, MAX_REPLY_TOKENS);
    return { kind: 'text', text: text.toString(), usage: usage(), model, isTruncated: true };
  }
  if (model === null) throw failure('bad-reply', 'got an answer that holds no message.');
  if (stop === null) throw failure('network', 'got a reply whose end is missing: the connection broke.');
  if (stop === 'refusal')
    throw failure('rejected', 'was refused an answer by the model.', { usage: usage() });
  if (stop === 'model_context_window_exceeded')
    throw failure('too-long', 'was sent more than its model can read.', { usage: usage() });
  return { kind: 'text', text: text.toString(), usage: usage(), model, isTruncated: stop === 'max_tokens' };
}

const failure = (kind: ProviderFailure, what: string, options: ProviderErrorOptions = {}) =>
  new ProviderError(kind, `The ${ROW.name} observer ${what}`, { data: { provider: ROW.name }, ...options });

interface VendorUsage {
  input_tokens: number | null;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  output_tokens: number;
}

/** Later numbers replace earlier ones. A number that is missing in a later event keeps its value. */
function readUsage(usage: VendorUsage, tokens: Required<Parameters<typeof estimateCost>[1]>): void {
  const plain = usage.input_tokens ?? tokens.inputTokens - tokens.cachedTokens - tokens.cacheWriteTokens;
  tokens.cachedTokens = usage.cache_read_input_tokens ?? tokens.cachedTokens;
  tokens.cacheWriteTokens = usage.cache_creation_input_tokens ?? tokens.cacheWriteTokens;
  tokens.inputTokens = plain + tokens.cachedTokens + tokens.cacheWriteTokens;
  tokens.outputTokens = usage.output_tokens;
}

/** SDK errors contain an HTTP status. Errors inside a stream contain only the text of the vendor. */
function failureOf(error: unknown, clock: Clock, apiKey: string): ProviderError {
  const secrets = [apiKey];
  if (!isRecord(error) || ProviderError.isInstance(error))
    return failureOfThrown({ row: ROW, error, secrets });
  const status = typeof error['status'] === 'number' ? error['status'] : null;
  if (status === null && !error['error']) return failureOfThrown({ row: ROW, error, secrets });
  const text = error['error']
    ? JSON.stringify(error['error'])
    : String(error['message']).replace(/^\d{3} /, '');
  const headers = error['headers'] instanceof Headers ? error['headers'] : undefined;
  return failureOfStatus({ row: ROW, status, text, headers, now: clock.now(), secrets });
}
