import type {
  CallUsage,
  CommitReply,
  ObservationDraft,
  Store,
  SummaryDraft,
  UsageLimits,
} from '@claude-mem/core';

export function draft(more: Partial<ObservationDraft> = {}): ObservationDraft {
  return {
    type: 'bugfix',
    title: 'Fixed the date parser',
    subtitle: null,
    narrative: 'The parser read months from one; now it reads them from zero.',
    facts: [{ text: 'src/date.ts parses months from zero', origin: 'evidence' }],
    concepts: ['problem-solution'],
    filesRead: ['src/date.test.ts'],
    filesModified: ['src/date.ts'],
    ...more,
  };
}

export function summary(more: Partial<SummaryDraft> = {}): SummaryDraft {
  return {
    request: 'Fix the date parser',
    investigated: null,
    learned: null,
    completed: 'Months are right',
    nextSteps: null,
    notes: null,
    filesRead: [],
    filesEdited: ['src/date.ts'],
    ...more,
  };
}

export function reply(sessionId: number, more: Partial<CommitReply> = {}): CommitReply {
  return {
    sessionId,
    promptNumber: 1,
    observations: [],
    summary: null,
    confirm: [],
    provider: 'scripted',
    model: null,
    now: Date.UTC(2026, 0, 2),
    ...more,
  };
}

export const NO_LIMITS: UsageLimits = { dayCalls: 0, dayTokens: 0, dayUsd: 0, sessionTokens: 0 };

export const ESTIMATE: CallUsage = {
  inputTokens: 1_000,
  outputTokens: 500,
  cachedTokens: 0,
  estimatedCostUsd: 0.5,
};

/** Reserves one call, which no ceiling may refuse. */
export async function reserve(
  store: Store,
  more: Partial<Parameters<Store['reserveUsage']>[0]> = {},
): Promise<number> {
  const decision = await store.reserveUsage({
    sessionId: 1,
    provider: 'scripted',
    model: null,
    estimate: ESTIMATE,
    limits: NO_LIMITS,
    now: Date.UTC(2026, 0, 2),
    ...more,
  });
  if (decision.kind === 'over') throw new Error(`refused by ${decision.limit}`);
  return decision.callId;
}
