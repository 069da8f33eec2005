import type { ProviderState } from '@claude-mem/agent-providers';
import { localDayOf, type UsageDecision, type UsageLimit } from '@claude-mem/core';

const LIMITS: Readonly<Record<UsageLimit, { format: (allowed: number) => string; key: string }>> = {
  dayCalls: { format: (allowed) => `${allowed} calls a day`, key: 'CLAUDE_MEM_BUDGET_DAY_CALLS' },
  dayTokens: { format: (allowed) => `${allowed} tokens a day`, key: 'CLAUDE_MEM_BUDGET_DAY_TOKENS' },
  dayUsd: { format: (allowed) => `${allowed} US dollars a day`, key: 'CLAUDE_MEM_BUDGET_DAY_USD' },
  sessionTokens: {
    format: (allowed) => `${allowed} tokens a session`,
    key: 'CLAUDE_MEM_BUDGET_SESSION_TOKENS',
  },
};

/** Formats the message about a budget that is used up, with its setting. */
export function formatBudget({ limit, allowed }: UsageDecision & { kind: 'over' }): string {
  const { format, key } = LIMITS[limit];
  return `The budget of ${format(allowed)} is used up (${key}).`;
}

/** A message about a problem of the observer. `isLasting`: the problem lasts longer than a minute. */
export interface ObserverNotice {
  text: string;
  isLasting: boolean;
}

/** Returns all problems of the observers, most important first. */
export function observerNotices({
  unready,
  states,
  fallback,
  hasPausedSessions,
  queuePauseReason,
  now,
}: {
  unready: readonly { problem: string }[];
  states: readonly ProviderState[];
  /** Name of the current provider; null when no provider is available. */
  fallback: string | null;
  hasPausedSessions: boolean;
  /** Why the queue is paused; null when it is not paused. */
  queuePauseReason: string | null;
  now: number;
}): ObserverNotice[] {
  const notices: ObserverNotice[] = unready.map(({ problem }) => ({ text: problem, isLasting: true }));
  for (const state of states) {
    const text = formatState(state, { fallback, now });
    if (text !== null) notices.push({ text, isLasting: isLasting(state) });
  }
  if (hasPausedSessions) notices.push({ text: SESSIONS_PAUSED, isLasting: true });
  const isReported = queuePauseReason === null || states.some(({ reason }) => reason === queuePauseReason);
  if (!isReported) notices.push({ text: queuePauseReason, isLasting: false });
  return notices;
}

const isLasting = ({ state, sinceEpoch, untilEpoch }: ProviderState) =>
  state === 'aside' && (untilEpoch === null || untilEpoch - (sinceEpoch ?? 0) > LASTING_MS);

const LASTING_MS = 60_000;

const SESSIONS_PAUSED =
  'Some sessions have used up their budget (CLAUDE_MEM_BUDGET_SESSION_TOKENS). Their events stay in the queue until you raise it.';

/**
 * Formats the reason why a provider is not used, the end of the pause, and the fallback. Returns null if the provider
 * works. The text is stable until the state changes.
 */
function formatState(
  { name, state, reason, untilEpoch }: ProviderState,
  { fallback, now }: { fallback: string | null; now: number },
): string | null {
  if (state === 'works' || reason === null) return null;
  if (state === 'waiting') return `The observer ${name} failed and will be retried: ${reason}`;
  const until = untilEpoch === null ? '' : ` until ${formatLocalTime(untilEpoch, now)}`;
  const instead = fallback === null ? 'events stay in the queue' : `${fallback} is used instead`;
  return `The observer ${name} is paused${until}, ${instead}: ${reason}`;
}

/** Formats a local time, with the date unless it is today. */
function formatLocalTime(epoch: number, now: number): string {
  const date = new Date(epoch);
  const two = (part: number) => String(part).padStart(2, '0');
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const day = localDayOf(epoch);
  return day === localDayOf(now) ? time : `${day} ${time}`;
}
