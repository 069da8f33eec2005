import { wordsOf } from '@claude-mem/lexical-index/analysis';
import { expect, it } from 'vitest';
import { findWords } from '../__fixtures__/find-words.js';
import { createTestFolder } from '../__fixtures__/open-test-storage.js';
import { runChild } from '../__fixtures__/run-child.js';
import { openStorage } from '../open-storage.js';
import { openStorageReader } from '../open-storage-reader.js';
import { decodeDocumentTerms, decodePostings } from '@claude-mem/lexical-index';
import type { SearchTables } from './search-tables.js';

const [WORD] = wordsOf('alpha') as [string];

/** Returns a function that reads the index incrementally, like the cache of a search. */
function createFollower(tables: SearchTables) {
  let documents = new Set<number>();
  let last = { epoch: -1, document: 0, removal: 0 };
  return () => {
    const { epoch, lastDocumentId, lastRemovalId, ...state } = tables.state();
    if (epoch !== last.epoch) {
      documents = new Set();
      last = { epoch, document: 0, removal: 0 };
    }
    for (const [id] of tables.documentsAfter(last.document)) documents.add(id);
    for (const { documentId } of tables.removalsAfter(last.removal)) documents.delete(documentId ?? 0);
    last = { epoch, document: lastDocumentId, removal: lastRemovalId };
    return { documents, state };
  };
}

function documentsWith(tables: SearchTables, term: string): readonly number[] {
  const folded = [...decodePostings(tables.postings(term)).documents];
  const waiting = tables
    .unfoldedAfter(0)
    .filter(({ terms }) => decodeDocumentTerms(terms).some((one) => one.term === term));
  return [...folded, ...waiting.map(({ documentId }) => documentId)];
}

it(
  'shows readers one consistent state of the index while another process changes the index and when that process is killed',
  { timeout: 120_000 },
  async () => {
    using place = createTestFolder();
    {
      await using child = runChild('write-observations', place, '5');
      await child.said(/^1$/);
      await using reader = openStorageReader(place);
      const { searchTables: tables } = reader;
      const follow = createFollower(tables);
      const generations = new Set<number>();
      // Minimum number of rounds. The test continues until enough has happened.
      for (let round = 0; round < 150 || generations.size <= 3; round += 1) {
        tables.snapshot(() => {
          const { documents, state } = follow();
          const all = [...tables.documentsAfter(0)].map(([id]) => id);
          expect([...documents]).toEqual(all);
          expect(state.total).toBeGreaterThanOrEqual(state.indexed);
          const found = documentsWith(tables, WORD).filter((id) => documents.has(id));
          if (state.indexed === state.total) expect([found, state.indexed]).toEqual([all, all.length]);
          // A rebuild keeps documents until they are indexed again.
          else expect(found.length).toBeGreaterThanOrEqual(state.indexed);
          generations.add(state.generation);
        });
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    await using storage = await openStorage(place);
    while (!(await storage.index.step()).done);
    const { observations } = await storage.store.stats();
    expect(await storage.index.state()).toEqual({ indexed: observations, total: observations });
    expect(findWords(place, 'alpha')).toHaveLength(Math.min(observations, 1_000));
  },
);
