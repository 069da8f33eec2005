import { failureInProse, ProviderError, type ObserverReply } from '@claude-mem/agent-providers';
import type { CallUsage, ObservationDraft, SummaryDraft, Logger } from '@claude-mem/core';
import type { Mode } from '@claude-mem/settings';

/** The records that a reply contains. */
export interface Records {
  observations: readonly ObservationDraft[];
  summary: SummaryDraft | null;
}

type TextReply = ObserverReply & { kind: 'text' };

/**
 * Parses the records of a reply. Text without records is an error, never "nothing to record".
 *
 * @throws ProviderError the error that a reply in prose reports, otherwise `provider/bad-reply`
 */
export async function readReply(
  reply: TextReply,
  { mode, log }: { mode: Mode; log: Logger },
): Promise<Records> {
  const { readObserverReply } = await import('@claude-mem/parser');
  const { observations, summary, issues } = readObserverReply(reply.text, mode);
  if (issues.some(({ code }) => code === 'no-records'))
    throw (
      failureInProse(reply.text) ??
      badReply('The observer answered in prose instead of records; another model may do better.', reply.usage)
    );
  if (reply.isTruncated && observations.length === 0 && summary === null)
    throw badReply('The answer of the observer was cut off before its first record.', reply.usage);
  if (reply.isTruncated || issues.length > 0) {
    const { isTruncated, model } = reply;
    log.warn(
      { issues: issues.map(({ code }) => code), isTruncated, model },
      'The reply of the observer was incomplete',
    );
  }
  return { observations, summary };
}

const badReply = (message: string, usage: CallUsage) => new ProviderError('bad-reply', message, { usage });
