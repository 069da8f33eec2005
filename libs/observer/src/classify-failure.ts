import { ProviderError, type ProviderErrorCode } from '@claude-mem/agent-providers';
import { ClaudeMemError } from '@claude-mem/core';
import type { QueueFailure } from '@claude-mem/queue';

const MESSAGE_CODES: ReadonlySet<string> = new Set<ProviderErrorCode>([
  'provider/bad-reply',
  'provider/rejected',
  'provider/too-long',
]);

/**
 * Returns true if the request caused the failure, not the provider. An error text in a successful response comes from
 * a gateway or client that hides the status. It does not depend on the messages.
 */
export const isMessageFailure = ({ code, isReplyText }: ProviderError): boolean =>
  MESSAGE_CODES.has(code) && !isReplyText;

/**
 * Classifies the failure of a batch for the queue. The text of an unknown error is replaced, because it may contain
 * event data.
 */
export function classifyFailure(error: unknown): QueueFailure {
  if (ProviderError.isInstance(error)) {
    const { message, retryable } = error;
    return { message, retryable, scope: scopeOf(error), ...after(error.retryAfterMs) };
  }
  if (ClaudeMemError.isInstance(error)) {
    const { message, code, data } = error;
    if (code === 'observer/session-paused') return { message, retryable: false, scope: 'session' };
    if (code === 'observer/paused')
      return { message, retryable: false, scope: 'provider', ...after(data?.['retryAfterMs']) };
    if (code.startsWith('storage/')) return { message, retryable: true, scope: 'provider' };
  }
  if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_MODULE_NOT_FOUND')
    return {
      message: 'Files of the running version are gone, such as after an update: run "claude-mem restart".',
      retryable: true,
      scope: 'provider',
    };
  const name = error instanceof Error ? error.name : typeof error;
  return {
    message: `The observer failed with ${name}. The log contains details.`,
    retryable: true,
    scope: 'message',
  };
}

function scopeOf(error: ProviderError): QueueFailure['scope'] {
  if (!isMessageFailure(error)) return 'provider';
  // Finding the poison message would require more paid calls, so the complete batch counts as the cause.
  return error.code === 'provider/bad-reply' ? 'batch' : 'message';
}

const after = (ms: unknown) => (typeof ms === 'number' ? { retryAfterMs: ms } : {});
