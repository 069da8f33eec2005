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

/** Which budget is used up, and the setting that raises it. */
export function budgetSentence({ limit, allowed }: UsageDecision & { kind: 'over' }): string {
  const { words, key } = LIMITS[limit];
  return `The budget of ${words(allowed)} is used up (${key}).`;
}

/** `isLasting`: it does not end within moments, by itself or not. */
export interface ObserverNotice {
  text: string;
  isLasting: boolean;
}

/** Everything that keeps somebody from observing, what matters most first. */
export function observerNotices({
  unready,
  states,
  standIn,
  hasHeldSessions,
  heldBackBecause,
  now,
}: {
  unready: readonly { problem: string }[];
  states: readonly ProviderState[];
  /** Who answers now. */
  standIn: string | null;
  hasHeldSessions: boolean;
  /** Why the queue waits. */
  heldBackBecause: string | null;
  now: number;
}): ObserverNotice[] {
  const notices: ObserverNotice[] = unready.map(({ problem }) => ({ text: problem, isLasting: true }));
  for (const state of states) {
    const text = stateSentence(state, { standIn, now });
    if (text !== null) notices.push({ text, isLasting: isLasting(state) });
  }
  if (hasHeldSessions) notices.push({ text: SESSIONS_HELD, isLasting: true });
  const isSaid = heldBackBecause === null || states.some(({ reason }) => reason === heldBackBecause);
  if (!isSaid) notices.push({ text: heldBackBecause, isLasting: false });
  return notices;
}

const isLasting = ({ state, sinceEpoch, untilEpoch }: ProviderState) =>
  state === 'aside' && (untilEpoch === null || untilEpoch - (sinceEpoch ?? 0) > MOMENTS_MS);

const MOMENTS_MS = 60_000;

const SESSIONS_HELD =
  'Sessions have used up their budget (CLAUDE_MEM_BUDGET_SESSION_TOKENS); their events are kept until it is raised.';

/** Why somebody is not asked, until when, and who is instead; null when all is well. The same words as long as nothing changes. */
function stateSentence(
  { name, state, reason, untilEpoch }: ProviderState,
  { standIn, now }: { standIn: string | null; now: number },
): string | null {
  if (state === 'works' || reason === null) return null;
  if (state === 'waiting')
    return `The observer ${name} fails for the moment and is tried again by itself: ${reason}`;
  const until = untilEpoch === null ? '' : ` until ${localTime(untilEpoch, now)}`;
  const instead = standIn === null ? 'events are kept' : `${standIn} stands in`;
  return `The observer ${name} is set aside${until}, ${instead}: ${reason}`;
}

/** In the time of the machine; with the day when it is another. */
function localTime(epoch: number, now: number): string {
  const date = new Date(epoch);
  const two = (part: number) => String(part).padStart(2, '0');
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const day = localDayOf(epoch);
  return day === localDayOf(now) ? time : `${day} ${time}`;
}
