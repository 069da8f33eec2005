import { isRecord, type CallUsage } from '@claude-mem/core';
import type { ObserverReply } from '../agent-provider.js';
import { createReplyText, type ReplyText } from '../model/create-reply-text.js';
import { estimateCost } from '../model/estimate-cost.js';
import { ProviderError } from '../provider-error.js';
import { PROVIDER_ROWS } from '../provider-rows.js';
import { failureOfResult, type RateLimit } from './failure-of-result.js';

export interface ReadTurnOptions {
  next: () => Promise<IteratorResult<unknown, unknown>>;
  /** Called when the model says something; what the child says of itself is no sign of life. */
  alive: () => void;
  /** What the child's earlier turns cost: it reports a running total. */
  costBefore: number;
  /** Epoch milliseconds. */
  now: () => number;
}

type Answer = Extract<ObserverReply, { kind: 'text' }>;

export type Turn =
  | {
      kind: 'answered';
      reply: Answer;
      /** The child's running total. */
      cost: number;
      /** False: the child goes on by itself, at the person's cost, with what nobody wants; it has to be stopped. */
      isReusable: boolean;
    }
  | { kind: 'failed'; error: ProviderError }
  /** The conversation to go on with is not known here. */
  | { kind: 'resume-refused' }
  /** The child ended before it answered. */
  | { kind: 'ended' };

/** Reads what a child says until its turn is over. Throws only what `next` throws. */
export async function readTurn({ next, alive, costBefore, now }: ReadTurnOptions): Promise<Turn> {
  const heard = createHearing();
  for (;;) {
    const { done, value } = await next();
    if (done) return { kind: 'ended' };
    if (!isRecord(value)) continue;
    if (value['type'] !== 'system') alive();
    if (typeof value['session_id'] === 'string') heard.sessionId = value['session_id'];
    if (value['parent_tool_use_id']) continue;
    if (value['type'] === 'result') return ofResult(value, heard, costBefore, now());
    const early = hear(value, heard);
    if (early !== null) return early;
  }
}

interface Hearing {
  sessionId: string | null;
  model: string | null;
  /** As it streams in. */
  text: ReplyText;
  /** Texts of whole messages: what there is when nothing was streamed. */
  whole: string[];
  tokens: Tokens;
  errorKind: string | null;
  rateLimit: RateLimit | null;
}

interface Tokens {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
}

const createHearing = (): Hearing => ({
  sessionId: null,
  model: null,
  text: createReplyText(),
  whole: [],
  tokens: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 },
  errorKind: null,
  rateLimit: null,
});

/** Takes one message; an answer when the turn is over for us although the child would go on. */
function hear(message: Record<string, unknown>, heard: Hearing): Turn | null {
  switch (message['type']) {
    case 'stream_event':
      return isRecord(message['event']) ? hearEvent(message['event'], heard) : null;
    case 'assistant':
      hearWhole(message, heard);
      return null;
    case 'rate_limit_event':
      heard.rateLimit = isRecord(message['rate_limit_info']) ? message['rate_limit_info'] : null;
      return null;
    default:
      return null;
  }
}

function hearWhole(message: Record<string, unknown>, heard: Hearing): void {
  if (typeof message['error'] === 'string') heard.errorKind = message['error'];
  const inner = message['message'];
  if (!isRecord(inner) || inner['model'] === '<synthetic>') return;
  if (typeof inner['model'] === 'string') heard.model = inner['model'];
  const content = Array.isArray(inner['content']) ? inner['content'] : [];
  for (const block of content) {
    if (isRecord(block) && typeof block['text'] === 'string') heard.whole.push(block['text']);
  }
}

function hearEvent(event: Record<string, unknown>, heard: Hearing): Turn | null {
  if (event['type'] === 'message_start' && isRecord(event['message'])) {
    if (typeof event['message']['model'] === 'string') heard.model = event['message']['model'];
    readUsage(event['message']['usage'], heard.tokens);
  } else if (event['type'] === 'content_block_delta' && isRecord(event['delta'])) {
    const piece = event['delta']['text'];
    if (typeof piece === 'string' && !heard.text.add(piece)) return early(heard, true);
  } else if (event['type'] === 'message_delta' && isRecord(event['delta'])) {
    readUsage(event['usage'], heard.tokens);
    return afterStop(event['delta']['stop_reason'], heard);
  }
  return null;
}

/** Where the child would ask the model to go on, again and again, we have what we want or will not get it. */
function afterStop(reason: unknown, heard: Hearing): Turn | null {
  switch (reason) {
    case 'max_tokens':
      return early(heard, true);
    case 'end_turn':
      return heard.text.toString() === '' ? early(heard, false) : null;
    case 'refusal':
      return failed('rejected', 'was refused an answer by the model.', heard);
    case 'model_context_window_exceeded':
      return failed('too-long', 'was sent more than its model can read.', heard);
    default:
      return null;
  }
}

/** Its memory ends in the middle of the turn, so it is not one to go on with. */
function early(heard: Hearing, isTruncated: boolean): Turn {
  const { model, text } = heard;
  const reply: Answer = { kind: 'text', text: text.toString(), usage: usageOf(heard), model, isTruncated };
  return { kind: 'answered', reply, cost: 0, isReusable: false };
}

function failed(failure: 'rejected' | 'too-long', what: string, heard: Hearing): Turn {
  const name = PROVIDER_ROWS['claude-code'].name;
  const error = new ProviderError(failure, `The ${name} observer ${what}`, {
    usage: usageOf(heard),
    data: { provider: name },
  });
  return { kind: 'failed', error };
}

function ofResult(result: Record<string, unknown>, heard: Hearing, costBefore: number, now: number): Turn {
  if (isResumeRefusal(result)) return { kind: 'resume-refused' };
  const total = typeof result['total_cost_usd'] === 'number' ? result['total_cost_usd'] : costBefore;
  readUsage(result['usage'], heard.tokens);
  const usage = { ...usageOf(heard), estimatedCostUsd: Math.max(0, total - costBefore) };
  if (result['is_error'] === true || result['subtype'] !== 'success') {
    const { errorKind, rateLimit, model } = heard;
    const error = failureOfResult({ result, errorKind, rateLimit, usage, hasBegun: model !== null, now });
    return { kind: 'failed', error };
  }
  const streamed = heard.text.toString();
  const text = streamed !== '' ? streamed : heard.whole.join('') || textOf(result['result']);
  const { model, sessionId } = heard;
  const resumable = sessionId === null ? {} : { memorySessionId: sessionId };
  const reply: Answer = { kind: 'text', text, usage, model, isTruncated: false, ...resumable };
  return { kind: 'answered', reply, cost: total, isReusable: true };
}

/** Words of every version; nothing else tells it. */
const RESUME_REFUSED = /no conversation found|--resume requires a valid session id/i;

export const isResumeRefusalText = (text: string) => RESUME_REFUSED.test(text);

function isResumeRefusal(result: Record<string, unknown>): boolean {
  const errors = Array.isArray(result['errors']) ? result['errors'] : [];
  return errors.some((error) => typeof error === 'string' && isResumeRefusalText(error));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function usageOf({ tokens, model }: Hearing): CallUsage {
  const { inputTokens, outputTokens, cachedTokens } = tokens;
  return { inputTokens, outputTokens, cachedTokens, estimatedCostUsd: estimateCost(model, tokens) };
}

/** Later figures replace earlier ones; what is missing in the later ones stands. */
function readUsage(usage: unknown, tokens: Tokens): void {
  if (!isRecord(usage)) return;
  const figure = (name: string, otherwise: number) =>
    typeof usage[name] === 'number' ? usage[name] : otherwise;
  const plain = figure('input_tokens', tokens.inputTokens - tokens.cachedTokens - tokens.cacheWriteTokens);
  tokens.cachedTokens = figure('cache_read_input_tokens', tokens.cachedTokens);
  tokens.cacheWriteTokens = figure('cache_creation_input_tokens', tokens.cacheWriteTokens);
  tokens.inputTokens = plain + tokens.cachedTokens + tokens.cacheWriteTokens;
  tokens.outputTokens = figure('output_tokens', tokens.outputTokens);
}
