import { createFixedClock } from '@claude-mem/core/testing';
import { openStorageReader } from '@claude-mem/storage';
import { expect, it } from 'vitest';
import { openTestMemory } from '../__fixtures__/open-test-memory.js';
import { openLexicalIndex } from '@claude-mem/lexical-index';
import { createLabelColumns } from './label-columns.js';

const MINUTE = 60_000;

it('releases its memory after five minutes without use and loads everything again on the next use', async () => {
  await using test = await openTestMemory();
  await test.remember({ title: 'one', concepts: ['gotcha'], filesRead: ['src/a.ts', 'src/b.ts'] });
  await using reader = openStorageReader({ file: test.file });
  const clock = createFixedClock();
  const labels = createLabelColumns(reader.searchTables, clock);
  const lexical = openLexicalIndex(reader.searchTables);
  const ask = () => lexical.read(({ documents }) => labels.refresh(documents, Infinity));
  const held = () => [labels.concepts.count, labels.files.count];
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) await clock.advance(MINUTE);
  };

  for (let round = 0; round < 2; round += 1) {
    ask();
    await pass(4);
    ask();
    await pass(4);
    expect(held()).toEqual([1, 2]);
    await pass(2);
    expect(held()).toEqual([0, 0]);
  }
  await test.remember({ title: 'two', concepts: ['pattern'] });
  ask();
  expect(held()).toEqual([2, 2]);
});
