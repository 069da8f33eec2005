import type { Summary } from '@claude-mem/core';
import { byNewest } from './by-newest.js';

/** Sessions whose open ends are told: older ones are mostly done or forgotten. */
const SESSIONS = 3;
const RECENT_MS = 30 * 86_400_000;

/** The last summaries of the latest sessions that left something to do, newest first: what a starting session is told of. */
export function openEnds(summaries: readonly Summary[]): readonly (Summary & { nextSteps: string })[] {
  const latest = latestPerSession(summaries);
  return latest.filter((summary): summary is Summary & { nextSteps: string } => {
    const isRecent = (latest[0]?.createdAtEpoch ?? 0) - summary.createdAtEpoch <= RECENT_MS;
    return isRecent && isSaid(summary.nextSteps);
  });
}

/** The newest with any text of each session, newest session first. */
export function latestPerSession(summaries: readonly Summary[]): readonly Summary[] {
  const bySession = new Map<number, Summary>();
  for (const summary of [...summaries].sort(byNewest)) {
    const hasText = [summary.request, summary.nextSteps, summary.completed, summary.learned].some(isSaid);
    if (hasText && !bySession.has(summary.sessionId)) bySession.set(summary.sessionId, summary);
    if (bySession.size >= SESSIONS) break;
  }
  return [...bySession.values()];
}

/** "None" in its usual forms is nothing to show. */
export function isSaid(text: string | null): text is string {
  return (
    text !== null &&
    text.trim() !== '' &&
    !/^(?:none|n\/a|nothing|nothing (?:was )?changed|no next steps|-+)[.!]?$/i.test(text.trim())
  );
}
