import { beforeEach, describe, expect, it } from 'vitest';
import {
  createTablesInMemory,
  observationOf,
  type TablesInMemory,
} from '../__fixtures__/create-tables-in-memory.js';
import type { RecordFilter } from '../documents/record.js';
import { openLexicalIndex } from './lexical-index.js';

/** More terms with the prefix than are read, each in several records, because FTS5 needs long to rank all of them. */
const MANY_WORDS = 300;
const MANY_RECORDS = 3_000;

let tables: TablesInMemory;
let asked: number[];
let known: { recordId: number; score: number }[];

beforeEach(() => {
  tables = createTablesInMemory();
  asked = [];
  known = [];
  tables.matchSyntax = (_, __, limit) => {
    asked.push(limit);
    return known.slice(0, limit);
  };
});

function find(query: string, filter: RecordFilter = {}, limit = 5): number[] | undefined {
  return openLexicalIndex(tables).read((reader) =>
    reader
      .matchSyntax(query, { kind: 'observation', within: reader.within(filter), limit })
      ?.map(({ slot }) => reader.documents.recordId[slot] ?? 0),
  );
}

const write = (recordId: number, title: string, projectId = 1) =>
  tables.write({ recordId, projectId, record: observationOf({ title }) });

describe('a prefix of very many words', () => {
  beforeEach(() => {
    for (let id = 1; id <= MANY_RECORDS; id += 1) write(id, `sa${1_000 + (id % MANY_WORDS)}`);
    write(MANY_RECORDS + 1, 'szz', 2);
    known = [{ recordId: MANY_RECORDS + 1, score: 1 }];
  });

  it('is answered from its first words when they have enough records', () => {
    expect(find('s*')).toHaveLength(5);
    expect(asked).toEqual([]);
  });

  it('is answered by FTS5 when the filter excludes the records of its first words', () => {
    expect(find('s*', { projectIds: [2] })).toEqual([MANY_RECORDS + 1]);
  });
});

it('repeats an FTS5 query with a higher limit when too few results match the filter', () => {
  write(1, 'harbour', 2);
  known = [...Array.from({ length: 20_000 }, () => ({ recordId: 7, score: 2 })), { recordId: 1, score: 1 }];
  expect(find('harbour OR pier', { projectIds: [2] })).toEqual([1]);
  expect(asked).toHaveLength(2);
});
