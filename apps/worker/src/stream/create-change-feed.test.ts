import { systemClock, type Observation, type Session } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { createChangeFeed } from './create-change-feed.js';
import { createStreamHub } from './create-stream-hub.js';

const OBSERVATION = { id: 7, sessionId: 1, projectId: 2, title: 'Short lived' } as Observation;

describe('createChangeFeed', () => {
  it('tells of what was forgotten only after that it was there, however long that takes to tell', async () => {
    const ending = new AbortController();
    let answer: (session: Session) => void = () => undefined;
    const session = new Promise<Session>((resolve) => (answer = resolve));
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
    feed.saved(OBSERVATION);
    feed.forgotten({ observationIds: [7], sessionIds: [] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual([]);
    answer({ id: 1, host: 'cursor', projectId: 2 } as Session);
    await new Promise((resolve) => setImmediate(resolve));
    ending.abort();
    expect(lines).toEqual(['event: observation-created', '"project":"shop"', 'event: memory-forgotten']);
  });
});
