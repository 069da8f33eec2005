import type { ProviderState } from '@claude-mem/agent-providers';
import { localDayOf, type UsageDecision, type UsageLimit } from '@claude-mem/core';

const LIMITS: Readonly<Record<UsageLimit, { words: (allowed: number) => string; key: string }>> = {
  dayCalls: { words: (allowed) => `${allowed} calls a day`, key: 'CLAUDE_MEM_BUDGET_DAY_CALLS' },
  dayTokens: { words: (allowed) => `${allowed} tokens a day`, key: 'CLAUDE_MEM_BUDGET_DAY_TOKENS' },
  dayUsd: { words: (allowed) => `${allowed} US dollars a day`, key: 'CLAUDE_MEM_BUDGET_DAY_USD' },
  sessionTokens: {
    words: (allowed) => `${allowed} tokens a session`,
    key: 'CLAUDE_MEM_BUDGET_SESSION_TOKENS',
  },
};

/** Formats the budget that is used up, with its setting. */
export function budgetSentence({ limit, allowed }: UsageDecision & { kind: 'over' }): string {
  const { words, key } = LIMITS[limit];
  return `The budget of ${words(allowed)} is used up (${key}).`;
}

/** `isLasting`: the problem lasts longer than a minute. */
export interface ObserverNotice {
  text: string;
  isLasting: boolean;
}

/** Returns all problems of the observers, most important first. */
export function observerNotices({
  unready,
  states,
  standIn,
  hasPausedSessions,
  queuePauseReason,
  now,
}: {
  unready: readonly { problem: string }[];
  states: readonly ProviderState[];
  /** Who answers now. */
  standIn: string | null;
  hasPausedSessions: boolean;
  /** Why the queue is paused; null when it is not paused. */
  queuePauseReason: string | null;
  now: number;
}): ObserverNotice[] {
  const notices: ObserverNotice[] = unready.map(({ problem }) => ({ text: problem, isLasting: true }));
  for (const state of states) {
    const text = stateSentence(state, { standIn, now });
    if (text !== null) notices.push({ text, isLasting: isLasting(state) });
  }
  if (hasPausedSessions) notices.push({ text: SESSIONS_PAUSED, isLasting: true });
  const isSaid = queuePauseReason === null || states.some(({ reason }) => reason === queuePauseReason);
  if (!isSaid) notices.push({ text: queuePauseReason, isLasting: false });
  return notices;
}

const isLasting = ({ state, sinceEpoch, untilEpoch }: ProviderState) =>
  state === 'aside' && (untilEpoch === null || untilEpoch - (sinceEpoch ?? 0) > MOMENTS_MS);

const MOMENTS_MS = 60_000;

const SESSIONS_PAUSED =
  'Some sessions have used up their budget (CLAUDE_MEM_BUDGET_SESSION_TOKENS). Their events stay in the queue until you raise it.';

/** Formats why an observer is not used, until when, and its fallback. Null if it works. The text is stable until the state changes. */
function stateSentence(
  { name, state, reason, untilEpoch }: ProviderState,
  { standIn, now }: { standIn: string | null; now: number },
): string | null {
  if (state === 'works' || reason === null) return null;
  if (state === 'waiting') return `The observer ${name} failed and will be retried: ${reason}`;
  const until = untilEpoch === null ? '' : ` until ${localTime(untilEpoch, now)}`;
  const instead = standIn === null ? 'events stay in the queue' : `${standIn} is used instead`;
  return `The observer ${name} is paused${until}, ${instead}: ${reason}`;
}

/** Formats a local time, with the date unless it is today. */
function localTime(epoch: number, now: number): string {
  const date = new Date(epoch);
  const two = (part: number) => String(part).padStart(2, '0');
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const day = localDayOf(epoch);
  return day === localDayOf(now) ? time : `${day} ${time}`;
}
