import { describe, expect, it } from 'vitest';
import { isInHoldout } from './create-holdout.js';

const sessions = Array.from({ length: 2_000 }, (_, at) => ({
  host: 'claude-code' as const,
  contentSessionId: `session-${at}`,
}));

describe('isInHoldout', () => {
  it.each([0.1, 0.5])('selects about the share of the sessions when the share is %d', (share) => {
    const selected = sessions.filter((session) => isInHoldout(session, share));
    expect(selected.length / sessions.length).toBeGreaterThan(share - 0.03);
    expect(selected.length / sessions.length).toBeLessThan(share + 0.03);
  });

  it('selects no session when the share is 0', () => {
    expect(sessions.filter((session) => isInHoldout(session, 0))).toEqual([]);
  });

  it('selects a session again when the share is the same or larger', () => {
    const selected = sessions.filter((session) => isInHoldout(session, 0.2));
    expect(selected.every((session) => isInHoldout({ ...session }, 0.2))).toBe(true);
    expect(selected.every((session) => isInHoldout(session, 0.3))).toBe(true);
  });
});
