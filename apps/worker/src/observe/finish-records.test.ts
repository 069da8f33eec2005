import { createObserverBatch } from '@claude-mem/agent-providers/testing';
import type { SummaryDraft } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { finishRecords } from './finish-records.js';

const summary: SummaryDraft = {
  request: 'Correct the totals',
  investigated: null,
  learned: null,
  completed: 'Corrected the totals.',
  nextSteps: null,
  notes: null,
  filesRead: [],
  filesEdited: [],
};

const requestOf = async (prompt: string | null, goal: string | null) => {
  const batch = createObserverBatch({ prompt, session: { goal } });
  const options = { payloadBytes: 0, isProven: false, signal: new AbortController().signal };
  return (await finishRecords(batch, { observations: [], summary }, options)).summary;
};

describe('finishRecords', () => {
  it('R14: removes the request of a summary when the user wrote no prompt', async () => {
    expect(await requestOf(null, null)).toEqual({ ...summary, request: null });
    expect(await requestOf(' ', '')).toEqual({ ...summary, request: null });
  });

  it('keeps the request of a summary when the user wrote a prompt', async () => {
    expect(await requestOf('Correct the totals', null)).toEqual(summary);
    expect(await requestOf(null, 'Correct the totals')).toEqual(summary);
  });
});
