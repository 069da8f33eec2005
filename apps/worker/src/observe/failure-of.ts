import { ProviderError } from '@claude-mem/agent-providers';
import { ClaudeMemError } from '@claude-mem/core';
import type { QueueFailure } from '@claude-mem/queue';

/** Failures that lie in what was sent, not in who was asked. */
const OF_THE_MESSAGE = new Set(['provider/bad-reply', 'provider/rejected']);

/** What a failed attempt at a batch means for the queue. Texts of unknown errors stay out of it: they may quote payloads. */
export function failureOf(error: unknown): QueueFailure {
  if (ProviderError.isInstance(error)) {
    const { message, retryable, retryAfterMs, code } = error;
    const scope = OF_THE_MESSAGE.has(code) ? 'message' : 'provider';
    return { message, retryable, scope, ...(retryAfterMs === null ? {} : { retryAfterMs }) };
  }
  if (ClaudeMemError.isInstance(error) && error.code.startsWith('storage/'))
    return { message: error.message, retryable: true, scope: 'provider' };
  const name = error instanceof Error ? error.name : typeof error;
  return {
    message: `The observer failed with ${name}; the log says more.`,
    retryable: true,
    scope: 'message',
  };
}
