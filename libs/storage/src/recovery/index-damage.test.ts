import { expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { openTestStorage } from '../__fixtures__/open-test-storage.js';
import { openStorage } from '../open-storage.js';

const BAD_BLOCK = `UPDATE user_prompts_fts_data SET block = x'ffffffff' WHERE id > 10`;

it.each([
  ['a block', BAD_BLOCK],
  ['a list that is gone', `DELETE FROM user_prompts_fts_data`],
])('rebuilds the index without losing a record when FTS5 is damaged (%s)', async (_, damage) => {
  await using test = await openTestStorage();
  const { prompt } = createEvents();
  for (const text of ['zebra', 'zebra again']) await test.storage.store.capture([prompt(text, { text })]);
  await test.storage.backup();
  test.tamper((database) => database.unsafeMode().exec(damage));
  for (let number = 0; number < 40; number += 1)
    await test.storage.store.capture([prompt(`p${number}`, { text: `zebra ${number}` })]);
  await test.storage.maintain();
  const { items } = await test.storage.store.listPrompts({ limit: 100 });
  expect(items).toHaveLength(42);
  expect(findWords(test.place, 'zebra', 'prompt')).toHaveLength(42);
  expect(test.storage.health().recoveries).toEqual([]);
});

it.each(['the daily check', 'opening'])(
  '%s detects and repairs damage in FTS5 without replacing a record',
  async (what) => {
    await using test = await openTestStorage();
    const { prompt } = createEvents();
    await test.storage.store.capture([prompt('one', { text: 'zebra' })]);
    await test.storage.backup();
    await test.storage.store.capture([prompt('two', { text: 'zebra again' })]);
    test.tamper((database) => database.unsafeMode().exec(BAD_BLOCK));
    await test.storage.backup();
    if (what === 'opening') await test.storage.close();
    await using reopened =
      what === 'opening' ? await openStorage({ ...test.place, clock: test.clock }) : null;
    const storage = reopened ?? test.storage;
    test.clock.advance(25 * 60 * 60 * 1_000);
    await storage.maintain();
    expect(storage.health().recoveries).toEqual([]);
    expect(findWords(test.place, 'zebra', 'prompt')).toHaveLength(2);
  },
);
