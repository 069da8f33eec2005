import { createFixedClock } from '@claude-mem/core/testing';
import { wordsOf } from '@claude-mem/lexical-index/analysis';
import { describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { runChild } from '../__fixtures__/run-child.js';
import { openStorage } from '../open-storage.js';
import { openStorageReader } from '../open-storage-reader.js';
import { decodePostings } from '@claude-mem/lexical-index';
import type { Storage } from '../storage.js';

const DAY = 24 * 60 * 60 * 1_000;

async function openFilled(count = 40): Promise<TestStorage> {
  const test = await openTestStorage();
  const { prompt } = createEvents();
  for (let number = 0; number < count; number += 1)
    await test.storage.store.capture([prompt(`p${number}`, { text: `zebra number${number}` })]);
  await test.storage.index.step({ foldAt: 1 });
  return test;
}

const finish = async (storage: Storage) => {
  while (!(await storage.index.step({ foldAt: 1 })).done);
};

/** Counts the existing documents in the postings of a word. */
function findFolded({ place }: TestStorage, word: string): number {
  const reader = openStorageReader(place);
  try {
    const { searchTables: tables } = reader;
    const live = new Set([...tables.documentsAfter(0)].map(([document]) => document));
    return [...decodePostings(tables.postings(wordsOf(word)[0]!)).documents].filter((document) =>
      live.has(document),
    ).length;
  } finally {
    void reader.close();
  }
}

const DAMAGE = [
  ['postings that are noise', `UPDATE search_postings SET data = x'deadbeefdeadbeef'`],
  ['a block that is cut off', `UPDATE search_postings SET data = substr(data, 1, length(data) - 1)`],
  ['blocks that are gone', `DELETE FROM search_postings WHERE id % 3 = 0`],
  ['half of the terms gone', `DELETE FROM search_terms WHERE id % 2 = 0`],
  ['documents that are noise', `UPDATE search_documents SET data = x'ff00ff'`],
  [
    'a document that says it is another',
    `UPDATE search_documents SET data = (SELECT data FROM search_documents LIMIT 1)`,
  ],
] as const;

describe('a damaged index', () => {
  it.each(DAMAGE)('%s: is rebuilt by a repair', async (_, damage) => {
    await using test = await openFilled();
    expect(await test.storage.index.repair()).toBe(true);
    expect(await test.storage.index.state()).toEqual({ indexed: 40, total: 40 });
    test.tamper((database) => database.exec(damage));
    expect(await test.storage.index.repair()).toBe(true);
    expect(await test.storage.index.state()).toEqual({ indexed: 0, total: 40 });
    await finish(test.storage);
    expect(await test.storage.index.state()).toEqual({ indexed: 40, total: 40 });
    expect(findFolded(test, 'zebra')).toBe(40);
    expect(findWords(test.place, 'zebra', 'prompt')).toHaveLength(40);
    expect(await test.storage.index.repair()).toBe(true);
    expect(await test.storage.index.state()).toEqual({ indexed: 40, total: 40 });
  });

  it.each(DAMAGE)('%s: is repaired at the next start', async (_, damage) => {
    await using test = await openFilled();
    await test.storage.close();
    test.tamper((database) => database.exec(damage));
    await using again = await openStorage({ ...test.place, clock: test.clock });
    await finish(again);
    expect(findFolded(test, 'zebra')).toBe(40);
    expect(await again.index.problem()).toBeNull();
  });

  it('is repaired by the daily check', async () => {
    await using test = await openFilled();
    test.tamper((database) => database.exec(DAMAGE[0][1]));
    await test.clock.advance(DAY);
    await test.storage.maintain();
    expect(findFolded(test, 'zebra')).toBe(40);
  });

  it('is not rebuilt in a loop when it is damaged again', async () => {
    await using test = await openFilled();
    const damage = () => test.tamper((database) => database.exec(DAMAGE[0][1]));
    damage();
    expect(await test.storage.index.repair()).toBe(true);
    await finish(test.storage);
    expect(await test.storage.index.problem()).toBeNull();
    damage();
    expect(await test.storage.index.repair()).toBe(false);
    expect(await test.storage.index.problem()).toContain('damaged again');
    expect(await test.storage.index.state()).toEqual({ indexed: 40, total: 40 });
    await test.storage.index.rebuild();
    expect(await test.storage.index.problem()).toBeNull();
    await finish(test.storage);
    damage();
    expect(await test.storage.index.repair()).toBe(true);
    await finish(test.storage);
    damage();
    await test.clock.advance(DAY);
    expect(await test.storage.index.repair()).toBe(true);
    await finish(test.storage);
    expect(findFolded(test, 'zebra')).toBe(40);
  });

  it('is rebuilt only once when the damage returns, and new events are still stored', async () => {
    await using test = await openFilled(2);
    const { prompt } = createEvents('later');
    const damage = () =>
      test.tamper((database) => database.exec(`UPDATE search_unfolded SET terms = x'09ff'`));
    for (const number of [1, 2]) {
      await test.storage.store.capture([prompt(`one ${number}`)]);
      damage();
      await finish(test.storage);
    }
    expect(await test.storage.index.problem()).toContain('damaged again');
    expect(await test.storage.store.capture([prompt('more')])).toMatchObject([{ kind: 'stored' }]);
  });

  it('is rebuilt once when two repairs run at the same time', async () => {
    await using test = await openFilled();
    test.tamper((database) => database.exec(DAMAGE[0][1]));
    const answers = await Promise.all([test.storage.index.repair(), test.storage.index.repair()]);
    expect([...answers, await test.storage.index.repair()]).toEqual([true, true, true]);
    expect(await test.storage.index.problem()).toBeNull();
  });

  it('keeps its documents while a rebuild indexes their terms', async () => {
    await using test = await openFilled();
    await test.storage.index.rebuild();
    const reader = openStorageReader(test.place);
    const documents = () => [...reader.searchTables.documentsAfter(0)].map(([, , recordId]) => recordId);
    expect(documents()).toHaveLength(40);
    await test.storage.index.step({ limit: 8 });
    expect(documents()).toHaveLength(40);
    expect(reader.searchTables.state()).toMatchObject({ indexed: 8, total: 40 });
    test.tamper((database) => database.exec('DELETE FROM user_prompts WHERE id <= 4'));
    await finish(test.storage);
    expect(new Set(documents()).size).toBe(36);
    expect(reader.searchTables.state()).toMatchObject({ indexed: 36, total: 36 });
    await reader.close();
  });
});

it('restores documents during the daily check when another connection removed them from an open index', async () => {
  await using test = await openFilled();
  test.tamper((database) => database.exec('DELETE FROM search_documents WHERE id % 2 = 0'));
  expect(await test.storage.index.state()).toEqual({ indexed: 20, total: 20 });
  await test.clock.advance(DAY);
  await test.storage.maintain();
  expect(await test.storage.index.state()).toEqual({ indexed: 40, total: 40 });
  expect(findFolded(test, 'zebra')).toBe(40);
});

it(
  'continues an index rebuild at the next start when its process was killed',
  { timeout: 60_000 },
  async () => {
    await using test = await openFilled(0);
    await test.storage.close();
    {
      await using child = runChild('rebuild-index', test.place, '700');
      await child.said(/^3$/);
    }
    await using again = await openStorage({ ...test.place, clock: createFixedClock() });
    const { indexed, total } = await again.index.state();
    expect([indexed > 0, indexed < total, total]).toEqual([true, true, 700]);
    await finish(again);
    expect(await again.index.state()).toEqual({ indexed: 700, total: 700 });
    expect(findWords(test.place, 'alpha')).toHaveLength(700);
  },
);
