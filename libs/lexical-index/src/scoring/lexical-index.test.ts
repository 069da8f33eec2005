import { toFacts } from '@claude-mem/core';
import { setImmediate } from 'node:timers/promises';
import { analyzeQuery, type QueryTerm } from '../analysis/analyze-query.js';
import { analyzeRecord, FIELDS } from '../analysis/analyze-record.js';
import { randomFrom } from '@claude-mem/core/testing';
import { byteOfLength, lengthOfByte } from '../tables/field-length.js';
import { describe, expect, it } from 'vitest';
import {
  createTablesInMemory,
  observationOf,
  type TablesInMemory,
  type WrittenRecord,
} from '../__fixtures__/create-tables-in-memory.js';
import { FIELD_WEIGHTS, LENGTH_NORMALIZATION, SATURATION } from './lexical-weights.js';
import { openLexicalIndex, type LexicalIndex } from './lexical-index.js';

const WORDS = [
  'queue',
  'lease',
  'socket',
  'parser',
  'token',
  'vector',
  'cache',
  'retry',
  'shard',
  'index',
  'café',
  '修复',
];

describe('openLexicalIndex', () => {
  it('scores every record like a direct implementation of the formula', () => {
    const tables = createTablesInMemory();
    const written = randomRecords(300, 7);
    for (const record of written) tables.write(record);
    tables.fold();
    for (const query of ['queue lease', 'socket', 'parser token vector 修复', 'nothing'])
      expect(found(openLexicalIndex(tables), query, 50)).toEqual(plainly(written, query, 50));
  });

  it.each([
    ['Die Anmeldung schlägt fehl, wenn das Zertifikat abgelaufen ist', 'Zertifikate'],
    ['Se corrigió el redondeo de los cupones en el carrito', 'redondeos cupón cupon'],
    ['La connexion de tous les utilisateurs est corrigée', 'utilisateur'],
    ['Gli errori del carrello sono corretti', 'errore carrelli'],
    ['O usuário não recebe a notificação', 'notificações usuarios'],
    ['Kullanıcı girişi yavaş', 'giriş'],
  ])('R12: finds "%s" by inflected forms of its words: %s', (title, query) => {
    const tables = createTablesInMemory();
    tables.write({ recordId: 1, record: observationOf({ title }) });
    tables.write({
      recordId: 2,
      record: observationOf({ title: 'The sockets are closed before the retry' }),
    });
    const index = openLexicalIndex(tables);
    for (const word of query.split(' '))
      expect(
        found(index, word, 9).map(([id]) => id),
        word,
      ).toEqual([1]);
  });

  it('returns the same results for folded terms, pending terms and a mix', () => {
    const written = randomRecords(200, 3);
    const answers = [0, 1, 100, 200].map((folded) => {
      const tables = createTablesInMemory();
      written.forEach((record, place) => {
        if (place === folded) tables.fold();
        tables.write(record);
      });
      if (folded === 200) tables.fold();
      return found(openLexicalIndex(tables), 'queue socket cache', 200);
    });
    expect(answers[0]?.length).toBeGreaterThan(50);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('includes everything that was written, edited, removed, folded or rebuilt since the last read', () => {
    const random = randomFrom(11);
    const tables = createTablesInMemory();
    const index = openLexicalIndex(tables, { cacheBytes: 4_000 });
    const records = randomRecords(400, 5);
    for (let step = 0; step < 300; step += 1) {
      const record = records[step % records.length] as WrittenRecord;
      const choice = random();
      if (choice < 0.6) tables.write({ ...record, recordId: 1 + Math.floor(random() * 120) });
      else if (choice < 0.75) tables.remove('observation', 1 + Math.floor(random() * 120));
      else if (choice < 0.9) tables.fold();
      else if (choice < 0.93) tables.rebuild();
      const query = `${WORDS[step % 7]} ${WORDS[step % 5]}`;
      expect(found(index, query, 200), `step ${step}`).toEqual(found(openLexicalIndex(tables), query, 200));
    }
  });

  it('explains a score with terms that add up to it exactly', () => {
    const tables = filled(randomRecords(200, 9));
    openLexicalIndex(tables).read((reader) => {
      const scored = reader.score({ terms: analyzeQuery('queue lease token café nothing').terms });
      const best = scored.best({ within: reader.within({}), limit: 100 });
      expect(best.length).toBeGreaterThan(20);
      for (const { slot, score } of best) {
        const parts = scored.explain(slot);
        expect(parts.reduce((sum, part) => sum + part.score, 0)).toBe(score);
        expect(scored.of(slot)).toBe(score);
        expect(parts.every((part) => part.score > 0)).toBe(true);
      }
    });
  });

  it('sorts equal scores by time and ID, regardless of the order of indexing', () => {
    const tables = createTablesInMemory();
    const record = observationOf({ title: 'lease expired' });
    for (const [recordId, createdAtEpoch] of [
      [3, 50],
      [9, 70],
      [5, 70],
      [1, 90],
      [7, 10],
    ] as const)
      tables.write({ recordId, createdAtEpoch, record });
    const index = openLexicalIndex(tables);
    expect(found(index, 'lease', 10).map(([id]) => id)).toEqual([1, 9, 5, 3, 7]);
    tables.rebuild();
    expect(found(index, 'lease', 10).map(([id]) => id)).toEqual([1, 9, 5, 3, 7]);
    expect(
      index.read((reader) => ids(reader, reader.newest({ within: reader.within({}), limit: 3 }))),
    ).toEqual([1, 9, 5]);
    expect(
      index.read((reader) => ids(reader, reader.newest({ within: reader.within({}), limit: 10, offset: 3 }))),
    ).toEqual([3, 7]);
  });

  it('loads a large index in slices, with the writes in between', async () => {
    const tables = createTablesInMemory();
    const write = (recordId: number, title: string) =>
      tables.write({ recordId, record: observationOf({ title }) });
    for (let recordId = 1; recordId <= 10_000; recordId += 1)
      write(recordId, recordId % 50 === 0 ? 'lease of the queue' : 'queue');
    tables.fold();
    const begun: number[] = [];
    const documentsAfter = (id: number) => {
      begun.push(id);
      return tables.documentsAfter(id);
    };
    const index = openLexicalIndex({ ...tables, documentsAfter });
    const caughtUp = index.catchUp();
    expect(begun).toEqual([]);
    await setImmediate();
    expect(begun).toHaveLength(1);
    tables.remove('observation', 100);
    tables.remove('observation', 9_900);
    write(150, 'queue');
    write(9_999, 'a lease');
    expect(found(index, 'lease', 300)).toEqual(found(openLexicalIndex(tables), 'lease', 300));
    write(10_001, 'the lease');
    await Promise.all([caughtUp, index.catchUp()]);
    const slices = begun.length;
    expect(found(index, 'lease', 300)).toEqual(found(openLexicalIndex(tables), 'lease', 300));
    expect(begun).toHaveLength(slices);

    begun.length = 0;
    const other = openLexicalIndex({ ...tables, documentsAfter });
    const again = other.catchUp();
    await setImmediate();
    tables.rebuild();
    await again;
    expect(begun.length).toBeGreaterThan(3);
    expect(found(other, 'lease queue', 300)).toEqual(found(openLexicalIndex(tables), 'lease queue', 300));
  });

  it('lists the newest records in the same order for large limits and offsets', () => {
    const tables = createTablesInMemory();
    const random = randomFrom(2);
    for (let recordId = 1; recordId <= 6_000; recordId += 1)
      tables.write({
        recordId,
        createdAtEpoch: Math.floor(random() * 900),
        record: { kind: 'prompt', promptText: 'a' },
      });
    openLexicalIndex(tables).read((reader) => {
      const within = reader.within({ kinds: ['prompt'] });
      const all = reader.newest({ within, limit: 6_000 });
      expect(all).toEqual(Array.from({ length: 6_000 }, (_, slot) => slot).sort(reader.documents.newerFirst));
      expect(reader.newest({ within, limit: 20, offset: 500 })).toEqual(all.slice(500, 520));
    });
  });

  it('uses common words for ranking, but does not find records by them alone', () => {
    const tables = createTablesInMemory();
    tables.write({ recordId: 1, record: observationOf({ title: 'queue' }) });
    tables.write({ recordId: 2, record: observationOf({ title: 'queue the' }) });
    tables.write({ recordId: 3, record: observationOf({ title: 'the the lease' }) });
    tables.fold();
    openLexicalIndex(tables).read((reader) => {
      const ask = (terms: readonly QueryTerm[]) => {
        const scored = reader.score({ terms });
        const best = scored.best({ within: reader.within({}), limit: 9 });
        for (const { slot, score } of best)
          expect(scored.explain(slot).reduce((sum, part) => sum + part.score, 0)).toBe(score);
        expect(scored.found.count).toBe(best.length);
        expect(scored.explain(2)).toEqual(scored.of(2) > 0 ? expect.anything() : []);
        return best.map(({ slot }) => reader.documents.recordId[slot]);
      };
      const common: QueryTerm = { term: 'the', weight: 3, isCommon: true };
      expect(ask([common, { term: 'queue', weight: 1 }])).toEqual([2, 1]);
      expect(ask([{ term: 'nothing', weight: 1 }, common])).toEqual([]);
      expect(ask([{ term: 'the', weight: 1 }])).toEqual([3, 2]);
    });
  });

  it('reports which share of a query a record contains', () => {
    const tables = createTablesInMemory();
    tables.write({ recordId: 1, record: observationOf({ title: 'queue lease' }) });
    tables.write({ recordId: 2, record: observationOf({ title: 'queue' }) });
    openLexicalIndex(tables).read((reader) => {
      const scored = reader.score({ terms: analyzeQuery('queue lease').terms });
      expect(scored.coverage(0)).toBe(1);
      expect(scored.coverage(1)).toBeGreaterThan(0);
      expect(scored.coverage(1)).toBeLessThan(0.5);
      expect(scored.terms.map(({ term, documents }) => [term, documents])).toEqual([
        ['leas', 1],
        ['queue', 2],
      ]);
    });
  });

  it('scores a session as if all its records were one text', () => {
    const tables = createTablesInMemory();
    const written = randomRecords(200, 8);
    for (const record of written) tables.write(record);
    tables.fold();
    tables.remove('observation', 3);
    tables.write({ ...(written[4] as WrittenRecord), sessionId: 99 });
    const index = openLexicalIndex(tables);
    index.read(({ documents }) => documents.size);
    tables.remove('observation', 10);
    const [saturation, lengthShare] = [3, 0.6];
    for (const reader of [index, openLexicalIndex(tables)])
      reader.read(({ documents, score }) => {
        const scored = score({ terms: analyzeQuery('queue lease nothing').terms });
        const slots = Array.from({ length: documents.size }, (_, slot) => slot).filter(documents.isLive);
        const sessions = new Set(slots.map((slot) => documents.session[slot] ?? 0));
        const words = (session: number) =>
          slots
            .filter((slot) => documents.session[slot] === session)
            .flatMap((slot) => [...documents.lengths.subarray(slot * 5, slot * 5 + 5)])
            .reduce((sum, byte) => sum + lengthOfByte(byte), 0);
        const average = [...sessions].reduce((sum, session) => sum + words(session), 0) / sessions.size;
        const given = scored.scoreSessions({ saturation, lengthShare }).scores;
        for (const session of sessions) {
          let expected = 0;
          for (const { term, weight } of scored.terms) {
            const alone = score({ terms: [{ term, weight: 1 }] });
            const idfAlone = alone.terms[0]?.idf ?? 1;
            const frequency = (slot: number) => {
              const strength = alone.of(slot) / idfAlone;
              return (SATURATION * strength) / (SATURATION + 1 - strength);
            };
            const holding = [...sessions].filter((one) =>
              slots.some((slot) => documents.session[slot] === one && alone.of(slot) > 0),
            ).length;
            const idf = Math.log(1 + (sessions.size - holding + 0.5) / (holding + 0.5));
            const sum = slots
              .filter((slot) => documents.session[slot] === session)
              .reduce((total, slot) => total + frequency(slot), 0);
            const norm = saturation * (1 - lengthShare + (lengthShare * words(session)) / average);
            expected += (weight * idf * sum * (saturation + 1)) / (norm + sum);
          }
          expect(given[session]).toBeCloseTo(expected, 6);
        }
        expect(Math.max(...given)).toBeGreaterThan(0);
      });
  });

  it('scores a record with its neighbours as if it contained their words, with their weights', () => {
    const tables = filled(randomRecords(200, 8));
    openLexicalIndex(tables).read(({ documents, score }) => {
      const scored = score({ terms: analyzeQuery('queue lease nothing').terms });
      const strengthOf = (term: string, slot: number) => {
        const alone = score({ terms: [{ term, weight: 1 }] });
        const strength = alone.of(slot) / (alone.terms[0]?.idf ?? 1);
        return (SATURATION * strength) / (SATURATION + 1 - strength);
      };
      for (const slot of [3, 50, 120]) {
        const others = [slot + 1, slot + 2];
        const weights = [0.5, 0.25];
        let expected = 0;
        for (const { term, weight, idf } of scored.terms) {
          const frequency = others.reduce(
            (sum, other, place) => sum + (weights[place] ?? 0) * strengthOf(term, other),
            strengthOf(term, slot),
          );
          expected += (weight * idf * frequency * (SATURATION + 1)) / (SATURATION + frequency);
        }
        expect(scored.withNeighbours(slot, others, weights)).toBeCloseTo(expected, 4);
        expect(scored.withNeighbours(slot, [], [])).toBeCloseTo(scored.of(slot), 4);
      }
      expect(documents.size).toBe(200);
    });
  });

  it('keeps several scores within a read separate and starts the next read with none', () => {
    const tables = filled(randomRecords(50, 1));
    const index = openLexicalIndex(tables);
    const ask = (query: string) =>
      index.read((reader) => {
        const [first, second, third] = [query, 'socket', 'parser'].map((text) =>
          reader.score({ terms: analyzeQuery(text).terms }),
        );
        return [first, second, third].map((scored) => scored?.best({ within: reader.within({}), limit: 99 }));
      });
    const first = ask('queue');
    expect(ask('nothing')[0]).toEqual([]);
    expect(ask('queue')).toEqual(first);
  });

  it('matches the last term as a prefix only when prefixLast is set', () => {
    const tables = createTablesInMemory();
    tables.write({ recordId: 1, record: observationOf({ title: 'socket opened' }) });
    tables.write({ recordId: 2, record: observationOf({ title: 'socks are warm' }) });
    openLexicalIndex(tables).read((reader) => {
      const ask = (prefixLast: boolean) =>
        reader
          .score({
            terms: [
              { term: 'warm', weight: 1 },
              { term: 'sock', weight: 1 },
            ],
            prefixLast,
          })
          .best({ within: reader.within({}), limit: 9 })
          .map(({ slot }) => reader.documents.recordId[slot]);
      expect(ask(false)).toEqual([2]);
      expect(ask(true)).toEqual([2, 1]);
      const beginning: QueryTerm[] = [
        { term: 'warm', weight: 1 },
        { term: 'so', weight: 1, isCommon: true },
      ];
      expect(reader.score({ terms: beginning }).found.count).toBe(1);
      expect(reader.score({ terms: beginning, prefixLast: true }).found.count).toBe(2);
    });
  });

  it('reads the postings of a term only once until terms are folded', () => {
    const tables = filled(randomRecords(50, 1));
    const index = openLexicalIndex(tables);
    found(index, 'queue', 5);
    const { postingsRead } = tables;
    tables.write({ recordId: 999, record: observationOf({ title: 'queue' }) });
    expect(found(index, 'queue', 60).map(([id]) => id)).toContain(999);
    expect(tables.postingsRead).toBe(postingsRead);
  });

  it('works again after a failed read', () => {
    const tables = filled(randomRecords(50, 1));
    const { unfoldedAfter } = tables;
    const index = openLexicalIndex(tables);
    tables.unfoldedAfter = () => {
      throw new Error('disk');
    };
    expect(() => found(index, 'queue', 5)).toThrow('disk');
    tables.unfoldedAfter = unfoldedAfter;
    expect(found(index, 'queue', 50)).toEqual(found(openLexicalIndex(tables), 'queue', 50));
  });
});

function filled(records: readonly WrittenRecord[]): TablesInMemory {
  const tables = createTablesInMemory();
  for (const record of records) tables.write(record);
  tables.fold();
  return tables;
}

function found(index: LexicalIndex, query: string, limit: number): [number, number][] {
  return index.read((reader) =>
    reader
      .score({ terms: analyzeQuery(query).terms })
      .best({ within: reader.within({}), limit })
      .map(({ slot, score }) => [reader.documents.recordId[slot] ?? 0, Number(score.toFixed(4))]),
  );
}

function ids({ documents }: { documents: { recordId: Uint32Array } }, slots: readonly number[]): number[] {
  return slots.map((slot) => documents.recordId[slot] ?? 0);
}

/** A second implementation of BM25F that computes the score of each record from its texts. */
function plainly(written: readonly WrittenRecord[], query: string, limit: number): [number, number][] {
  const documents = written.map((one) => ({ ...one, ...analyzeRecord(one.record) }));
  const averages = FIELDS.map((_, field) => {
    const lengths = documents.map((one) => length(one.lengths[field])).filter((one) => one > 0);
    const average = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length);
    return 2 ** (Math.round(Math.log2(Math.max(1, average)) * 16) / 16);
  });
  const scores = documents.map((one) => {
    let score = 0;
    for (const { term, weight } of analyzeQuery(query).terms) {
      const holding = documents.filter(({ terms }) => terms.has(term)).length;
      const idf = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
      let frequency = 0;
      FIELDS.forEach((field, place) => {
        const { share, atRest } = LENGTH_NORMALIZATION;
        const count = one.terms.get(term)?.[place] ?? 0;
        const relative = (length(one.lengths[place]) + atRest) / ((averages[place] ?? 1) + atRest);
        frequency += (count * FIELD_WEIGHTS[field]) / (1 - share + share * relative);
      });
      score += (weight * idf * frequency * (SATURATION + 1)) / (SATURATION + frequency);
    }
    return { ...one, score };
  });
  return scores
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (b.createdAtEpoch ?? 0) - (a.createdAtEpoch ?? 0))
    .slice(0, limit)
    .map(({ recordId, score }) => [recordId, Number(score.toFixed(4))]);
}

const length = (words = 0) => lengthOfByte(byteOfLength(words));

function randomRecords(count: number, seed: number): WrittenRecord[] {
  const random = randomFrom(seed);
  const words = (most: number) =>
    Array.from(
      { length: 1 + Math.floor(random() * most) },
      () => WORDS[Math.floor(random() ** 2 * WORDS.length)],
    ).join(' ');
  return Array.from({ length: count }, (_, place) => ({
    recordId: place + 1,
    sessionId: 1 + Math.floor(random() * 20),
    createdAtEpoch: place * 10,
    record: observationOf({
      title: words(5),
      ...(random() < 0.7 && { narrative: words(60) }),
      ...(random() < 0.5 && { facts: toFacts([words(8), words(8)], null) }),
      ...(random() < 0.3 && { filesModified: [`src/${words(1)}.ts`] }),
    }),
  }));
}
