import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import type { Database } from '../database/driver.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const INJECTION = {
  kind: 'prompt',
  tokens: 120,
  observationIds: [7, 3],
  conversations: 1,
  now: 5_000,
} as const;

describe('injections', () => {
  it('are listed with the turn in which they happened', async () => {
    const { store } = test.storage;
    const events = createEvents();
    const session = { host: 'claude-code', contentSessionId: 'session-1' } as const;
    const [{ sessionId } = { sessionId: 0 }] = await store.capture([events.toolUse()]);
    await store.recordInjection({ ...INJECTION, session, kind: 'start' });
    await store.capture([events.prompt('Go'), events.prompt('Go on')]);
    await store.recordInjection({ ...INJECTION, session });
    const listed = await store.listInjections(sessionId);
    expect(listed.map(({ kind, promptNumber }) => [kind, promptNumber])).toEqual([
      ['start', 0],
      ['prompt', 2],
    ]);
    expect(listed[1]).toMatchObject({
      tokens: 120,
      observationIds: [7, 3],
      conversations: 1,
      createdAtEpoch: 5_000,
    });
  });

  it('are not stored when the session is unknown', async () => {
    const { store } = test.storage;
    const session = { host: 'claude-code', contentSessionId: 'unknown' } as const;
    await store.recordInjection({ ...INJECTION, session });
    const count = (database: Database) => database.prepare('SELECT count(*) FROM injections').pluck().get();
    expect(test.tamper(count)).toBe(0);
  });
});
