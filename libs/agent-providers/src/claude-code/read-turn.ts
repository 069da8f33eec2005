import { isRecord, PROVIDER_ROWS, type CallUsage } from '@claude-mem/core';
import type { ObserverReply } from '../agent-provider.js';
import { createReplyText, type ReplyText } from '../model/create-reply-text.js';
import { estimateCost } from '../model/estimate-cost.js';
import { ProviderError } from '../provider-error.js';
import { failureOfResult, type RateLimit } from './failure-of-result.js';

export interface ReadTurnOptions {
  next: () => Promise<IteratorResult<unknown, unknown>>;
  /** Called when output of the model arrives. Other messages of the process do not count as activity. */
  alive: () => void;
  /** The cost of the earlier turns of this process, because the process reports a running total. */
  costBefore: number;
  /** Epoch milliseconds. */
  now: () => number;
}

type Answer = Extract<ObserverReply, { kind: 'text' }>;

export type Turn =
  | {
      kind: 'answered';
      reply: Answer;
      /** The running total of the process. */
      cost: number;
      /** False when the process would continue at the user's cost with unneeded requests. It must be stopped. */
      isReusable: boolean;
    }
  | { kind: 'failed'; error: ProviderError }
  /** Claude Code does not know the conversation to resume. */
  | { kind: 'resume-refused' }
  /** The process exited before its answer. */
  | { kind: 'ended' };

/** Reads the messages of a process until its turn is complete. Throws only the errors of `next`. */
export async function readTurn({ next, alive, costBefore, now }: ReadTurnOptions): Promise<Turn> {
  const received = createReceived();
  for (;;) {
    const { done, value } = await next();
    if (done) return { kind: 'ended' };
    if (!isRecord(value)) continue;
    if (value['type'] !== 'system') alive();
    if (typeof value['session_id'] === 'string') received.sessionId = value['session_id'];
    if (value['parent_tool_use_id']) continue;
    if (value['type'] === 'result') return ofResult(value, received, costBefore, now());
    const early = readMessage(value, received);
    if (early !== null) return early;
  }
}

interface Received {
  sessionId: string | null;
  model: string | null;
  /** The streamed text. */
  text: ReplyText;
  /** Texts of complete messages, used when no text was streamed. */
  messageTexts: string[];
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

const createReceived = (): Received => ({
  sessionId: null,
  model: null,
  text: createReplyText(),
  messageTexts: [],
  tokens: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 },
  errorKind: null,
  rateLimit: null,
});

/**
 * Processes one message. Returns an answer when the turn is complete for the observer, even if the process would
 * continue.
 */
function readMessage(message: Record<string, unknown>, received: Received): Turn | null {
  switch (message['type']) {
    case 'stream_event':
      return isRecord(message['event']) ? readStreamEvent(message['event'], received) : null;
    case 'assistant':
      readMessageText(message, received);
      return null;
    case 'rate_limit_event':
      received.rateLimit = isRecord(message['rate_limit_info']) ? message['rate_limit_info'] : null;
      return null;
    default:
      return null;
  }
}

function readMessageText(message: Record<string, unknown>, received: Received): void {
  if (typeof message['error'] === 'string') received.errorKind = message['error'];
  const inner = message['message'];
  if (!isRecord(inner) || inner['model'] === '<synthetic>') return;
  if (typeof inner['model'] === 'string') received.model = inner['model'];
  const content = Array.isArray(inner['content']) ? inner['content'] : [];
  for (const block of content) {
    if (isRecord(block) && typeof block['text'] === 'string') received.messageTexts.push(block['text']);
  }
}

function readStreamEvent(event: Record<string, unknown>, received: Received): Turn | null {
  if (event['type'] === 'message_start' && isRecord(event['message'])) {
    if (typeof event['message']['model'] === 'string') received.model = event['message']['model'];
    readUsage(event['message']['usage'], received.tokens);
  } else if (event['type'] === 'content_block_delta' && isRecord(event['delta'])) {
    const piece = event['delta']['text'];
    if (typeof piece === 'string' && !received.text.add(piece)) return early(received, true);
  } else if (event['type'] === 'message_delta' && isRecord(event['delta'])) {
    readUsage(event['usage'], received.tokens);
    return afterStop(event['delta']['stop_reason'], received);
  }
  return null;
}

/** The process would send further requests to the model here, but the answer is complete or will not come. */
function afterStop(reason: unknown, received: Received): Turn | null {
  switch (reason) {
    case 'max_tokens':
      return early(received, true);
    case 'end_turn':
      return received.text.toString() === '' ? early(received, false) : null;
    case 'refusal':
      return failed('rejected', 'was refused an answer by the model.', received);
    case 'model_context_window_exceeded':
      return failed('too-long', 'was sent more than its model can read.', received);
    default:
      return null;
  }
}

/** The stored conversation ends in the middle of the turn, so it cannot be continued. */
function early(received: Received, isTruncated: boolean): Turn {
  const { model, text } = received;
  const reply: Answer = { kind: 'text', text: text.toString(), usage: usageOf(received), model, isTruncated };
  return { kind: 'answered', reply, cost: 0, isReusable: false };
}

function failed(failure: 'rejected' | 'too-long', reason: string, received: Received): Turn {
  const name = PROVIDER_ROWS['claude-code'].name;
  const error = new ProviderError(failure, `The ${name} observer ${reason}`, {
    usage: usageOf(received),
    data: { provider: name },
  });
  return { kind: 'failed', error };
}

function ofResult(
  result: Record<string, unknown>,
  received: Received,
  costBefore: number,
  now: number,
): Turn {
  if (isResumeRefusal(result)) return { kind: 'resume-refused' };
  const total = typeof result['total_cost_usd'] === 'number' ? result['total_cost_usd'] : costBefore;
  readUsage(result['usage'], received.tokens);
  const usage = { ...usageOf(received), estimatedCostUsd: Math.max(0, total - costBefore) };
  if (result['is_error'] === true || result['subtype'] !== 'success') {
    const { errorKind, rateLimit, model } = received;
    const error = failureOfResult({ result, errorKind, rateLimit, usage, hasBegun: model !== null, now });
    return { kind: 'failed', error };
  }
  const streamed = received.text.toString();
  const text = streamed !== '' ? streamed : received.messageTexts.join('') || textOf(result['result']);
  const { model, sessionId } = received;
  const resumable = sessionId === null ? {} : { memorySessionId: sessionId };
  const reply: Answer = { kind: 'text', text, usage, model, isTruncated: false, ...resumable };
  return { kind: 'answered', reply, cost: total, isReusable: true };
}

/** All versions use this text, and no code identifies the error. */
const RESUME_REFUSED = /no conversation found|--resume requires a valid session id/i;

export const isResumeRefusalText = (text: string) => RESUME_REFUSED.test(text);

function isResumeRefusal(result: Record<string, unknown>): boolean {
  const errors = Array.isArray(result['errors']) ? result['errors'] : [];
  return errors.some((error) => typeof error === 'string' && isResumeRefusalText(error));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function usageOf({ tokens, model }: Received): CallUsage {
  const { inputTokens, outputTokens, cachedTokens } = tokens;
  return { inputTokens, outputTokens, cachedTokens, estimatedCostUsd: estimateCost(model, tokens) };
}

/** Later numbers replace earlier ones. A missing number keeps its earlier value. */
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
