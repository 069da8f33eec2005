import type { Summary } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { isSaid, openEnds } from './open-ends.js';

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
const idsOf = (summaries: readonly Summary[]) => openEnds(summaries).map(({ id }) => id);

describe('openEnds', () => {
  it('are those of the last summaries of the three latest sessions, newest first', () => {
    const all = [1, 2, 3, 4, 5].map((id) => summary(id, {}));
    expect(idsOf(all)).toEqual([5, 4, 3]);
    expect(idsOf([...all, summary(6, { sessionId: 5, nextSteps: null })])).toEqual([4, 3]);
  });

  it('leave out what says that nothing is open, and what is a month older than the last', () => {
    expect(
      idsOf([summary(1, {}), summary(2, { nextSteps: 'None.' }), summary(3, { nextSteps: ' ' })]),
    ).toEqual([1]);
    expect(idsOf([summary(1, {}), summary(40, {})])).toEqual([40]);
    expect(idsOf([])).toEqual([]);
  });
});

describe('isSaid', () => {
  it('takes a text that says that there is nothing for nothing', () => {
    for (const text of [null, ' ', 'None', 'n/a', 'Nothing was changed.', 'nothing changed', '---'])
      expect(isSaid(text), String(text)).toBe(false);
    for (const text of ['Nothing was changed in the cart.', 'Nonetheless', 'Change nothing'])
      expect(isSaid(text), text).toBe(true);
  });
});
