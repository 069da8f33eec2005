import { ProviderError, type ProviderChain } from '@claude-mem/agent-providers';
import type { ObserverBatch, UsageDecision } from '@claude-mem/core';
import { WorkerError } from '../worker-error.js';
import { askProvider, type Answer, type AskOptions, type Asked } from './ask-provider.js';
import { budgetSentence } from './observer-words.js';
import { isOfTheMessage } from './failure-of.js';

/**
 * Asks whoever may be asked, until one answers or nobody is left.
 *
 * @throws ProviderError about this batch, or about the one provider that is waited for
 * @throws WorkerError `worker/observer-held`, `worker/session-held` when nobody may be asked
 */
export async function askChain(
  options: AskOptions & { chain: ProviderChain },
  batch: ObserverBatch,
  signal: AbortSignal,
): Promise<Answer> {
  const { chain, clock } = options;
  for (;;) {
    signal.throwIfAborted();
    using attempt = chain.begin();
    if (attempt === null) throw heldError(chain, clock.now());
    const { provider } = attempt;
    let asked: Asked;
    try {
      asked = await askProvider(options, { provider, batch, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!ProviderError.isInstance(error) || isOfTheMessage(error)) throw error;
      attempt.failed(error);
      if (isWaitedFor(chain, provider.name)) throw error;
      continue;
    }
    if (asked.kind === 'answered') {
      attempt.succeeded();
      return asked.answer;
    }
    const { decision } = asked;
    if (decision.limit === 'sessionTokens') return askForNothing(options, batch, signal, decision);
    attempt.overBudget({ reason: budgetSentence(decision), untilEpoch: decision.freeAtEpoch });
  }
}

/** Also where one before it is free and being tried: asked again at once, it would fail again. */
const isWaitedFor = (chain: ProviderChain, asked: string) =>
  chain.states().some(({ name, state }) => name === asked && state === 'waiting');

/** The session may spend no more; others may, and somebody may work for nothing. */
async function askForNothing(
  options: AskOptions & { chain: ProviderChain },
  batch: ObserverBatch,
  signal: AbortSignal,
  decision: UsageDecision & { kind: 'over' },
): Promise<Answer> {
  using attempt = options.chain.begin({ costsNothing: true });
  const asked = attempt && (await askProvider(options, { provider: attempt.provider, batch, signal }));
  if (asked?.kind === 'answered') return asked.answer;
  throw new WorkerError('worker/session-held', budgetSentence(decision));
}

function heldError(chain: ProviderChain, now: number): WorkerError {
  const reason =
    chain.states().find(({ state }) => state === 'aside')?.reason ?? 'No observer is available now.';
  const at = chain.nextChangeAt();
  return new WorkerError('worker/observer-held', reason, {
    data: { retryAfterMs: at === null ? null : Math.max(1, at - now) },
  });
}
