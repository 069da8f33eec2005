import type { SessionStarted } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { createSessionLedger } from './create-session-ledger.js';

const session = { host: 'claude-code', contentSessionId: 's' };
const other = { host: 'claude-code', contentSessionId: 't' };

type Source = SessionStarted['source'];

it('B161: provides context once, again after compaction or clear, and never on resume', () => {
  const ledger = createSessionLedger();
  const claim = (source: Source, now: number) =>
    ledger.claimContext(session, { source, hasHistory: source === 'resume', now });
  expect(claim('startup', 0)).toBe(true);
  expect(claim('startup', 10_000)).toBe(false);
  expect(claim('resume', 20_000)).toBe(false);
  expect(claim('compact', 30_000)).toBe(true);
  expect(claim('compact', 30_500)).toBe(false);
  expect(claim('clear', 30_900)).toBe(true);
  expect(claim('other', 40_000)).toBe(false);
  expect(claim('clear', 50_000)).toBe(true);
  expect(claim('compact', 50_500)).toBe(true);
});

it.each<Source>(['resume', 'fork'])(
  'R08: claims context once on %s, and only when the session has no history',
  (source) => {
    const ledger = createSessionLedger();
    const claim = (hasHistory: boolean) => ledger.claimContext(session, { source, hasHistory, now: 0 });
    expect(claim(true)).toBe(false);
    expect(claim(false)).toBe(true);
    expect(claim(false)).toBe(false);
    ledger.markContextPending(session);
    expect(ledger.claimPendingContext(session, { now: 1 })).toBe(true);
    expect(ledger.claimContext(session, { source: 'compact', hasHistory: false, now: 2 })).toBe(true);
  },
);

it('provides records again when the session was compacted, but not to other sessions', () => {
  const ledger = createSessionLedger();
  for (const one of [session, other]) {
    ledger.claimContext(one, { source: 'startup', hasHistory: false, now: 5 });
    ledger.markProvided(one, { file: 'a.ts', ids: [1, 2] });
  }
  expect([...ledger.providedIds(session)]).toEqual([1, 2]);
  expect(ledger.mayProvide(session, 'a.ts')).toBe(false);
  expect(ledger.mayProvide(session, 'b.ts')).toBe(true);
  ledger.claimContext(session, { source: 'compact', hasHistory: false, now: 9_000 });
  expect(ledger.providedIds(session).size).toBe(0);
  expect(ledger.mayProvide(session, 'a.ts')).toBe(true);
  expect(ledger.historySince(session)).toBe(9_000);
  expect(ledger.mayProvide(other, 'a.ts')).toBe(false);
});

it('keeps context pending until a prompt provides it, once, when the session start does not provide it', () => {
  const ledger = createSessionLedger();
  expect(ledger.claimPendingContext(session, { now: 1 })).toBe(false);
  ledger.markContextPending(session);
  expect(ledger.claimPendingContext(session, { now: 2 })).toBe(true);
  expect(ledger.claimPendingContext(session, { now: 3 })).toBe(false);
  ledger.markContextPending(other);
  expect(ledger.claimContext(other, { source: 'startup', hasHistory: false, now: 4 })).toBe(true);
  expect(ledger.claimPendingContext(other, { now: 5 })).toBe(false);
});

it('marks context as pending again only when the prompt that claimed it is not answered', () => {
  const ledger = createSessionLedger();
  ledger.markUnanswered(session, { at: 1 });
  expect(ledger.claimPendingContext(session, { now: 2 })).toBe(false);
  ledger.markContextPending(session);
  ledger.claimPendingContext(session, { now: 10 });
  ledger.markUnanswered(session, { at: 11 });
  expect(ledger.claimPendingContext(session, { now: 12 })).toBe(false);
  ledger.markUnanswered(session, { at: 9 });
  expect(ledger.claimPendingContext(session, { now: 13 })).toBe(true);
  ledger.claimContext(other, { source: 'startup', hasHistory: false, now: 10 });
  ledger.markUnanswered(other, { at: 9 });
  expect(ledger.claimPendingContext(other, { now: 12 })).toBe(false);
});

it('deletes the oldest session when more than 500 sessions are stored', () => {
  const ledger = createSessionLedger();
  ledger.markProvided(session, { file: 'a.ts', ids: [1] });
  for (let index = 0; index < 600; index += 1)
    ledger.markProvided({ host: 'codex', contentSessionId: String(index) }, { ids: [index] });
  expect(ledger.mayProvide(session, 'a.ts')).toBe(true);
});
