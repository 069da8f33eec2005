import { estimateCost, ProviderError, type AgentProvider } from '@claude-mem/agent-providers';
import { estimateTokens, type CallUsage, type ObserverBatch, type UsageDecision } from '@claude-mem/core';
import type { ObserveOptions, ProviderRecords } from './observe-options.js';
import { sendRequest } from './send-request.js';

/** `over-budget`: the provider was not called, because a budget is used up. */
export type ProviderResult =
  | { kind: 'records'; records: ProviderRecords }
  | { kind: 'over-budget'; decision: UsageDecision & { kind: 'over' } };

/** Number of times that the size of a request is halved after the vendor rejects it as too long. */
const MAX_HALVINGS = 2;
/** Value for "no limit" in tokens. It is larger than any request. */
const NO_LIMIT = 1_000_000;

/**
 * Calls one provider. The cost of a call is reserved before the call and settled afterwards, also after an error.
 *
 * @throws ProviderError when there are no records; never `provider/too-long`
 */
export async function observeWithProvider(
  options: ObserveOptions,
  { provider, batch, signal }: { provider: AgentProvider; batch: ObserverBatch; signal: AbortSignal },
): Promise<ProviderResult> {
  const target = { provider, batch, signal };
  if (provider.capabilities.readsBatch)
    return {
      kind: 'records',
      records: await sendRequest(options, { ...target, texts: NO_TEXTS, callId: null }),
    };
  const { writeObserverPrompt } = await import('@claude-mem/parser');
  let maxTokens = options.requestOptions().maxTokens || NO_LIMIT;
  let triedTokens = Infinity;
  let rejection: ProviderError | null = null;
  for (let halvings = 0; ; halvings += 1) {
    const { mode, language, verbosity, limits } = options.requestOptions();
    const texts = writeObserverPrompt(batch, mode, { language, verbosity, maxTokens });
    const tokens = estimateTokens(texts.instructions) + estimateTokens(texts.prompt);
    if (tokens >= triedTokens) throw tooLong(rejection);
    triedTokens = tokens;
    const decision = await options.store.reserveUsage({
      sessionId: batch.session.id,
      provider: provider.name,
      model: provider.model,
      estimate: estimateMaximum(provider, tokens),
      limits,
      now: options.clock.now(),
    });
    if (decision.kind === 'over') return { kind: 'over-budget', decision };
    try {
      const records = await sendRequest(options, { ...target, texts, callId: decision.callId });
      return { kind: 'records', records };
    } catch (error) {
      if (!ProviderError.isInstance(error) || error.code !== 'provider/too-long') throw error;
      rejection = error;
      if (halvings === MAX_HALVINGS) throw tooLong(rejection);
      maxTokens = Math.floor(tokens / 2);
    }
  }
}

const tooLong = (rejection: ProviderError | null) =>
  new ProviderError(
    'rejected',
    rejection?.isReplyText
      ? rejection.message
      : 'The observer rejects even the shortest form of the request as too long.',
    { isReplyText: rejection?.isReplyText ?? false },
  );

const NO_TEXTS = { instructions: '', prompt: '' };

function estimateMaximum(provider: AgentProvider, inputTokens: number): CallUsage {
  const { model, maxReplyTokens, capabilities } = provider;
  const tokens = { inputTokens, outputTokens: maxReplyTokens, cachedTokens: 0 };
  return { ...tokens, estimatedCostUsd: capabilities.isFree ? 0 : estimateCost(model, tokens) };
}
