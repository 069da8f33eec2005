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

const search = async (query: string, projectId?: number) => {
  const hits = await test.storage.store.searchLexical({
    query,
    limit: 10,
    ...(projectId === undefined ? {} : { projectId }),
  });
  return hits.map(({ observation }) => observation.title);
};

describe('searchLexical', () => {
  it('B073: takes every query as words, never as grammar', async () => {
    const texts: Readonly<Record<string, string>> = {
      "don't": "we don't retry",
      'pre-edit': 'the pre-edit hook',
      '--flag': 'pass --flag to it',
      'foo:bar': 'the key foo:bar',
      '38.101': 'version 38.101 of it',
      'GB/s': 'reads 3 GB/s',
      AND: 'logic AND gates',
      NEAR: 'NEAR the end',
      'title:': 'a title: here',
      'say "hi"': 'say "hi" twice',
    };
    await seed(Object.values(texts));
    for (const [query, text] of Object.entries(texts)) expect(await search(query)).toContain(text);
    for (const query of [
      '"',
      '*',
      '(',
      ')',
      '',
      ' ',
      '^',
      'a* OR',
      '"unclosed',
      'NOT',
      '\u0000',
      '\ud800',
      '{}',
      ':',
    ])
      expect(await search(query)).toBeInstanceOf(Array);
    expect(await search('x'.repeat(10_000))).toEqual([]);
    expect(await search('word '.repeat(10_000))).toEqual([]);
  });

  it('puts what has all words first, then what has some, best first', async () => {
    await seed(['parser fix', 'parser for dates', 'colour picker', 'nothing of it']);
    const hits = await test.storage.store.searchLexical({ query: 'parser dates', limit: 10 });
    expect(hits.map(({ observation }) => observation.title)).toEqual(['parser for dates', 'parser fix']);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score > 0)).toBe(true);
  });

  it('finds by the beginning of the last word, by parts of a path and without accents', async () => {
    await seed(['Réglage du cache']);
    const { sessionId } = await seed([], 'other');
    const observations = [draft({ title: 'other', filesModified: ['src/storage/open-file.ts'] })];
    await test.storage.store.commitReply(reply(sessionId, { observations }));
    expect(await search('regl')).toEqual(['Réglage du cache']);
    expect(await search('storage/open-file')).toEqual(['other']);
  });

  it('stays within a project when asked', async () => {
    const a = await seed(['shared word'], 'a', '/home/a');
    const b = await seed(['shared word too'], 'b', '/home/b');
    expect(await search('shared', a.projectId)).toEqual(['shared word']);
    expect(await search('shared', b.projectId)).toEqual(['shared word too']);
    expect(await search('shared')).toHaveLength(2);
  });
});

describe('lists', () => {
  it('go from the newest to the oldest, page by page, without gaps or repetitions', async () => {
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

  it('say that a cursor is not one of theirs', async () => {
    await expect(test.storage.store.listObservations({ cursor: "1' OR 1" })).rejects.toMatchObject({
      code: 'storage/bad-cursor',
    });
  });
});

it('chooses what a new session may be told: newest first, pinned apart, superseded left out', async () => {
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
