import { describe, expect, it } from 'vitest';
import { compareHoldout } from './compare-holdout.js';

/** Sessions of a group with the values 1, 3, 1, 3 … or those of `value`. */
const group = (count: number, isHeldOut: boolean, value = (at: number) => 1 + 2 * (at % 2)) =>
  Array.from({ length: count }, (_, at) => ({
    sessionId: at + 1,
    isHeldOut,
    turns: value(at),
    repeatedReads: 0,
    failedCommands: value(at),
  }));

describe('compareHoldout', () => {
  it('counts the sessions of both groups', () => {
    expect(compareHoldout([...group(4, false), ...group(2, true)])).toMatchObject({
      withInjections: { sessions: 4, totals: { turns: 8, repeatedReads: 0, failedCommands: 8 } },
      withoutInjections: { sessions: 2, totals: { turns: 4 } },
    });
  });

  it.each([
    [19, 40],
    [40, 19],
  ])('compares nothing when the groups have %d and %d sessions', (others, held) => {
    expect(compareHoldout([...group(others, false), ...group(held, true)]).differences).toBeNull();
  });

  it('reports the difference of the means with its interval when both groups have 20 sessions', () => {
    const { differences } = compareHoldout([
      ...group(20, false),
      ...group(20, true, (at) => 5 + 2 * (at % 2)),
    ]);
    // variance 20/19 in each group, so the standard error is sqrt(2/19)
    expect(differences?.turns.mean).toBe(-4);
    expect(differences?.turns.from).toBeCloseTo(-4 - 2.093 * Math.sqrt(2 / 19));
    expect(differences?.turns.to).toBeCloseTo(-4 + 2.093 * Math.sqrt(2 / 19));
    expect(differences?.repeatedReads).toEqual({ mean: 0, from: 0, to: 0 });
  });

  it('excludes sessions whose tool uses were not counted', () => {
    const unknown = group(5, true).map((session) => ({ ...session, failedCommands: null }));
    expect(compareHoldout([...group(3, false), ...unknown]).withoutInjections.sessions).toBe(0);
  });
});
