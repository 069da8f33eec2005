import { analyzeQuery } from '../analysis/analyze-query.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createTablesInMemory,
  observationOf,
  type TablesInMemory,
} from '../__fixtures__/create-tables-in-memory.js';
import { openLexicalIndex, type LexicalIndex, type LexicalReader } from './lexical-index.js';

let tables: TablesInMemory;
let index: LexicalIndex;

const write = (recordId: number, title: string) =>
  tables.write({ recordId, record: observationOf({ title }) });
const score = (query: string) =>
  vi.fn((reader: LexicalReader) => ({
    scores: reader.score({ terms: analyzeQuery(query).terms }),
    sessions: reader.numbersOfSessions().fill(query.length),
  }));
const best = (reader: LexicalReader, { scores }: ReturnType<ReturnType<typeof score>>) =>
  scores
    .best({ within: reader.within({ kinds: ['observation'] }), limit: 10 })
    .map(({ slot }) => reader.documents.recordId[slot]);

beforeEach(() => {
  tables = createTablesInMemory();
  index = openLexicalIndex(tables);
  write(1, 'queue lease');
  write(2, 'queue socket');
  write(3, 'socket');
});

describe('readAhead', () => {
  it('keeps the result of the first part while other reads run', () => {
    const queue = score('queue');
    const socket = score('socket lease');
    using first = index.readAhead(queue);
    using second = index.readAhead(socket);
    index.read(score('lease'));
    expect(first.read((reader, given) => [...best(reader, given), ...given.sessions])).toEqual([2, 1, 5]);
    expect(second.read(best)).toEqual([1, 3, 2]);
    expect(first.read(best)).toEqual([2, 1]);
    expect([queue, socket].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('repeats the first part when a record was written in between or the result was released', () => {
    const queue = score('queue');
    const ahead = index.readAhead(queue);
    write(4, 'queue');
    tables.remove('observation', 1);
    expect(ahead.read(best)).toEqual([4, 2]);
    ahead[Symbol.dispose]();
    ahead[Symbol.dispose]();
    expect(ahead.read(best)).toEqual([4, 2]);
    expect(queue).toHaveBeenCalledTimes(3);
  });

  it('runs only the first four of many first parts early, and the others on read', () => {
    const firsts = Array.from({ length: 6 }, () => score('queue'));
    const calls = () => firsts.map(({ mock }) => mock.calls.length);
    const begun = firsts.map((first) => index.readAhead(first));
    expect(calls()).toEqual([1, 1, 1, 1, 0, 0]);
    for (const one of begun) expect(one.read(best)).toEqual([2, 1]);
    for (const one of begun) one[Symbol.dispose]();
    expect(calls()).toEqual([1, 1, 1, 1, 1, 1]);
    using after = index.readAhead(score('socket'));
    expect(after.read(best)).toEqual([3, 2]);
  });

  it('releases its resources when the first part throws', () => {
    const rows: Float64Array[] = [];
    const failing = (reader: LexicalReader) => {
      rows.push(reader.numbersOfSessions().fill(1));
      throw new Error('broken');
    };
    for (let time = 0; time < 6; time += 1) expect(() => index.readAhead(failing)).toThrow('broken');
    expect(new Set(rows.map(({ buffer }) => buffer)).size).toBe(1);
    const queue = score('queue');
    using ahead = index.readAhead(queue);
    expect(queue).toHaveBeenCalledTimes(1);
    expect(ahead.read(best)).toEqual([2, 1]);
  });
});
