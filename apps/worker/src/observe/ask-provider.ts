import {
  estimateCost,
  ProviderError,
  type AgentProvider,
  type Conversations,
} from '@claude-mem/agent-providers';
import {
  estimateTokens,
  type CallUsage,
  type Clock,
  type ObserverBatch,
  type Store,
  type UsageDecision,
  type UsageLimits,
} from '@claude-mem/core';
import type { Mode } from '@claude-mem/settings';
import type { WorkerLog } from '../log/create-log.js';
import type { Records } from './read-reply.js';
import { sendRequest } from './send-request.js';

/** Settings of a request. */
interface RequestOptions {
  mode: Mode;
  language: string;
  verbosity: 'minimal' | 'normal' | 'verbose';
  /** 0: no limit. */
  maxTokens: number;
  limits: UsageLimits;
}

export interface AskOptions {
  store: Store;
  conversations: Conversations;
  /** Returns the current settings. */
  requestOptions: () => RequestOptions;
  clock: Clock;
  log: WorkerLog;
}

/** What one provider found. */
export interface Answer extends Records {
  provider: AgentProvider;
  model: string | null;
  memorySessionId?: string | null;
  /** The call is still open: the commit of the records settles it. */
  usage?: CallUsage & { callId: number };
}

export type Asked =
  { kind: 'answered'; answer: Answer } | { kind: 'over'; decision: UsageDecision & { kind: 'over' } };

/** How often a request that the vendor finds too long is sent again at half its size. */
const HALVINGS = 2;
/** A size that no request reaches. */
const NO_CAP = 1_000_000;

/**
 * Asks one provider for the records of a batch. A call that costs is reserved before and settled whatever happens.
 *
 * @throws ProviderError when there are no records; never `provider/too-long`
 */
export async function askProvider(
  options: AskOptions,
  { provider, batch, signal }: { provider: AgentProvider; batch: ObserverBatch; signal: AbortSignal },
): Promise<Asked> {
  const target = { provider, batch, signal };
  if (provider.capabilities.readsBatch)
    return {
      kind: 'answered',
      answer: await sendRequest(options, { ...target, texts: NO_TEXTS, callId: null }),
    };
  const { writeObserverPrompt } = await import('@claude-mem/parser');
  let maxTokens = options.requestOptions().maxTokens || NO_CAP;
  let triedTokens = Infinity;
  let refusal: ProviderError | null = null;
  for (let halvings = 0; ; halvings += 1) {
    const { mode, language, verbosity, limits } = options.requestOptions();
    const texts = writeObserverPrompt(batch, mode, { language, verbosity, maxTokens });
    const tokens = estimateTokens(texts.instructions) + estimateTokens(texts.prompt);
    if (tokens >= triedTokens) throw tooLong(refusal);
    triedTokens = tokens;
    const decision = await options.store.reserveUsage({
      sessionId: batch.session.id,
      provider: provider.name,
      model: provider.model,
      estimate: mostItMayCost(provider, tokens),
      limits,
      now: options.clock.now(),
    });
    if (decision.kind === 'over') return { kind: 'over', decision };
    try {
      const answer = await sendRequest(options, { ...target, texts, callId: decision.callId });
      return { kind: 'answered', answer };
    } catch (error) {
      if (!ProviderError.isInstance(error) || error.code !== 'provider/too-long') throw error;
      refusal = error;
      if (halvings === HALVINGS) throw tooLong(refusal);
      maxTokens = Math.floor(tokens / 2);
    }
  }
}

const tooLong = (refusal: ProviderError | null) =>
  new ProviderError(
    'rejected',
    refusal?.isReplyText
      ? refusal.message
      : 'The observer rejects even the shortest form of the request as too long.',
    { isReplyText: refusal?.isReplyText ?? false },
  );

const NO_TEXTS = { instructions: '', prompt: '' };

function mostItMayCost(provider: AgentProvider, inputTokens: number): CallUsage {
  const { model, maxReplyTokens, capabilities } = provider;
  const tokens = { inputTokens, outputTokens: maxReplyTokens, cachedTokens: 0 };
  return { ...tokens, estimatedCostUsd: capabilities.isFree ? 0 : estimateCost(model, tokens) };
}
