import { toFacts } from '@claude-mem/core';
import { RECORD_KINDS, decodeDocumentTerms, decodePostings } from '@claude-mem/lexical-index';
import { FIELDS, analyzeRecord, wordsOf } from '@claude-mem/lexical-index/analysis';
import { bySize, randomFrom } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';
import { openStorage } from '../open-storage.js';
import { openStorageReader } from '../open-storage-reader.js';
import type { StorageReader } from '../storage.js';
import type { SearchTables } from './search-tables.js';

let test: TestStorage;
let reader: StorageReader;
let tables: SearchTables;
beforeEach(async () => {
  test = await openTestStorage();
  reader = openStorageReader(test.place);
  tables = reader.searchTables;
});
afterEach(async () => {
  await reader.close();
  await test.dispose();
});

async function record(observations: readonly Parameters<typeof draft>[0][], session = 'session-1') {
  const { store } = test.storage;
  const [first] = await store.capture([createEvents(session).prompt('look at the parser')]);
  const drafts = observations.map((one) => draft(one));
  return store.commitReply(reply(first!.sessionId, { observations: drafts, summary: summary() }));
}

/** Returns the documents of each term with their counts, both folded and unfolded. */
function allPostings(): ReadonlyMap<string, readonly (readonly [document: number, ...number[]])[]> {
  return tables.snapshot(() => {
    const live = new Set([...tables.documentsAfter(0)].map(([id]) => id));
    const found = new Map<string, [number, ...number[]][]>();
    for (const term of tables.termsWithPrefix('', 1_000_000)) {
      const { documents, counts } = decodePostings(tables.postings(term));
      const rows = [...documents].map((document, place): [number, ...number[]] => [
        document,
        ...counts.subarray(place * FIELDS.length, (place + 1) * FIELDS.length),
      ]);
      found.set(
        term,
        rows.filter(([document]) => live.has(document)),
      );
    }
    for (const { documentId, terms } of tables.unfoldedAfter(0))
      for (const { term, counts } of decodeDocumentTerms(terms))
        found.get(term)?.push([documentId, ...counts]);
    return new Map([...found].filter(([, rows]) => rows.length > 0));
  });
}

describe('index entries of a stored record', () => {
  it('contain its columns and terms as soon as it is committed', async () => {
    const { observations } = await record([{ title: 'Fixed the date parser' }]);
    const [observation] = observations;
    const rows = [...tables.documentsAfter(0)].map(([...row]) => row);
    expect(rows.map(([, kind]) => kind)).toEqual([
      RECORD_KINDS.indexOf('prompt'),
      RECORD_KINDS.indexOf('observation'),
      RECORD_KINDS.indexOf('summary'),
    ]);
    const analyzed = analyzeRecord({ kind: 'observation', ...observation! });
    const { id, projectId, sessionId, promptNumber, createdAtEpoch, type } = observation!;
    const lengths = Uint8Array.from(analyzed.lengths);
    expect([...rows[1]!.slice(1, 8)]).toEqual([
      0,
      id,
      projectId,
      sessionId,
      promptNumber,
      createdAtEpoch,
      type,
    ]);
    expect([...rows[1]![8]]).toEqual([...lengths]);
    const [, unfolded] = tables.unfoldedAfter(0);
    const stored = new Map(
      decodeDocumentTerms(unfolded!.terms).map(({ term, counts }) => [term, [...counts]]),
    );
    expect(stored).toEqual(new Map(analyzed.terms));
    expect(tables.state()).toMatchObject({ indexed: 3, total: 3, lastDocumentId: 3, lastRemovalId: 0 });
    for (const term of analyzed.terms.keys()) expect(tables.termsWithPrefix(term, 1)).toEqual([term]);
    expect([...tables.documentsAfter(2)]).toHaveLength(1);
  });

  it('B078: are removed from documents, postings and full text in the transaction that deletes it', async () => {
    await record([{ title: 'zebra one' }, { title: 'zebra two' }]);
    const [word] = wordsOf('zebra');
    const find = () => tables.matchSyntax('observation', `"${word}"`, 10)!.map(({ recordId }) => recordId);
    expect(find()).toEqual([2, 1]);
    await foldAll();
    test.tamper((database) => database.exec('DELETE FROM observations WHERE id = 1'));
    expect(find()).toEqual([2]);
    expect(allPostings().get(word!)).toHaveLength(1);
    expect(tables.removalsAfter(0)).toEqual([{ id: 1, documentId: 2, vectorId: null }]);
    expect(tables.removalsAfter(1)).toEqual([]);
    expect(tables.state()).toMatchObject({ indexed: 3, total: 3 });
  });

  it('are replaced by a new document when another connection changes it', async () => {
    await record([{ title: 'zebra' }]);
    test.tamper((database) => database.exec(`UPDATE observations SET title = 'giraffe' WHERE id = 1`));
    expect(tables.state()).toMatchObject({ indexed: 2, total: 3 });
    expect(await test.storage.index.step()).toEqual({ indexed: 3, total: 3, done: true });
    expect(allPostings().has(wordsOf('zebra')[0]!)).toBe(false);
    expect(allPostings().get(wordsOf('giraffe')[0]!)).toEqual([[4, 1, 0, 0, 0, 0]]);
    expect(tables.removalsAfter(0)).toMatchObject([{ documentId: 2 }]);
  });

  it('move to another project with its session', async () => {
    const { store } = test.storage;
    const { prompt } = createEvents();
    const [first] = await store.capture([prompt('one', { project: null, cwd: null, projectDir: null })]);
    await store.commitReply(reply(first!.sessionId, { observations: [draft()], summary: summary() }));
    const [second] = await store.capture([prompt('two')]);
    expect(second!.projectId).not.toBe(first!.projectId);
    const projects = [...tables.documentsAfter(0)].map(([, , , projectId]) => projectId);
    expect(projects).toEqual([0, 0, 0, 0].map(() => second!.projectId));
  });

  it('B130: are found by the other Unicode normal form of its text', async () => {
    await record([{ title: 'cafe\u0301 opening hours' }, { title: 'caf\u00e9 opening hours' }]);
    expect([...tables.documentsAfter(0)]).toHaveLength(3);
    const [word] = wordsOf('caf\u00e9');
    expect(wordsOf('cafe\u0301')).toEqual([word]);
    expect(allPostings().get(word!)).toHaveLength(1);
  });

  it('B131: are found by the words on both sides of a zero byte', async () => {
    await record([{ title: null, narrative: 'walrus\u0000penguin', facts: [] }]);
    for (const word of ['walrus', 'penguin'].flatMap((one) => wordsOf(one))) {
      expect(allPostings().get(word)).toHaveLength(1);
      expect(tables.matchSyntax('observation', `"${word}"`, 10)).toHaveLength(1);
    }
  });
});

const foldAll = () => test.storage.index.step({ foldAt: 1 });

it('writes the words of one transaction into one FTS5 segment', async () => {
  await record([{ title: 'one' }, { title: 'two' }, { title: 'three' }]);
  test.tamper((database) => {
    const segments = database.prepare('SELECT count(DISTINCT segid) FROM observations_fts_idx').pluck();
    expect(segments.get()).toBe(1);
  });
});

it('indexes the terms of a record when an earlier transaction with the same words was rolled back', async () => {
  const { store } = test.storage;
  const { prompt } = createEvents();
  const zebra = prompt('zebra');
  await expect(store.capture([zebra, prompt('two', { text: 5 as never })])).rejects.toThrow();
  expect(tables.termsWithPrefix(wordsOf('zebra')[0]!, 1)).toEqual([]);
  await store.capture([zebra]);
  expect(tables.termsWithPrefix(wordsOf('zebra')[0]!, 1)).toHaveLength(1);
});

describe('folding pending terms into postings', () => {
  it('preserves all postings for random sizes of portions', async () => {
    const random = randomFrom(7);
    const words = Array.from({ length: 400 }, (_, index) => `word${index.toString(36)}x`);
    const text = () =>
      Array.from(
        { length: 1 + Math.floor(random() * 60) },
        () => words[Math.floor(random() ** 3 * 400)],
      ).join(' ');
    const rounds = bySize({ quick: 6, full: 12 });
    const expected = new Map<string, [number, ...number[]][]>();
    for (let round = 0; round < rounds; round += 1) {
      const count = 1 + Math.floor(random() * 60);
      await record(
        Array.from({ length: count }, () => ({
          title: text(),
          narrative: text(),
          facts: toFacts([text()], null),
        })),
        `session-${round}`,
      );
      const before = allPostings();
      const { generation } = tables.state();
      if (random() < 0.7) {
        await foldAll();
        expect(tables.unfoldedAfter(0)).toEqual([]);
        expect(tables.state().generation).toBe(generation + 1);
      }
      const after = allPostings();
      expect(after).toEqual(before);
      for (const [term, rows] of expected) expect(after.get(term)!.slice(0, rows.length)).toEqual(rows);
      for (const [term, rows] of after) expected.set(term, [...rows] as [number, ...number[]][]);
    }
    expect(tables.postings(wordsOf(words[0]!)[0]!).length).toBeGreaterThan(0);
    expect(tables.state()).toMatchObject({ indexed: [...tables.documentsAfter(0)].length });
  });

  it('starts automatically when hundreds of documents are pending', async () => {
    await record(Array.from({ length: 511 }, (_, index) => ({ title: `number ${index}` })));
    expect(tables.unfoldedAfter(0)).toHaveLength(513);
    expect(await test.storage.index.step()).toMatchObject({ done: true });
    expect(tables.unfoldedAfter(0)).toEqual([]);
  });

  it('runs in small portions when documents are long', async () => {
    const documents = 18;
    const { prompt } = createEvents();
    const text = (number: number) =>
      Array.from({ length: 5_500 }, (_, word) => `${number}${word.toString(36)}`).join(' ');
    for (let number = 0; number < documents; number += 1)
      await test.storage.store.capture([prompt(`p${number}`, { text: `zebra ${text(number)}` })]);
    const waiting = [documents];
    for (let done = false; !done;) {
      ({ done } = await test.storage.index.step({ foldAt: 1 }));
      waiting.push(tables.unfoldedAfter(0).length);
    }
    expect(waiting.length).toBeGreaterThan(2);
    await test.storage.index.rebuild();
    const { indexed, done } = await test.storage.index.step();
    expect([indexed < documents, done]).toEqual([true, false]);
    await test.storage.maintain();
    expect(tables.unfoldedAfter(0)).toEqual([]);
    expect(allPostings().get(wordsOf('zebra')[0]!)).toHaveLength(documents);
  });

  it('starts automatically during a large import', async () => {
    for (const session of ['one', 'two', 'three', 'four'])
      await test.storage.store.importRecords(imported(session, 300), { now: 2_000 });
    expect(tables.unfoldedAfter(0)).toHaveLength(176);
  });

  it('creates the same tables for one large import and for many small ones', async () => {
    const records = imported('one', 120);
    await test.storage.store.importRecords(records, { now: 2_000 });
    await foldAll();
    await using other = await openTestStorage();
    for (const [number, one] of records.entries()) {
      await other.storage.store.importRecords([one], { now: 2_000 });
      if (number % 50 === 0) await other.storage.index.step({ foldAt: 1 });
      // Another connection writes, which invalidates the cached terms.
      if (number % 30 === 0)
        other.tamper((database) =>
          database.exec(`DELETE FROM search_terms WHERE id NOT IN (SELECT id >> 20 FROM search_postings)`),
        );
    }
    await other.storage.index.step({ foldAt: 1 });
    expect(indexOf(other)).toEqual(indexOf(test));
  });

  it('omits the terms of a transaction that was rolled back', async () => {
    test.tamper((database) =>
      database.exec(`CREATE TRIGGER refuse AFTER UPDATE OF memory_session_id ON sdk_sessions
        WHEN new.memory_session_id = 'refused' BEGIN SELECT RAISE(ABORT, 'refused'); END`),
    );
    const [first] = await test.storage.store.capture([createEvents('one').prompt('look')]);
    const observations = [draft({ title: 'xylophone quixotic' })];
    const refused = reply(first!.sessionId, { observations, memorySessionId: 'refused' });
    await expect(test.storage.store.commitReply(refused)).rejects.toThrow('refused');
    await record([{ title: 'marimba xylophone', narrative: null, facts: [] }], 'two');
    await foldAll();
    const postings = allPostings();
    const [xylophone] = wordsOf('xylophone');
    expect(postings.get(xylophone!)).toHaveLength(1);
    expect(postings.get(wordsOf('marimba')[0]!)).toHaveLength(1);
    expect(postings.has(wordsOf('quixotic')[0]!)).toBe(false);
  });
});

function imported(session: string, count: number) {
  const random = randomFrom(7);
  const words = Array.from({ length: 400 }, (_, index) => `w${index.toString(36)}x`);
  const text = () =>
    Array.from({ length: 12 }, () => words[Math.floor(random() ** 2 * words.length)]).join(' ');
  return Array.from({ length: count }, (_, index) => ({
    ...draft({ title: `number ${index}`, narrative: text(), facts: toFacts([text()], null) }),
    uid: `${session} ${index}`,
    project: '/home/dev/shop',
    session,
    promptNumber: 1,
    createdAtEpoch: 1_000,
  }));
}

/** Dumps the tables of the index without the ids of terms. */
function indexOf(one: TestStorage) {
  return one.tamper((database) => ({
    documents: database.prepare('SELECT id, kind, record_id, hex(data) FROM search_documents').raw().all(),
    postings: database
      .prepare(
        `SELECT term, block.id & 1048575, hex(data) FROM search_terms AS term
         JOIN search_postings AS block ON block.id >> 20 = term.id ORDER BY term, block.id`,
      )
      .raw()
      .all(),
    unfolded: database.prepare('SELECT * FROM search_unfolded').all(),
  }));
}

describe('an index with damaged or missing tables', () => {
  it('reports an error code to readers and is rebuilt by the next step', async () => {
    await record([{ title: 'zebra' }]);
    const before = allPostings();
    test.tamper((database) => database.exec(`UPDATE search_unfolded SET terms = x'09ff'`));
    expect(() => allPostings()).toThrow(expect.objectContaining({ code: 'storage/corrupt' }));
    const { epoch } = tables.state();
    expect(await foldAll()).toEqual({ indexed: 0, total: 3, done: false });
    expect(await foldAll()).toEqual({ indexed: 3, total: 3, done: true });
    expect(tables.state().epoch).toBe(epoch + 1);
    expect([...allPostings().keys()].sort()).toEqual([...before.keys()].sort());
  });

  it('is refilled when any of its tables is missing', async () => {
    await record([{ title: 'zebra' }]);
    const before = [...allPostings().keys()].sort();
    for (const table of [
      'search_documents',
      'search_state',
      'search_postings',
      'observations_fts',
      'vectors',
    ]) {
      await reader.close();
      await test.storage.close();
      test.tamper((database) => database.exec(`DROP TABLE ${table}`));
      test = { ...test, storage: await openStorage({ ...test.place, clock: test.clock }) };
      reader = openStorageReader(test.place);
      tables = reader.searchTables;
      expect([...allPostings().keys()].sort()).toEqual(before);
      expect(tables.matchSyntax('observation', `"${wordsOf('zebra')[0]}"`, 5)).toHaveLength(1);
      expect(tables.state()).toMatchObject({ indexed: 3, total: 3 });
    }
  });

  it('is rebuilt when another version of the analysis created it', async () => {
    await record([{ title: 'zebra' }]);
    await test.storage.close();
    test.tamper((database) =>
      database.exec(`UPDATE search_state SET value = 999 WHERE name = 'analysis-version'`),
    );
    const { epoch } = tables.state();
    test = { ...test, storage: await openStorage({ ...test.place, clock: test.clock }) };
    expect(tables.state()).toMatchObject({ epoch: epoch + 1, indexed: 3, total: 3 });
  });
});

describe('index maintenance', () => {
  const leaveRemovals = (column: string, count: number) =>
    test.tamper((database) =>
      database.exec(`INSERT INTO search_removals (${column})
        WITH RECURSIVE numbers (id) AS (SELECT 1000 UNION ALL SELECT id + 1 FROM numbers LIMIT ${count})
        SELECT id FROM numbers`),
    );

  it('rebuilds the index when most of it belongs to deleted documents', async () => {
    await record([{ title: 'zebra' }]);
    const { epoch, lastRemovalId } = tables.state();
    leaveRemovals('document_id', 5_000);
    await test.storage.maintain();
    expect(tables.state().epoch).toBe(epoch);
    leaveRemovals('document_id', 1);
    await test.storage.maintain();
    expect(tables.removalsAfter(0)).toHaveLength(3);
    expect(tables.state()).toMatchObject({ epoch: epoch + 1, indexed: 3, total: 3 });
    expect(tables.state().lastRemovalId).toBe(lastRemovalId + 5_001 + 3);
    // Removals by the maintenance itself do not cause another rebuild.
    leaveRemovals('document_id', 5_000);
    await test.storage.maintain();
    expect(tables.state().epoch).toBe(epoch + 1);
    expect(allPostings().get(wordsOf('zebra')[0]!)).toHaveLength(1);
  });

  it('removes a long list of deleted vectors and starts a new epoch, so that readers reload', async () => {
    await record([{ title: 'zebra' }]);
    const vector = { dimensions: 4, scale: 1, contentHash: '', vector: new Uint8Array(4) };
    const rows = ['one', 'two'].map((documentId) => ({ documentId, observationId: 1, ...vector }));
    await test.storage.vectors.putVectors({ model: 'a', rows, now: 0 });
    expect(tables.vectorModels()).toEqual([{ model: 'a', dimensions: 4, count: 2 }]);
    const { epoch } = tables.state();
    await test.storage.vectors.removeVectors({ documentIds: ['two'] });
    leaveRemovals('vector_id', 200_000);
    leaveRemovals('document_id', 2);
    await test.storage.maintain();
    expect(tables.removalsAfter(0)).toMatchObject([{ documentId: 1_000 }, { documentId: 1_001 }]);
    expect(tables.state()).toMatchObject({ epoch: epoch + 1, indexed: 3, total: 3 });
    expect(tables.vectorModels()).toEqual([{ model: 'a', dimensions: 4, count: 1 }]);
  });
});

it('shows one state of the database within a snapshot, and a new data version afterwards', async () => {
  await record([{ title: 'zebra' }]);
  const version = tables.dataVersion();
  tables.snapshot(() => {
    const before = tables.state();
    test.tamper((database) => database.exec('DELETE FROM observations'));
    expect(tables.state()).toEqual(before);
    expect([...tables.documentsAfter(0)]).toHaveLength(3);
  });
  expect([...tables.documentsAfter(0)]).toHaveLength(2);
  expect(tables.dataVersion()).not.toBe(version);
  expect(tables.dataVersion()).toBe(tables.dataVersion());
});

it('ends a snapshot when its callback throws', () => {
  const fail = () => {
    throw new Error('no further');
  };
  expect(() => tables.snapshot(fail)).toThrow('no further');
  expect(tables.snapshot(() => tables.state().indexed)).toBe(0);
});

it('lists observations that were superseded, that supersede others or that have a number in the title', async () => {
  const titles = ['a plan', 'it takes 3 steps', 'a second plan', 'Stufe ² ist fertig', 'none of these'];
  await record(titles.map((title) => ({ title, filesRead: ['src/a.ts', 'b.ts'], filesModified: [] })));
  test.tamper((database) =>
    database.exec(`UPDATE observations SET superseded_by = 3 WHERE id = 1;
      UPDATE observations SET files_modified = '["src/c.ts"]' WHERE id = 3;
      UPDATE observations SET files_read = 'no list' WHERE id = 2`),
  );
  const heads = tables.changingObservations([5, 4, 3, 2, 1]).toSorted((a, b) => a.id - b.id);
  expect(heads).toMatchObject([
    { id: 1, projectId: 1, type: 'bugfix', title: 'a plan', file: 'src/a.ts', supersededBy: 3 },
    { id: 2, file: null, supersededBy: null },
    { id: 3, file: 'src/c.ts', supersededBy: null },
    { id: 4, file: 'src/a.ts', supersededBy: null },
  ]);
  expect(tables.changingObservations([1, 5]).map(({ id }) => id)).toEqual([1]);
});

it('answers FTS5 queries with words of any script and returns null for malformed queries', async () => {
  const hit = async (title: string, expression: string) => {
    const { observations } = await record([{ title, narrative: null, facts: [] }], title);
    const found = tables.matchSyntax('observation', expression, 100);
    return found?.some(({ recordId }) => recordId === observations[0]!.id);
  };
  const quoted = (text: string) => `"${wordsOf(text).join(' ')}"`;
  for (const text of ['用户身份验证', '🎉 party', 'Grüße aus Köln', 'a/b/c.ts', 'C++ and C#'])
    expect([text, await hit(text, quoted(text))]).toEqual([text, true]);
  expect(await hit('quick brown fox', `title: ${quoted('quick brown')}`)).toBe(true);
  expect(await hit('slow red snail', `narrative: ${quoted('snail')}`)).toBe(false);
  for (const malformed of ['"', 'AND', '(', 'nothing: x', '*', 'a b c )'])
    expect([malformed, tables.matchSyntax('observation', malformed, 5)]).toEqual([malformed, null]);
});
