import { analyzeQuery } from '../analysis/analyze-query.js';
import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import {
  createTablesInMemory,
  hostOfSession,
  observationOf,
  type WrittenRecord,
} from '../__fixtures__/create-tables-in-memory.js';
import { openLexicalIndex } from '../scoring/lexical-index.js';

it('B076: applies filters for project, session, host, type, kind, dates, concepts and files, alone and in pairs', () => {
  const tables = createTablesInMemory();
  const random = randomFrom(21);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const files = [
    'src/api/router.ts',
    'src/api/Server.ts',
    'router.ts',
    'lib/src/api/router.ts',
    'src/api',
    'C:\\repos\\a.ts',
  ];
  const written = Array.from({ length: 400 }, (_, place): WrittenRecord => {
    const kind = pick(['observation', 'observation', 'summary', 'prompt'] as const);
    const base = {
      recordId: place + 1,
      projectId: pick([1, 2, 3]),
      sessionId: pick([4, 5, 6]),
      createdAtEpoch: Math.floor(random() * 1000),
    };
    if (kind === 'prompt') return { ...base, record: { kind, promptText: 'queue' } };
    if (kind === 'summary')
      return {
        ...base,
        record: {
          kind,
          request: 'queue',
          investigated: null,
          learned: null,
          completed: null,
          nextSteps: null,
          notes: null,
          filesRead: [pick(files)],
          filesEdited: [],
        },
      };
    return {
      ...base,
      record: observationOf({
        type: pick(['bugfix', 'change']),
        concepts: [pick(['gotcha', 'How it works'])],
        filesModified: [pick(files)],
        title: 'queue',
      }),
    };
  });
  written.forEach((record, place) => {
    if (place === 300) tables.fold();
    tables.write(record);
  });
  const index = openLexicalIndex(tables);
  index.read((reader) => reader.within({ kinds: ['prompt'] }));
  for (const { record, recordId } of written.splice(100, 40)) tables.remove(record.kind, recordId);
  const filters: [object, (one: WrittenRecord) => boolean][] = [
    [{ kinds: ['summary', 'prompt'] }, ({ record }) => record.kind !== 'observation'],
    [{ projectIds: [2] }, ({ projectId }) => projectId === 2],
    [{ projectIds: [1, 3] }, ({ projectId }) => projectId !== 2],
    [{ projectIds: [] }, () => false],
    [{ projectIds: [77] }, () => false],
    [{ sessionIds: [5, 99] }, ({ sessionId }) => sessionId === 5],
    [{ hosts: ['cursor'] }, ({ sessionId = 0 }) => hostOfSession(sessionId) === 'cursor'],
    [{ hosts: ['codex', 'cursor'] }, ({ sessionId = 0 }) => hostOfSession(sessionId) !== 'claude-code'],
    [{ hosts: ['opencode'] }, () => false],
    [{ types: ['bugfix'] }, ({ record }) => record.kind === 'observation' && record.type === 'bugfix'],
    [{ types: ['unknown'] }, () => false],
    [
      { fromEpoch: 300, toEpoch: 600 },
      ({ createdAtEpoch = 0 }) => createdAtEpoch >= 300 && createdAtEpoch <= 600,
    ],
    [
      { concepts: ['GOTCHA'] },
      ({ record }) => record.kind === 'observation' && record.concepts.includes('gotcha'),
    ],
    [
      { concepts: ['how it works', 'none'] },
      ({ record }) => record.kind === 'observation' && record.concepts.includes('How it works'),
    ],
    [{ files: ['router.ts'] }, (one) => fileOf(one).endsWith('router.ts')],
    [{ files: ['api/router.ts'] }, (one) => fileOf(one).endsWith('api/router.ts')],
    [{ files: ['src/api/'] }, (one) => fileOf(one).startsWith('src/api/')],
    [{ files: ['src/api'] }, (one) => fileOf(one).startsWith('src/api')],
    [{ files: ['/home/me/shop/src/api/router.ts'] }, (one) => fileOf(one) === 'src/api/router.ts'],
    [{ files: ['/home/me/shop/router.ts'] }, (one) => fileOf(one) === 'router.ts'],
    [{ files: ['W:\\shop\\src\\api\\'] }, (one) => fileOf(one).startsWith('src/api/')],
    [{ files: ['/home/me/shop/outer.ts'] }, () => false],
    [{ files: ['outer.ts'] }, () => false],
    [{ files: ['server.ts'] }, (one) => fileOf(one) === 'src/api/Server.ts'],
    [{ files: ['c:/repos/a.ts'] }, (one) => fileOf(one) === 'C:\\repos\\a.ts'],
    [{ files: ['router.ts', 'a.ts'] }, (one) => /(?:^|[\\/])(?:router|a)\.ts$/.test(fileOf(one))],
    [{ files: [''] }, () => false],
  ];
  for (const [left, holdsLeft] of filters)
    for (const [right, holdsRight] of filters) {
      const both = Object.keys(right).some((key) => key in left) ? left : { ...left, ...right };
      const expected = written.filter((one) => holdsLeft(one) && (both === left || holdsRight(one)));
      const wanted = expected.map(({ recordId }) => recordId).sort((a, b) => a - b);
      const got = index.read((reader) => {
        const within = reader.within(both);
        expect(within.size).toBe(wanted.length);
        const words = reader.score({ terms: analyzeQuery('queue').terms });
        return [
          reader.newest({ within, limit: 1000 }),
          words.best({ within, limit: 1000 }).map(({ slot }) => slot),
        ].map((slots) => ids(reader, slots).sort((a, b) => a - b));
      });
      expect(got, JSON.stringify(both)).toEqual([wanted, wanted]);
    }
});

function ids({ documents }: { documents: { recordId: Uint32Array } }, slots: readonly number[]): number[] {
  return slots.map((slot) => documents.recordId[slot] ?? 0);
}

function fileOf({ record }: WrittenRecord): string {
  return record.kind === 'prompt'
    ? ''
    : ((record.kind === 'summary' ? record.filesRead : record.filesModified)[0] ?? '');
}
