import { toFacts } from '@claude-mem/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, reserve, summary } from '../__fixtures__/replies.js';
import { LIST_LIMITS, TEXT_LIMITS } from '../limits.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NOW = Date.UTC(2026, 0, 2);

/** A session with five claimed messages. */
async function seedClaimed() {
  const { prompt, toolUse, turnEnd } = createEvents();
  const toolUses = Array.from({ length: 4 }, () => toolUse());
  const [first] = await test.storage.store.capture([prompt('one'), ...toolUses, turnEnd()]);
  const sessionId = first!.sessionId;
  const limits = { now: NOW, maxCount: 20, maxBytes: 1e6 };
  const claimed = await test.storage.messages.claim({ sessionId, ...limits });
  expect(claimed).toHaveLength(5);
  return { sessionId, confirm: claimed.map(({ id }) => ({ id, outcome: 'stored' as const })) };
}

it('stores records, ends the messages and meters the call in one transaction', async () => {
  const { sessionId, confirm } = await seedClaimed();
  const { store, messages } = test.storage;
  const callId = await reserve(store, { sessionId, provider: 'gemini', model: 'flash' });
  const committed = await store.commitReply(
    reply(sessionId, {
      observations: [{ ...draft(), agentId: 'agent-1', agentType: 'explore', discoveryTokens: 120 }],
      summary: summary(),
      confirm: confirm.map((one, index) =>
        index === 0 ? { ...one, outcome: 'evidence', reason: 'listing' } : one,
      ),
      provider: 'gemini',
      model: 'flash',
      memorySessionId: 'memory-1',
      usage: { callId, inputTokens: 100, outputTokens: 20, cachedTokens: 50, estimatedCostUsd: 0.01 },
    }),
  );
  expect(committed.observations).toMatchObject([
    {
      ...draft(),
      sessionId,
      provider: 'gemini',
      model: 'flash',
      agentId: 'agent-1',
      agentType: 'explore',
      discoveryTokens: 120,
      source: 'observer',
      pinned: false,
      createdAtEpoch: NOW,
    },
  ]);
  expect(committed.summary).toMatchObject({ ...summary(), sessionId, promptNumber: 1 });
  expect(await messages.list()).toEqual([]);
  expect(await store.getSession(sessionId)).toMatchObject({
    memorySessionId: 'memory-1',
    cumulativeInputTokens: 100,
    cumulativeOutputTokens: 20,
  });
  expect((await store.stats()).outcomes).toMatchObject({ stored: 4, evidence: 1 });
  expect(test.tamper((database) => database.prepare('SELECT * FROM usage').all())).toEqual([
    {
      day: '2026-01-02',
      provider: 'gemini',
      model: 'flash',
      session_id: sessionId,
      calls: 1,
      input_tokens: 100,
      output_tokens: 20,
      cached_tokens: 50,
      estimated_cost_usd: 0.01,
      failed_calls: 0,
    },
  ]);
});

it('B139: stores two rows for a reply with two observations, and none when the reply is committed again', async () => {
  const { sessionId, confirm } = await seedClaimed();
  const { store } = test.storage;
  const request = reply(sessionId, {
    observations: [draft(), draft({ title: 'Another' })],
    summary: summary(),
    confirm,
    usage: {
      callId: await reserve(store, { sessionId }),
      inputTokens: 1,
      outputTokens: 1,
      cachedTokens: 0,
      estimatedCostUsd: 0,
    },
  });
  expect((await store.commitReply(request)).observations).toHaveLength(2);
  expect(await store.commitReply(request)).toEqual({ observations: [], summary: null });
  expect(await store.commitReply({ ...request, confirm: [] })).toEqual({ observations: [], summary: null });
  expect((await store.listObservations()).items).toHaveLength(2);
  expect((await store.listSummaries()).items).toHaveLength(1);
  expect((await store.stats()).observations).toBe(2);
  expect(await store.usage({ by: 'total' })).toMatchObject([{ calls: 1, inputTokens: 1 }]);
});

it('B139: stores nothing for a reply when its messages were ended in the meantime', async () => {
  const { sessionId, confirm } = await seedClaimed();
  await test.storage.store.abortSession(sessionId, { now: NOW, reason: 'requested' });
  const late = reply(sessionId, { observations: [draft()], confirm });
  expect((await test.storage.store.commitReply(late)).observations).toEqual([]);
  expect((await test.storage.store.stats()).outcomes).toMatchObject({ dropped: 5, stored: 0 });
});

it('does not end messages of another session', async () => {
  const { confirm } = await seedClaimed();
  const [other] = await test.storage.store.capture([createEvents('other').prompt('two')]);
  await test.storage.store.commitReply(reply(other!.sessionId, { confirm }));
  expect(await test.storage.messages.list()).toHaveLength(5);
});

it('B141: stores separate observations when their texts are equal only after joining their fields', async () => {
  const { sessionId } = await seedClaimed();
  const observations = [
    draft({ title: 'ab', narrative: 'c' }),
    draft({ title: 'a', narrative: 'bc' }),
    draft({ facts: toFacts(['one two'], null) }),
    draft({ facts: toFacts(['one', 'two'], null) }),
  ];
  const committed = await test.storage.store.commitReply(reply(sessionId, { observations }));
  expect(committed.observations).toHaveLength(4);
});

it('B130: treats texts in different Unicode normal forms as equal and finds both forms', async () => {
  const { sessionId } = await seedClaimed();
  const { store } = test.storage;
  const composed = 'Opened the caf\u00e9 menu';
  const decomposed = composed.normalize('NFD');
  expect(decomposed).not.toBe(composed);
  await store.commitReply(reply(sessionId, { observations: [draft({ title: composed })] }));
  const again = await store.commitReply(reply(sessionId, { observations: [draft({ title: decomposed })] }));
  expect(again.observations).toEqual([]);
  const [other] = await store.capture([createEvents('other').prompt('two')]);
  const elsewhere = reply(other!.sessionId, { observations: [draft({ title: decomposed })] });
  expect((await store.commitReply(elsewhere)).observations).toMatchObject([{ title: composed }]);
  for (const query of ['caf\u00e9', 'cafe\u0301', 'cafe'])
    expect(findWords(test.place, query)).toHaveLength(2);
});

it('B066: cuts long texts and lists to their limits without splitting a character', async () => {
  const { sessionId } = await seedClaimed();
  const long = '🦊'.repeat(20_000);
  const many = Array.from({ length: 500 }, (_, index) => `${index} ${long}`);
  const { observations, summary: stored } = await test.storage.store.commitReply(
    reply(sessionId, {
      observations: [
        {
          type: long,
          title: long,
          subtitle: long,
          narrative: long,
          facts: toFacts(many, null),
          concepts: many,
          filesRead: many,
          filesModified: many,
        },
      ],
      summary: summary({ learned: long, filesEdited: many }),
    }),
  );
  const [observation] = observations;
  for (const [text, limit] of [
    [observation?.type, TEXT_LIMITS.type],
    [observation?.title, TEXT_LIMITS.title],
    [observation?.subtitle, TEXT_LIMITS.subtitle],
    [observation?.narrative, TEXT_LIMITS.narrative],
    [observation?.facts[0]?.text, TEXT_LIMITS.fact],
    [observation?.concepts[0], TEXT_LIMITS.concept],
    [observation?.filesRead[0], TEXT_LIMITS.file],
    [stored?.learned, TEXT_LIMITS.summaryField],
  ] as const) {
    expect(text?.length).toBeLessThanOrEqual(limit);
    expect(text?.length).toBeGreaterThan(limit - 4);
    expect(text?.isWellFormed()).toBe(true);
  }
  expect(observation?.facts).toHaveLength(LIST_LIMITS.facts);
  expect(observation?.concepts).toHaveLength(LIST_LIMITS.concepts);
  expect(stored?.filesEdited).toHaveLength(LIST_LIMITS.files);
});

it('returns the newest titles of a session, oldest first', async () => {
  const { sessionId } = await seedClaimed();
  const { store } = test.storage;
  const titles = ['one', 'two', 'three'];
  await store.commitReply(reply(sessionId, { observations: titles.map((title) => draft({ title })) }));
  expect(await store.recordedTitles(sessionId, 10)).toEqual(titles);
  expect(await store.recordedTitles(sessionId, 2)).toEqual(['two', 'three']);
});
