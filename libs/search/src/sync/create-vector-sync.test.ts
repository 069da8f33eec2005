import { toFacts } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../ports/embedder.js';
import { SearchError } from '../search-error.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';
import { createMemoryIndex } from './__fixtures__/create-memory-index.js';
import { createMemoryOutbox } from './__fixtures__/create-memory-outbox.js';
import { observationOf } from './__fixtures__/observation-of.js';
import { createVectorSync } from './create-vector-sync.js';

/** Counts texts, and fails when the test requests it. */
function createCountingEmbedder(embedder: Embedder = createHashingEmbedder()) {
  const counting = {
    ...embedder,
    texts: [] as string[],
    outage: null as Error | null,
    poison: null as string | null,
    async embed(texts: readonly string[], options: Parameters<Embedder['embed']>[1]) {
      if (counting.outage !== null) throw counting.outage;
      if (texts.some((text) => counting.poison !== null && text.includes(counting.poison))) {
        throw new SearchError('search/embedder-unavailable', 'this text is refused');
      }
      if (texts[0] !== 'test') counting.texts.push(...texts);
      return embedder.embed(texts, options);
    },
  };
  return counting;
}

function setUp({ blind = false, count = 0 } = {}) {
  const clock = createFixedClock();
  const outbox = createMemoryOutbox();
  const index = createMemoryIndex({ blind });
  const embedder = createCountingEmbedder();
  for (let id = 1; id <= count; id += 1) outbox.put(id, observationOf(id));
  const open = () => createVectorSync({ outbox, embedder, index, clock });
  return { clock, outbox, index, embedder, open };
}
const idsOf = (index: ReturnType<typeof createMemoryIndex>) => [...index.documents.keys()].toSorted();
const documentsOf = (...ids: number[]) =>
  ids.flatMap((id) => [`obs_${id}_fact_0`, `obs_${id}_fact_1`, `obs_${id}_narrative`]).toSorted();

describe.each([{ blind: false }, { blind: true }])(
  'vector sync, index without stored hashes: $blind',
  ({ blind }) => {
    it('adds, updates and removes the vectors of observations', async () => {
      const { outbox, index, open } = setUp({ blind, count: 3 });
      const sync = open();
      expect(await sync.drain()).toEqual({
        target: 'memory/hashing-64',
        waiting: 0,
        failed: 0,
        problem: null,
        completed: 3,
        embedded: 9,
      });
      expect(idsOf(index)).toEqual(documentsOf(1, 2, 3));
      outbox.put(1, observationOf(1, { facts: toFacts(['only one is left'], null) }));
      outbox.put(2, null);
      await sync.drain();
      expect(idsOf(index)).toEqual(['obs_1_fact_0', 'obs_1_narrative', ...documentsOf(3)]);
    });

    it('B133: processes a batch in which an observation is queued twice', async () => {
      const { outbox, index, embedder, open } = setUp({ blind, count: 5 });
      outbox.put(3, observationOf(3, { narrative: 'new words' }));
      outbox.queue(3);
      const status = await open().drain();
      expect(status).toMatchObject({ waiting: 0, failed: 0, completed: 5 });
      expect(idsOf(index)).toEqual(documentsOf(1, 2, 3, 4, 5));
      expect(embedder.texts.filter((text) => text.includes('new words'))).toHaveLength(1);
    });

    it('B135: embeds nothing again after a restart', async () => {
      const { index, embedder, outbox, open } = setUp({ blind, count: 100 });
      await open().drain();
      expect(embedder.texts).toHaveLength(300);
      const { calls } = index;
      const status = await open().drain();
      expect(status).toMatchObject({ waiting: 0, embedded: 0, completed: 0 });
      expect(embedder.texts).toHaveLength(300);
      expect(index.calls).toBe(calls);
      outbox.put(101, observationOf(101));
      await open().drain();
      expect(embedder.texts).toHaveLength(303);
    });

    it('B135: retries a failed record later and stores the records behind it', async () => {
      const { clock, index, embedder, open } = setUp({ blind, count: 10 });
      embedder.poison = 'Narrative 7';
      const sync = open();
      expect(await sync.drain()).toMatchObject({ waiting: 1, failed: 1, problem: null, completed: 9 });
      expect(idsOf(index)).toEqual(documentsOf(1, 2, 3, 4, 5, 6, 8, 9, 10));
      await clock.advance(59_999);
      embedder.poison = null;
      expect(await sync.drain()).toMatchObject({ waiting: 1 });
      await clock.advance(1);
      expect(await sync.drain()).toMatchObject({ waiting: 0, failed: 0, completed: 10 });
      expect(idsOf(index)).toEqual(documentsOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    });

    it('B135: loses and repeats nothing when it is aborted in the middle', async () => {
      const { index, embedder, open } = setUp({ blind, count: 60 });
      const stop = new AbortController();
      const draining = open().drain({
        signal: stop.signal,
        onProgress: ({ completed }) => {
          if (completed >= 32) stop.abort(new Error('ended'));
        },
      });
      await expect(draining).rejects.toThrow('ended');
      expect(index.documents.size).toBe(96);
      expect(await open().drain()).toMatchObject({ waiting: 0, completed: 28 });
      expect(index.documents.size).toBe(180);
      expect(embedder.texts).toHaveLength(180);
    });
  },
);

it('embeds only changed texts again when the index stores hashes', async () => {
  const { outbox, embedder, open } = setUp({ count: 2 });
  const sync = open();
  await sync.drain();
  embedder.texts.length = 0;
  outbox.put(1, observationOf(1, { facts: toFacts(['Fact one of 1', 'changed'], null) }));
  outbox.queue(2);
  await sync.drain();
  expect(embedder.texts).toEqual(['changed']);
});

it('increases the delay between retries of a failed record up to one day', async () => {
  const { clock, outbox, embedder, open } = setUp({ count: 1 });
  embedder.poison = 'Narrative';
  const sync = open();
  const delays: number[] = [];
  for (let attempt = 0; attempt < 14; attempt += 1) {
    await sync.drain();
    const { nextAvailableAt } = await outbox.counts();
    delays.push((nextAvailableAt ?? 0) - clock.now());
    await clock.advance(delays.at(-1) ?? 0);
  }
  expect(delays.slice(0, 3)).toEqual([60_000, 120_000, 240_000]);
  expect(delays.at(-1)).toBe(24 * 60 * 60_000);
});

it('counts a record as failed when its vectors are invalid', async () => {
  const { outbox, index, embedder, clock } = setUp({ count: 4 });
  const odd: Embedder = {
    ...embedder,
    async embed(texts, options) {
      const vectors = await embedder.embed(texts, options);
      return vectors.map((vector, at) => {
        if (texts[at]?.includes('Narrative 2')) return vector.fill(NaN);
        return texts[at]?.includes('Narrative 3') ? vector.slice(1) : vector;
      });
    },
  };
  const sync = createVectorSync({ outbox, embedder: odd, index, clock });
  expect(await sync.drain()).toMatchObject({ waiting: 2, failed: 2, completed: 2 });
  expect(idsOf(index)).toEqual(documentsOf(1, 4));
});

describe('outages during vector sync', () => {
  const refused = new SearchError('search/vector-index-unavailable', 'nobody answers');

  it.each(['embedder', 'index'] as const)('of the %s do not count as attempts of a record', async (part) => {
    const parts = setUp({ count: 5 });
    parts[part].outage = refused;
    const sync = parts.open();
    expect(await sync.drain()).toMatchObject({ waiting: 5, failed: 0, problem: 'nobody answers' });
    parts[part].outage = null;
    expect(await sync.drain()).toMatchObject({ waiting: 0, problem: null, completed: 5 });
  });

  it('B136: lead to retries at growing intervals, regardless of new records', async () => {
    const { clock, outbox, index, open } = setUp({ count: 1 });
    index.outage = refused;
    const sync = open();
    const stop = new AbortController();
    const running = sync.run({ signal: stop.signal });
    await clock.advance(0);
    const callsIn = async (ms: number) => {
      const before = index.calls;
      outbox.put(1, observationOf(1));
      sync.wake();
      await clock.advance(ms);
      return index.calls - before;
    };
    expect(await callsIn(999)).toBe(0);
    expect(await callsIn(1)).toBeGreaterThan(0);
    expect(await callsIn(1_999)).toBe(0);
    await clock.advance(24 * 60 * 60_000);
    const callsInAnHour = await callsIn(60 * 60_000);
    expect(callsInAnHour).toBeGreaterThan(10);
    expect(callsInAnHour).toBeLessThan(40);
    index.outage = null;
    await clock.advance(5 * 60_000);
    expect(await sync.status()).toMatchObject({ waiting: 0, problem: null });
    stop.abort();
    await running;
  });
});

describe('run of vector sync', () => {
  it('waits for due or announced records without polling', async () => {
    const { clock, outbox, index, embedder, open } = setUp({ count: 2 });
    let asked = 0;
    const { next } = outbox;
    outbox.next = (request) => {
      asked += 1;
      return next(request);
    };
    embedder.poison = 'Narrative 2';
    const sync = open();
    const stop = new AbortController();
    const running = sync.run({ signal: stop.signal });
    for (let turn = 0; turn < 5; turn += 1) await clock.advance(0);
    expect(idsOf(index)).toEqual(documentsOf(1));
    embedder.poison = null;
    const before = asked;
    expect(before).toBe(2);
    await clock.advance(59_998);
    expect(asked).toBe(before);
    await clock.advance(2);
    expect(idsOf(index)).toEqual(documentsOf(1, 2));
    const idle = asked;
    await clock.advance(7 * 24 * 60 * 60_000);
    expect(asked).toBe(idle);
    outbox.put(3, observationOf(3));
    sync.wake();
    await clock.advance(0);
    expect(idsOf(index)).toEqual(documentsOf(1, 2, 3));
    stop.abort();
    await running;
  });

  it('pauses as long as it worked, while a simultaneous drain does not pause', async () => {
    const { clock, outbox, index, embedder } = setUp({ count: 64 });
    const slow: Embedder = {
      ...embedder,
      embed: async (texts, options) => {
        await clock.advance(500);
        return embedder.embed(texts, options);
      },
    };
    const sync = createVectorSync({ outbox, embedder: slow, index, clock });
    const stop = new AbortController();
    const running = sync.run({ signal: stop.signal });
    await expect.poll(() => index.documents.size).toBe(48);
    await clock.advance(499);
    expect(index.documents.size).toBe(48);
    await clock.advance(1);
    await expect.poll(() => index.documents.size).toBe(96);
    const progress: number[] = [];
    const status = await sync.drain({ onProgress: ({ waiting }) => progress.push(waiting) });
    expect(status).toMatchObject({ waiting: 0, completed: 64, embedded: 192 });
    expect(progress.at(-1)).toBe(0);
    stop.abort();
    await running;
  });

  it('ends when it is aborted, also while a text is embedded', async () => {
    const { clock, outbox, index } = setUp({ count: 1 });
    const endless: Embedder = {
      ...createHashingEmbedder(),
      embed: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const sync = createVectorSync({ outbox, embedder: endless, index, clock });
    const stop = new AbortController();
    const running = sync.run({ signal: stop.signal });
    await clock.advance(0);
    stop.abort();
    await running;
    expect(await sync.status()).toMatchObject({ waiting: 1, failed: 0, problem: null });
  });
});

describe('vector sync with another model or index', () => {
  it.each([
    ['flat', { otherThanModel: 'hashing-32' }],
    ['memory', { all: true }],
  ])(
    'B134: embeds everything again, then removes the vectors that the index %s does not need',
    async (name, gone) => {
      const { clock, outbox, index, embedder, open } = setUp({ count: 40 });
      await open().drain();
      const removed: unknown[] = [];
      outbox.removeVectors = async (request) => {
        removed.push([request, (await outbox.counts()).waiting]);
        return 0;
      };
      const other = createCountingEmbedder(createHashingEmbedder({ dimensions: 32 }));
      const otherIndex = { ...createMemoryIndex(), name };
      const sync = createVectorSync({ outbox, embedder: other, index: otherIndex, clock });
      await sync.drain();
      expect(other.texts).toHaveLength(120);
      expect(otherIndex.documents.size).toBe(120);
      expect(removed).toEqual([[gone, 0]]);
      embedder.texts.length = 0;
      await createVectorSync({ outbox, embedder: other, index: otherIndex, clock }).drain();
      expect(other.texts).toHaveLength(120);
      await createVectorSync({ outbox, embedder, index, clock, target: 'elsewhere' }).drain();
      expect((await outbox.counts()).waiting).toBe(0);
    },
  );

  it('empties and refills the index on rebuild', async () => {
    const { index, embedder, open } = setUp({ count: 20 });
    const sync = open();
    await sync.drain();
    expect(await sync.rebuild()).toEqual({ waiting: 20 });
    expect(index.documents.size).toBe(0);
    await sync.drain();
    expect(index.documents.size).toBe(60);
    expect(embedder.texts).toHaveLength(120);
  });

  it('completes with the correct target after a rebuild failed halfway', async () => {
    const { outbox, index, open } = setUp({ count: 2 });
    const sync = open();
    const { target } = await sync.drain();
    const { useTarget } = outbox;
    let calls = 0;
    outbox.useTarget = (name) => ((calls += 1) === 2 ? Promise.reject(new Error('busy')) : useTarget(name));
    await expect(sync.rebuild()).rejects.toThrow('busy');
    expect(await sync.drain()).toMatchObject({ waiting: 0, problem: null });
    expect(idsOf(index)).toEqual(documentsOf(1, 2));
    expect(await outbox.useTarget(target)).toEqual({ waiting: 0 });
  });
});
