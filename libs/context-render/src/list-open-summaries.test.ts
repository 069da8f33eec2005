import type { Summary } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { hasContent, listOpenSummaries } from './list-open-summaries.js';

const DAY_MS = 86_400_000;
const summary = (id: number, more: Partial<Summary>): Summary => ({
  id,
  uid: `u-${id}`,
  sessionId: id,
  projectId: 1,
  promptNumber: 1,
  request: 'Raise the limit',
  investigated: null,
  learned: null,
  completed: null,
  nextSteps: `Step ${id}`,
  notes: null,
  filesRead: [],
  filesEdited: [],
  createdAtEpoch: id * DAY_MS,
  ...more,
});
const idsOf = (summaries: readonly Summary[]) => listOpenSummaries(summaries).map(({ id }) => id);

describe('listOpenSummaries', () => {
  it('returns the last summaries of the three latest sessions, newest first', () => {
    const all = [1, 2, 3, 4, 5].map((id) => summary(id, {}));
    expect(idsOf(all)).toEqual([5, 4, 3]);
    expect(idsOf([...all, summary(6, { sessionId: 5, nextSteps: null })])).toEqual([4, 3]);
  });

  it('skips summaries without open steps, and summaries a month older than the last', () => {
    expect(
      idsOf([summary(1, {}), summary(2, { nextSteps: 'None.' }), summary(3, { nextSteps: ' ' })]),
    ).toEqual([1]);
    expect(idsOf([summary(1, {}), summary(40, {})])).toEqual([40]);
    expect(idsOf([])).toEqual([]);
  });
});

describe('hasContent', () => {
  it('returns false when the text only states that there is nothing', () => {
    for (const text of [null, ' ', 'None', 'n/a', 'Nothing was changed.', 'nothing changed', '---'])
      expect(hasContent(text), String(text)).toBe(false);
    for (const text of ['Nothing was changed in the cart.', 'Nonetheless', 'Change nothing'])
      expect(hasContent(text), text).toBe(true);
  });
});
