import { systemClock, type Observation, type Session } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { createChangeFeed } from './create-change-feed.js';
import { createStreamHub } from './create-stream-hub.js';

const OBSERVATION = { id: 7, sessionId: 1, projectId: 2, title: 'Short lived' } as Observation;

const SESSION = { id: 1, host: 'cursor', projectId: 2 } as Session;

/** A change feed, and the lines that a client of the stream receives. */
function openFeed(session: Promise<Session>) {
  const ending = new AbortController();
  const hub = createStreamHub({ run: 'r' });
  const lines: string[] = [];
  hub.attach(
    {
      write: (text) => lines.push(...(text.match(/^event: .*|"project":"\w+"/gm) ?? [])) > 0,
      end: () => undefined,
      destroy: () => undefined,
      writableLength: 0,
      on: () => undefined,
    },
    { lastEventId: null },
  );
  const feed = createChangeFeed({
    store: {
      getSession: () => session,
      getProject: async () => ({ id: 2, key: '/repos/shop', name: 'shop', createdAtEpoch: 0 }),
    },
    messages: { counts: () => Promise.reject(new Error('not asked for in this time')) },
    hub,
    clock: systemClock,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    signal: ending.signal,
  });
  return { feed, lines, [Symbol.dispose]: () => ending.abort() };
}

describe('createChangeFeed', () => {
  it('publishes the creation of a record before its deletion when the session loads slowly', async () => {
    let answer: (session: Session) => void = () => undefined;
    using opened = openFeed(new Promise<Session>((resolve) => (answer = resolve)));
    const { feed, lines } = opened;
    feed.saved(OBSERVATION);
    feed.forgotten({ observationIds: [7], sessionIds: [] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual([]);
    answer(SESSION);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual(['event: observation-created', '"project":"shop"', 'event: memory-forgotten']);
  });

  it('publishes an observation as updated when a reply changed it', async () => {
    using opened = openFeed(Promise.resolve(SESSION));
    const { feed, lines } = opened;
    const observations = [
      { ...OBSERVATION, createdAtEpoch: 5, updatedAtEpoch: 5 },
      { ...OBSERVATION, createdAtEpoch: 5, updatedAtEpoch: 6 },
    ];
    feed.committed({ observations, summary: null });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.filter((line) => line.startsWith('event'))).toEqual([
      'event: observation-created',
      'event: observation-updated',
    ]);
  });
});
