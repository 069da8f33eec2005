import type { Summary } from '@claude-mem/core';
import { byNewest } from './by-newest.js';

/** Only the latest sessions, because steps of older sessions are mostly done or obsolete. */
const MAX_SESSIONS = 3;
const RECENT_MS = 30 * 86_400_000;

/** Returns the last summaries of the latest sessions if they have next steps, newest first. */
export function listOpenSummaries(
  summaries: readonly Summary[],
): readonly (Summary & { nextSteps: string })[] {
  const latest = latestPerSession(summaries);
  return latest.filter((summary): summary is Summary & { nextSteps: string } => {
    const isRecent = (latest[0]?.createdAtEpoch ?? 0) - summary.createdAtEpoch <= RECENT_MS;
    return isRecent && hasContent(summary.nextSteps);
  });
}

/** Returns the newest summary with text of each session, newest first. */
export function latestPerSession(summaries: readonly Summary[]): readonly Summary[] {
  const bySession = new Map<number, Summary>();
  for (const summary of [...summaries].sort(byNewest)) {
    const hasText = [summary.request, summary.nextSteps, summary.completed, summary.learned].some(hasContent);
    if (hasText && !bySession.has(summary.sessionId)) bySession.set(summary.sessionId, summary);
    if (bySession.size >= MAX_SESSIONS) break;
  }
  return [...bySession.values()];
}

/** Whether a text has content. Words such as "None" or "n/a" do not count. */
export function hasContent(text: string | null): text is string {
  return (
    text !== null &&
    text.trim() !== '' &&
    !/^(?:none|n\/a|nothing|nothing (?:was )?changed|no next steps|-+)[.!]?$/i.test(text.trim())
  );
}
