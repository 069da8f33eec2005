import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

async function seed(titles: readonly string[], session = 'session-1', folder = '/home/dev/shop') {
  const at = { cwd: folder, projectDir: folder, project: { key: folder, name: 'shop' } };
  const [first] = await test.storage.store.capture([createEvents(session).prompt('one', at)]);
  const blank = { narrative: null, facts: [], concepts: [], filesRead: [], filesModified: [] };
  for (const [index, title] of titles.entries())
    await test.storage.store.commitReply(
      reply(first!.sessionId, {
        observations: [draft({ ...blank, title })],
        now: Date.UTC(2026, 0, 3) + index,
      }),
    );
  return first!;
}

describe('record lists', () => {
  it('return the newest records first, page by page, without gaps or repetitions', async () => {
    await seed(Array.from({ length: 25 }, (_, index) => `number ${index}`));
    const seen: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await test.storage.store.listObservations({ limit: 10, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `number ${24 - index}`));
  });

  it('filter by project, session, type and ids', async () => {
    const a = await seed(['one', 'two'], 'a', '/home/a');
    await seed(['three'], 'b', '/home/b');
    const { store } = test.storage;
    const titles = async (filter: Parameters<typeof store.listObservations>[0]) =>
      (await store.listObservations(filter)).items.map(({ title }) => title);
    expect(await titles({ projectId: a.projectId })).toEqual(['two', 'one']);
    expect(await titles({ sessionId: a.sessionId, limit: 1 })).toEqual(['two']);
    expect(await titles({ type: 'feature' })).toEqual([]);
    expect(await titles({ ids: [1, 3, 99] })).toEqual(['three', 'one']);
    expect((await store.listPrompts({ projectId: a.projectId })).items).toHaveLength(1);
    expect((await store.listSessions({ projectId: a.projectId })).items).toHaveLength(1);
    expect(await store.listProjects()).toMatchObject(
      [
        { name: 'shop', observations: 2, lastActivityEpoch: expect.any(Number) },
        { name: 'shop (home)', observations: 1 },
      ].sort((x, y) => x.name.localeCompare(y.name)),
    );
  });

  it('return each type and concept once, the most used first', async () => {
    const { store } = test.storage;
    expect(await store.listLabels()).toEqual({ types: [], concepts: [] });
    const { sessionId } = await seed([]);
    const observations = [
      draft({ title: 'one', type: 'feature', concepts: ['gotcha'] }),
      draft({ title: 'two', type: 'bugfix', concepts: ['trade-off', 'gotcha'] }),
      draft({ title: 'three', type: 'bugfix', concepts: [] }),
    ];
    await store.commitReply(reply(sessionId, { observations }));
    expect(await store.listLabels()).toEqual({
      types: ['bugfix', 'feature'],
      concepts: ['gotcha', 'trade-off'],
    });
  });

  it('reject an invalid cursor with storage/bad-cursor', async () => {
    await expect(test.storage.store.listObservations({ cursor: "1' OR 1" })).rejects.toMatchObject({
      code: 'storage/bad-cursor',
    });
  });
});

it('includes records dated far in the future only when there are no other records', async () => {
  const { sessionId, projectId } = await seed(['one', 'two', 'of the future']);
  const now = Date.UTC(2026, 0, 4);
  const stored = async (limit = 2) => {
    const { observations, summaries } = await test.storage.store.contextMaterial({
      projectId,
      observations: limit,
      summaries: limit,
      now,
    });
    return [...observations, ...summaries].map((one) => ('title' in one ? one.title : one.request));
  };
  const date = (record: string, epoch: number) =>
    test.tamper(
      (database) =>
        void database.exec(`UPDATE ${record.replace(' ', ` SET created_at_epoch = ${epoch} WHERE `)}`),
    );
  for (const request of ['now', 'in years'])
    await test.storage.store.commitReply(
      reply(sessionId, {
        summary: { ...summary(), request },
        now: request === 'now' ? now : Date.UTC(2036, 0, 1),
      }),
    );
  date("observations title='of the future'", Date.UTC(2036, 0, 1));
  expect(await stored()).toEqual(['two', 'one', 'now']);
  date("observations title='of the future'", now + 3_600_000);
  expect(await stored(1)).toEqual(['of the future', 'now']);
  date('observations 1=1', Date.UTC(2036, 0, 1));
  expect(await stored(3)).toEqual(['of the future', 'two', 'one', 'now']);
});

it('selects context for a new session: newest first, pinned records separately, superseded records excluded', async () => {
  const { sessionId, projectId } = await seed(['one', 'two', 'three', 'four']);
  await test.storage.store.commitReply(reply(sessionId, { summary: summary() }));
  test.tamper((database) => {
    database.exec(`UPDATE observations SET pinned = 1 WHERE title = 'one';
      UPDATE observations SET superseded_by = 4 WHERE title = 'three'`);
  });
  const material = await test.storage.store.contextMaterial({ projectId, observations: 2, summaries: 1 });
  expect(material.observations.map(({ title }) => title)).toEqual(['four', 'two']);
  expect(material.pinned.map(({ title }) => title)).toEqual(['one']);
  expect(material.summaries).toHaveLength(1);
  expect(material.totalObservations).toBe(4);
});
