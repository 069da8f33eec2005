import type { CommitReply, ObservationDraft, SummaryDraft } from '@claude-mem/core';

export function draft(more: Partial<ObservationDraft> = {}): ObservationDraft {
  return {
    type: 'bugfix',
    title: 'Fixed the date parser',
    subtitle: null,
    narrative: 'The parser read months from one; now it reads them from zero.',
    facts: ['src/date.ts parses months from zero'],
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
