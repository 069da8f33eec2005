import { ProviderError, type ProviderChain } from '@claude-mem/agent-providers';
import type { ObserverBatch, UsageDecision } from '@claude-mem/core';
import { ObserverError } from './observer-error.js';
import type { ObserveOptions, ProviderRecords } from './observe-options.js';
import { observeWithProvider, type ProviderResult } from './observe-with-provider.js';
import { formatBudget } from './observer-notices.js';
import { isMessageFailure } from './classify-failure.js';

/**
 * Calls the providers in their order until one of them returns records.
 *
 * @throws ProviderError when the batch caused the error, or when the current provider will be retried
 * @throws ObserverError `observer/paused`, `observer/session-paused` when no provider may be called
 */
export async function observeWithChain(
  options: ObserveOptions & { chain: ProviderChain },
  batch: ObserverBatch,
  signal: AbortSignal,
): Promise<ProviderRecords> {
  const { chain, clock } = options;
  for (;;) {
    signal.throwIfAborted();
    using attempt = chain.begin();
    if (attempt === null) throw pausedError(chain, clock.now());
    const { provider } = attempt;
    let result: ProviderResult;
    try {
      result = await observeWithProvider(options, { provider, batch, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!ProviderError.isInstance(error) || isMessageFailure(error)) throw error;
      attempt.failed(error);
      if (isRetried(chain, provider.name)) throw error;
      continue;
    }
    if (result.kind === 'records') {
      attempt.succeeded();
      return result.records;
    }
    const { decision } = result;
    if (decision.limit === 'sessionTokens') return observeForFree(options, batch, signal, decision);
    attempt.overBudget({ reason: formatBudget(decision), untilEpoch: decision.freeAtEpoch });
  }
}

/** Returns true if the provider will be retried later. A second call now would fail again. */
const isRetried = (chain: ProviderChain, provider: string) =>
  chain.states().some(({ name, state }) => name === provider && state === 'waiting');

/** Calls a free provider for a session that has used up its budget. */
async function observeForFree(
  options: ObserveOptions & { chain: ProviderChain },
  batch: ObserverBatch,
  signal: AbortSignal,
  decision: UsageDecision & { kind: 'over' },
): Promise<ProviderRecords> {
  using attempt = options.chain.begin({ costsNothing: true });
  const result =
    attempt && (await observeWithProvider(options, { provider: attempt.provider, batch, signal }));
  if (result?.kind === 'records') return result.records;
  throw new ObserverError('observer/session-paused', formatBudget(decision));
}

function pausedError(chain: ProviderChain, now: number): ObserverError {
  const reason =
    chain.states().find(({ state }) => state === 'aside')?.reason ?? 'No observer is available now.';
  const at = chain.nextChangeAt();
  return new ObserverError('observer/paused', reason, {
    data: { retryAfterMs: at === null ? null : Math.max(1, at - now) },
  });
}
