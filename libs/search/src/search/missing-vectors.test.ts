import { createFixedClock } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nearestOf } from '../__fixtures__/nearest-of.js';
import { openTestMemory, START, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { SearchAnswer } from '../memory.js';
import type { Embedder } from '../ports/embedder.js';
import type { VectorIndex } from '../ports/vector-index.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';

let test: TestMemory;

beforeEach(async () => {
  test = await openTestMemory();
});
afterEach(() => test[Symbol.asyncDispose]());

const titles = (answer: SearchAnswer<{ title: string | null }>) => answer.items.map(({ item }) => item.title);
const parts = ({ degraded }: SearchAnswer<unknown>) => degraded.map(({ part }) => part);
const broken = async (): Promise<never> => {
  throw new Error('connect ECONNREFUSED 127.0.0.1:8000');
};
const hanging = () => new Promise<never>(() => undefined);
const embedderThat = (embed: Embedder['embed']): Embedder => ({ ...createHashingEmbedder(), embed });
/** All vectors are equal, so that only the index determines which are near. */
const any: Embedder['embed'] = async (texts) => texts.map(() => new Float32Array([1, 0]));

describe('search without working vectors', () => {
  it.each<[string, 'vectors' | 'embedder', Parameters<TestMemory['open']>[0]]>([
    ['the index is switched off', 'vectors', { vectors: 'none' }],
    ['the embedder is switched off', 'embedder', { vectors: 'flat', embedder: 'none' }],
    ['nothing is stored in the index', 'vectors', { vectors: 'flat', embedder: embedderThat(hanging) }],
    [
      'the index fails',
      'vectors',
      { vectors: nearestOf([], { nearest: broken }), embedder: embedderThat(any) },
    ],
    [
      'the index hangs',
      'vectors',
      { vectors: nearestOf([], { nearest: hanging }), embedder: embedderThat(any) },
    ],
    ['the embedder fails', 'embedder', { vectors: nearestOf([]), embedder: embedderThat(broken) }],
    ['the embedder hangs', 'vectors', { vectors: nearestOf([]), embedder: embedderThat(hanging) }],
    [
      'the embedder gives nothing usable',
      'embedder',
      { vectors: nearestOf([]), embedder: embedderThat(async () => [new Float32Array([NaN])]) },
    ],
  ])('B074: returns lexical results and reports the reason when %s', async (_, part, options) => {
    await test.remember({ title: 'The webhook is signed' });
    const memory = await test.open({ vectorTimeoutMs: 30, ...options });
    const answer = await memory.search({ query: 'webhook' });
    expect(titles(answer)).toEqual(['The webhook is signed']);
    expect(answer.strategy).toBe('lexical');
    expect(parts(answer)).toEqual([part]);
    const sessions = await memory.searchSessions({ query: 'webhook' });
    expect(sessions.items).toHaveLength(1);
    expect(parts(sessions)).toEqual([part]);
    expect(await memory.search({})).toMatchObject({ degraded: [], strategy: 'filters' });
  });

  it('logs no words of the query', async () => {
    await test.remember({ title: 'The webhook is signed' });
    const logged: unknown[] = [];
    const log = (...message: unknown[]) => void logged.push(message);
    const memory = await test.open({
      vectors: nearestOf([], { nearest: broken }),
      embedder: embedderThat(any),
      logger: { debug: log, info: log, warn: log, error: log },
    });
    await memory.search({ query: 'webhook secret words' });
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain('secret words');
  });
});

describe('search with vectors that become available', () => {
  it('uses vectors again without a restart, and sends no request during a failure pause', async () => {
    const found = await test.remember({ title: 'The webhook is signed' });
    const clock = createFixedClock(START);
    let isBroken = true;
    let asked = 0;
    const index: VectorIndex = nearestOf([found]);
    const memory = await test.open({
      clock,
      embedder: embedderThat(any),
      vectors: {
        ...index,
        nearest: async (request) => {
          asked += 1;
          return isBroken ? broken() : index.nearest(request);
        },
      },
    });
    for (let round = 0; round < 5; round += 1) await memory.search({ query: 'webhook' });
    expect(asked).toBe(1);
    expect((await memory.status()).vectors.problem).toContain('ECONNREFUSED');
    isBroken = false;
    await clock.advance(1_000);
    const answer = await memory.search({ query: 'webhook' });
    expect(answer.strategy).toBe('hybrid');
    expect(answer.items[0]?.item.id).toBe(found.id);
    expect((await memory.status()).vectors.problem).toBeNull();
  });

  it('reports a problem of the index before the first search', async () => {
    await test.remember({ title: 'The webhook is signed' });
    const memory = await test.open({
      embedder: embedderThat(any),
      vectors: nearestOf([], { count: broken }),
    });
    expect((await memory.status()).vectors).toMatchObject({
      documents: 0,
      problem: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('uses a late query vector in the next search without another embedder call', async () => {
    const found = await test.remember({ title: 'The webhook is signed' });
    let embedded = 0;
    let deliver = () => {};
    const memory = await test.open({
      vectors: nearestOf([found]),
      vectorTimeoutMs: 20,
      embedder: embedderThat(async (texts) => {
        embedded += 1;
        await new Promise<void>((resolve) => (deliver = resolve));
        return texts.map(() => new Float32Array([1]));
      }),
    });
    const first = await memory.search({ query: 'webhook' });
    expect(parts(first)).toEqual(['vectors']);
    deliver();
    await new Promise(setImmediate);
    const second = await memory.search({ query: 'webhook' });
    expect(second).toMatchObject({ strategy: 'hybrid' });
    expect(embedded).toBe(1);
  });

  it('waits longer for vectors when there are no lexical results', async () => {
    const found = await test.remember({ title: 'The webhook is signed' });
    const memory = await test.open({
      vectors: nearestOf([found]),
      vectorTimeoutMs: 5,
      embedder: embedderThat(async (texts) => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        return texts.map(() => new Float32Array([1]));
      }),
    });
    const answer = await memory.search({ query: 'authenticity' });
    expect(titles(answer)).toEqual(['The webhook is signed']);
  });

  it('stops waiting for vectors when it is aborted', async () => {
    await test.remember({ title: 'The webhook is signed' });
    const memory = await test.open({
      vectors: nearestOf([]),
      vectorTimeoutMs: 60_000,
      embedder: embedderThat(hanging),
    });
    const stop = new AbortController();
    const running = memory.search({ query: 'webhook', signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(running).rejects.toThrow('enough');
  });
});

describe('search with an outdated vector index', () => {
  it('B075: finds all 50 records when the index contains only one of them', async () => {
    const all = [];
    for (let number = 0; number < 50; number += 1)
      all.push(await test.remember({ title: `The webhook of customer ${number}`, session: `s${number}` }));
    await test.storage.vectors.useTarget('fake');
    const memory = await test.open({ vectors: nearestOf(all.slice(0, 1)), embedder: embedderThat(any) });
    const answer = await memory.search({ query: 'webhook', limit: 200 });
    expect(answer.strategy).toBe('hybrid');
    expect(new Set(answer.items.map(({ item }) => item.id))).toEqual(new Set(all.map(({ id }) => id)));
    expect(answer.degraded).toMatchObject([
      { part: 'vectors', reason: expect.stringMatching(/^50 /) as string },
    ]);
  });

  it('B078: does not find a deleted record that is still in the index', async () => {
    const gone = await test.remember({ title: 'The webhook is signed' });
    const kept = await test.remember({ title: 'Another matter' });
    const memory = await test.open({ vectors: nearestOf([gone, kept]), embedder: embedderThat(any) });
    expect((await memory.search({ query: 'elsewhere' })).items).toHaveLength(2);
    await test.storage.store.forget({ ids: [gone.id], now: 0 });
    const answer = await memory.search({ query: 'elsewhere' });
    expect(titles(answer)).toEqual(['Another matter']);
  });

  it('limits purely semantic results to recent records when semanticWindowDays is set', async () => {
    const old = await test.remember({ title: 'Old', at: START });
    const matching = await test.remember({ title: 'Old and matching', at: START });
    const recent = await test.remember({ title: 'Recent', at: START + 100 * 86_400_000 });
    const memory = await test.open({
      vectors: nearestOf([old, matching, recent]),
      embedder: embedderThat(any),
      clock: createFixedClock(START + 101 * 86_400_000),
    });
    const find = async (semanticWindowDays: number) =>
      titles(await memory.search({ query: 'what is matching', semanticWindowDays })).toSorted();
    expect(await find(0)).toEqual(['Old', 'Old and matching', 'Recent']);
    expect(await find(90)).toEqual(['Old and matching', 'Recent']);
  });
});
