import { randomFrom } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VectorDocument, VectorIndex, VectorMetadata } from '../ports/vector-index.js';

/** An index under test. */
export interface OpenedVectorIndex extends AsyncDisposable {
  index: VectorIndex;
  /** Closes `index` and opens it again over its stored data. */
  reopen(): Promise<VectorIndex>;
  /** Stores an observation, for an index that filters by the records. @default generates ids */
  observe?(observation: { project: string; type: string; createdAtEpoch: number }): Promise<VectorMetadata>;
}

export interface VectorIndexCapabilities {
  /** True when every document is compared with the query. False: nearly all of the nearest documents are found. */
  isExact: boolean;
}

/** The conformance suite of `VectorIndex`. `open` creates an empty index for each test. */
export function describeVectorIndex(
  name: string,
  {
    open,
    capabilities,
    manyDocuments = 6_001,
  }: {
    open: () => Promise<OpenedVectorIndex>;
    capabilities: VectorIndexCapabilities;
    /** Number of documents of the largest call. */
    manyDocuments?: number;
  },
): void {
  describe(`VectorIndex: ${name}`, () => {
    let opened: OpenedVectorIndex;
    let index: VectorIndex;
    let lastId = 0;
    const projects: string[] = [];

    beforeEach(async () => {
      opened = await open();
      index = opened.index;
    });
    afterEach(() => opened[Symbol.asyncDispose]());

    const observe = async ({ project = 'one', type = 'discovery', createdAtEpoch = 1000 } = {}) => {
      if (opened.observe !== undefined) return opened.observe({ project, type, createdAtEpoch });
      if (!projects.includes(project)) projects.push(project);
      lastId += 1;
      return { observationId: lastId, projectId: projects.indexOf(project) + 1, type, createdAtEpoch };
    };
    const observeAll = async (count: number) => {
      const all: VectorMetadata[] = [];
      for (let number = 0; number < count; number += 1) all.push(await observe());
      return all;
    };
    const found = async (request: Parameters<VectorIndex['nearest']>[0]) =>
      (await index.nearest(request)).map(({ id }) => id);

    it('is empty at first', async () => {
      expect(await index.count()).toBe(0);
      expect(await index.nearest({ vector: towards(0), limit: 5 })).toEqual([]);
      await index.upsert([]);
      await index.remove([]);
      await index.clear();
      expect(await index.count()).toBe(0);
    });

    it('gives the nearest first, with their cosines', async () => {
      const metadata = await observe();
      await index.upsert([
        document('far', towards(0, 0.2, 1), metadata),
        document('same', towards(0), metadata),
        document('near', towards(0, 0.8, 1), metadata),
        document('opposite', towards(0, -1, 1), metadata),
      ]);
      const hits = await index.nearest({ vector: towards(0), limit: 10 });
      expect(hits.map(({ id }) => id)).toEqual(['same', 'near', 'far', 'opposite']);
      expect(hits.map(({ observationId }) => observationId)).toEqual(Array(4).fill(metadata.observationId));
      for (const [at, cosine] of [1, 0.8, 0.2, -1].entries()) expect(hits[at]?.score).toBeCloseTo(cosine, 2);
      expect(Math.max(...hits.map(({ score }) => score))).toBeLessThanOrEqual(1);
      expect(await found({ vector: towards(0), limit: 2 })).toEqual(['same', 'near']);
      for (const limit of [0, -1, NaN]) expect(await found({ vector: towards(0), limit })).toEqual([]);
      expect(await found({ vector: towards(0), limit: 2.5 })).toHaveLength(2);
      expect(await found({ vector: towards(0), limit: 1_000_000 })).toHaveLength(4);
      expect(await index.count()).toBe(4);
    });

    it('replaces a document of the same id', async () => {
      const metadata = await observe();
      await index.upsert([document('a', towards(0), metadata), document('b', towards(1), metadata)]);
      expect(await found({ vector: towards(0), limit: 1 })).toEqual(['a']);
      await index.upsert([document('a', towards(2), metadata)]);
      expect(await found({ vector: towards(2), limit: 1 })).toEqual(['a']);
      expect((await index.nearest({ vector: towards(0), limit: 2 }))[0]?.score).toBeCloseTo(0, 2);
      expect(await index.count()).toBe(2);
    });

    it('B133: an id that occurs twice in one call costs no other document, and the last one wins', async () => {
      const metadata = await observe();
      await index.upsert([
        document('twice', towards(0), metadata),
        document('once', towards(1), metadata),
        document('twice', towards(2), metadata),
      ]);
      expect(await index.count()).toBe(2);
      expect(await found({ vector: towards(2), limit: 1 })).toEqual(['twice']);
      expect(await found({ vector: towards(1), limit: 1 })).toEqual(['once']);
      expect((await index.nearest({ vector: towards(0), limit: 2 }))[0]?.score).toBeCloseTo(0, 2);
    });

    it('removes every document of an observation', async () => {
      const [first, second] = [await observe(), await observe()];
      await index.upsert([
        document('first narrative', towards(0), first),
        document('first fact', towards(1), first),
        document('second', towards(2), second),
      ]);
      await index.remove([first.observationId, 987_654]);
      expect(await index.count()).toBe(1);
      expect(await found({ vector: towards(0), limit: 5 })).toEqual(['second']);
      await index.remove([first.observationId]);
      await index.upsert([document('first narrative', towards(0), first)]);
      expect(await found({ vector: towards(0), limit: 1 })).toEqual(['first narrative']);
    });

    it('tells what it holds of an observation, and takes single documents away, where it can', async () => {
      if (index.hashes === undefined || index.removeDocuments === undefined) return;
      const [first, second] = [await observe(), await observe()];
      expect(await index.hashes([first.observationId])).toEqual([]);
      await index.upsert([
        document('a', towards(0), first),
        document('b', towards(1), first),
        document('c', towards(2), second),
      ]);
      const held = async () =>
        (await index.hashes!([first.observationId, 987_654])).toSorted((left, right) =>
          left.id < right.id ? -1 : 1,
        );
      const { observationId } = first;
      expect(await held()).toMatchObject([
        { id: 'a', observationId, contentHash: 'hash of a' },
        { id: 'b', observationId, contentHash: 'hash of b' },
      ]);
      await index.upsert([{ ...document('a', towards(0), first), contentHash: 'another' }]);
      await index.removeDocuments(['b', 'unheard of']);
      expect(await held()).toMatchObject([{ id: 'a', observationId, contentHash: 'another' }]);
      expect(await index.count()).toBe(2);
      await index.removeDocuments([]);
    });

    it('holds every filter, bounds included', async () => {
      const old = await observe({ project: 'one', type: 'bugfix', createdAtEpoch: 1000 });
      const middle = await observe({ project: 'two', type: 'bugfix', createdAtEpoch: 2000 });
      const recent = await observe({ project: 'two', type: 'décision 决定 🧭', createdAtEpoch: 3000 });
      await index.upsert([
        document('old', towards(0), old),
        document('middle', towards(0, 0.9, 1), middle),
        document('recent', towards(0, 0.8, 1), recent),
      ]);
      const passing = (filter: NonNullable<Parameters<VectorIndex['nearest']>[0]['filter']>) =>
        found({ vector: towards(0), limit: 5, filter });
      expect(await passing({})).toEqual(['old', 'middle', 'recent']);
      expect(await passing({ projectIds: [middle.projectId] })).toEqual(['middle', 'recent']);
      expect(await passing({ projectIds: [old.projectId, middle.projectId] })).toHaveLength(3);
      expect(await passing({ types: ['bugfix'] })).toEqual(['old', 'middle']);
      expect(await passing({ types: ['décision 决定 🧭'] })).toEqual(['recent']);
      expect(await passing({ types: ['bugfix', 'unheard of'] })).toEqual(['old', 'middle']);
      expect(await passing({ fromEpoch: 2000 })).toEqual(['middle', 'recent']);
      expect(await passing({ toEpoch: 2000 })).toEqual(['old', 'middle']);
      expect(await passing({ fromEpoch: 2000, toEpoch: 2000 })).toEqual(['middle']);
      expect(await passing({ projectIds: [middle.projectId], types: ['bugfix'], toEpoch: 2999 })).toEqual([
        'middle',
      ]);
      expect(await passing({ projectIds: [] })).toEqual([]);
      expect(await passing({ types: [] })).toEqual([]);
      expect(await passing({ projectIds: [987_654] })).toEqual([]);
      expect(
        await found({ vector: towards(0), limit: 1, filter: { projectIds: [middle.projectId] } }),
      ).toEqual(['middle']);
    });

    it('orders equal scores by observation, the newer first, then by id', async () => {
      const [first, second] = [await observe(), await observe()];
      await index.upsert([
        document('b', towards(0), first),
        document('d', towards(0), second),
        document('c', towards(0), second),
        document('a', towards(0), first),
      ]);
      for (let round = 0; round < 3; round += 1)
        expect(await found({ vector: towards(0), limit: 4 })).toEqual(['c', 'd', 'a', 'b']);
    });

    it('keeps no vector without a direction, and finds nothing for one', async () => {
      const metadata = await observe();
      const nothing = new Float32Array(SIZE);
      const none = towards(0).fill(NaN, 1, 2);
      await index.upsert([
        document('a', towards(0), metadata),
        document('b', towards(1), metadata),
        document('nothing', nothing, metadata),
        document('none', none, metadata),
      ]);
      expect(await index.count()).toBe(2);
      expect(await found({ vector: towards(0), limit: 5 })).toEqual(['a', 'b']);
      expect(await found({ vector: nothing, limit: 5 })).toEqual([]);
      expect(await found({ vector: none, limit: 5 })).toEqual([]);
      await index.upsert([document('a', nothing, metadata)]);
      expect(await found({ vector: towards(0), limit: 5 })).toEqual(['b']);
    });

    it('finds nothing for a vector of another size', async () => {
      await index.upsert([document('a', towards(0), await observe())]);
      expect(await index.nearest({ vector: new Float32Array(SIZE * 2).fill(1), limit: 5 })).toEqual([]);
      expect(await index.nearest({ vector: new Float32Array(0), limit: 5 })).toEqual([]);
      expect(await found({ vector: towards(0), limit: 5 })).toEqual(['a']);
    });

    it('B134: begins anew when documents have another size than the stored ones', async () => {
      const metadata = await observe();
      await index.upsert([
        document('a', new Float32Array([1, 0, 0]), metadata),
        document('b', new Float32Array([0, 1, 0]), metadata),
      ]);
      expect(await found({ vector: new Float32Array([1, 0, 0]), limit: 5 })).toEqual(['a', 'b']);
      const large = new Float32Array(384).fill(0.5);
      await index.upsert([document('a', large, metadata)]);
      expect(await found({ vector: large, limit: 5 })).toEqual(['a']);
      expect(await found({ vector: new Float32Array([1, 0, 0]), limit: 5 })).toEqual([]);
      expect(await index.count()).toBe(1);
      index = await opened.reopen();
      expect(await found({ vector: large, limit: 5 })).toEqual(['a']);
      expect(await index.count()).toBe(1);
    });

    it('refuses documents of several sizes in one call, and takes none of them', async () => {
      const metadata = await observe();
      await expect(
        index.upsert([document('a', towards(0), metadata), document('b', new Float32Array([1]), metadata)]),
      ).rejects.toMatchObject({ code: 'search/bad-request' });
      expect(await index.count()).toBe(0);
    });

    it('takes thousands of documents in one call', async () => {
      const [many, other] = [await observe(), await observe({ project: 'two' })];
      const random = randomFrom(7);
      const documents = Array.from({ length: manyDocuments }, (_, at) =>
        document(`obs_${many.observationId}_fact_${at}`, randomVector(random), many),
      );
      await index.upsert([...documents, document('needle', documents[1500]!.vector, other)]);
      expect(await index.count()).toBe(manyDocuments + 1);
      expect(await found({ vector: documents[1500]!.vector, limit: 2 })).toEqual([
        'needle',
        `obs_${many.observationId}_fact_1500`,
      ]);
      await index.remove([many.observationId]);
      expect(await index.count()).toBe(1);
    });

    it('finds what comparing everything finds', async () => {
      const random = randomFrom(11);
      const metadata = await observe();
      const centres = Array.from({ length: 20 }, () => randomVector(random));
      const documents = Array.from({ length: 1500 }, (_, at) =>
        document(`d${at}`, mixed(centres[at % 20]!, randomVector(random)), metadata),
      );
      await index.upsert(documents);
      let hits = 0;
      for (let round = 0; round < 10; round += 1) {
        const vector = mixed(centres[round]!, randomVector(random));
        const truth = documents
          .map(({ id, vector: other }) => ({ id, score: dot(vector, other) }))
          .sort((left, right) => right.score - left.score)
          .slice(0, 20);
        const answer = await found({ vector, limit: 20 });
        hits += truth.filter(({ id }) => answer.includes(id)).length;
      }
      expect(hits / 200).toBeGreaterThan(capabilities.isExact ? 0.97 : 0.9);
    });

    it('takes any text as an id', async () => {
      const metadata = await observe();
      const ids = [
        ' ',
        '"',
        "'; DROP TABLE vectors; --",
        'é',
        'e\u0301',
        '数据',
        '👩‍👩‍👧',
        '__proto__',
        'x'.repeat(500),
      ];
      await index.upsert(ids.map((id, at) => document(id, towards(at), metadata)));
      for (const [at, id] of ids.entries())
        expect(await found({ vector: towards(at), limit: 1 })).toEqual([id]);
    });

    it('can be aborted', async () => {
      await index.upsert([document('a', towards(0), await observe())]);
      const controller = new AbortController();
      const reason = new Error('asked to stop');
      const waiting = index.nearest({ vector: towards(0), limit: 1, signal: controller.signal });
      controller.abort(reason);
      await waiting.catch((error: unknown) => expect(error).toBe(reason));
      await expect(index.nearest({ vector: towards(0), limit: 1, signal: controller.signal })).rejects.toBe(
        reason,
      );
      expect(await found({ vector: towards(0), limit: 1 })).toEqual(['a']);
    });

    it('answers while it is written', async () => {
      const all = await observeAll(8);
      await index.upsert([document('first', towards(0), all[0]!)]);
      const writing = Promise.all(
        all.map((metadata, at) => index.upsert([document(`w${at}`, towards(at + 1), metadata)])),
      );
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => found({ vector: towards(0), limit: 1 })),
      );
      await writing;
      expect(answers).toEqual(Array(8).fill(['first']));
      expect(await index.count()).toBe(9);
    });

    it('forgets everything when cleared, and is usable after it', async () => {
      const metadata = await observe();
      await index.upsert([document('a', towards(0), metadata)]);
      await index.clear();
      expect(await index.count()).toBe(0);
      expect(await found({ vector: towards(0), limit: 1 })).toEqual([]);
      await index.upsert([document('b', towards(0), metadata)]);
      expect(await found({ vector: towards(0), limit: 5 })).toEqual(['b']);
    });

    it('knows after reopening what it was given', async () => {
      const [first, second] = [await observe(), await observe({ type: 'bugfix' })];
      await index.upsert([
        document('a', towards(0), first),
        document('b', towards(1), second),
        document('gone', towards(2), first),
      ]);
      await index.remove([first.observationId]);
      index = await opened.reopen();
      expect(await index.count()).toBe(1);
      expect(await found({ vector: towards(1), limit: 5, filter: { types: ['bugfix'] } })).toEqual(['b']);
    });

    it('is closed once and for all', async () => {
      await index.upsert([document('a', towards(0), await observe())]);
      await index.close();
      await index.close();
      await expect(index.nearest({ vector: towards(0), limit: 1 })).rejects.toMatchObject({
        code: 'search/closed',
      });
      await expect(index.count()).rejects.toMatchObject({ code: 'search/closed' });
    });
  });
}

/** Not a multiple of 16, because kernels process blocks of that size. */
const SIZE = 40;

/** A vector of length 1 along one axis. With `share`, this part is along that axis and the rest along another one. */
function towards(axis: number, share = 1, otherAxis = 0): Float32Array {
  const vector = new Float32Array(SIZE);
  vector[otherAxis] = Math.sqrt(1 - share * share);
  vector[axis] = share;
  return vector;
}

function document(id: string, vector: Float32Array, metadata: VectorMetadata): VectorDocument {
  return { id, vector, contentHash: `hash of ${id}`, metadata };
}

function randomVector(random: () => number): Float32Array {
  return unit(Float32Array.from({ length: SIZE }, () => random() + random() + random() - 1.5));
}

function mixed(left: Float32Array, right: Float32Array): Float32Array {
  return unit(left.map((value, at) => value + 0.8 * right[at]!));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * right[at]!, 0);
}
