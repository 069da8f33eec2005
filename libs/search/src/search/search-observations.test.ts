import { createFixedClock } from '@claude-mem/core/testing';
import { loadDriver } from '@claude-mem/storage/driver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, openTestMemory, START, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { Memory, SearchAnswer } from '../memory.js';

let test: TestMemory;
let memory: Memory;

beforeEach(async () => {
  test = await openTestMemory();
});
afterEach(() => test[Symbol.asyncDispose]());

const titles = (answer: SearchAnswer<{ title: string | null }>) => answer.items.map(({ item }) => item.title);

describe('lexical search', () => {
  it('finds a record as soon as it is committed and reports the strategy', async () => {
    await test.remember({ title: 'Fixed the date parser', narrative: 'Months were counted from one.' });
    memory = await test.open();
    const answer = await memory.search({ query: 'date parsers' });
    expect(titles(answer)).toEqual(['Fixed the date parser']);
    expect(answer).toMatchObject({ strategy: 'lexical', hasMore: false });
    await test.remember({ title: 'The date picker is next' });
    expect(titles(await memory.search({ query: 'picker' }))).toEqual(['The date picker is next']);
  });

  it('B077: ranks the best match first regardless of its age', async () => {
    await test.remember({ title: 'Rotated the signing key of the webhook', at: START - 700 * DAY_MS });
    for (let number = 0; number < 60; number += 1)
      await test.remember({
        title: `Looked at the webhook, round ${number}`,
        narrative: 'Nothing about it was remarkable, and the day went by with reading other things.',
      });
    memory = await test.open();
    const query = 'signing key of the webhook';
    for (const limit of [1, 5, 50]) {
      const { items, hasMore } = await memory.search({ query, limit });
      expect(items).toHaveLength(limit);
      expect(items[0]?.item.title).toBe('Rotated the signing key of the webhook');
      expect(hasMore).toBe(true);
    }
  });

  it('ranks a statement of the user before the same text of the agent when the statement is older', async () => {
    const text = 'Deployments use the blue cluster';
    await test.remember({ title: 'Stated', facts: [{ text, origin: 'user' }], session: 'a' });
    await test.remember({ title: 'Explained', facts: [{ text, origin: 'agent' }], session: 'b' });
    await test.remember({ title: 'Summarized', narrative: text, session: 'c' });
    memory = await test.open();
    expect(titles(await memory.search({ query: 'blue cluster' }))[0]).toBe('Stated');
  });

  it('returns the same results and scores as before when later sessions are excluded with asOf', async () => {
    await test.remember({ title: 'Voucher total in euros', session: 'early', at: START });
    await test.remember({ title: 'Cart page with tabs', session: 'early' });
    memory = await test.open();
    const search = async (more: object) => {
      const { items } = await memory.search({ query: 'voucher total', explain: true, ...more });
      return items.map(({ item, evidence }) => ({ title: item.title, evidence }));
    };
    const asOf = START + DAY_MS;
    const before = await search({ asOf });
    for (let number = 0; number < 30; number += 1)
      await test.remember({
        title: `Voucher total, round ${number}`,
        session: `late-${number}`,
        at: asOf + 1,
      });
    expect(before).toHaveLength(1);
    expect(await search({ asOf })).toEqual(before);
    expect(await search({ dateTo: asOf })).not.toEqual(before);
  });

  it('uses only the most discriminative words of a very long query', async () => {
    const rare = Array.from({ length: 41 }, (_, number) => `w${number}x`).join(' ');
    await test.remember({ title: 'Meant', narrative: `${rare} house` });
    for (let number = 0; number < 3; number += 1) await test.remember({ title: `House ${number}` });
    memory = await test.open();
    expect(titles(await memory.search({ query: `house ${rare}` }))).toEqual(['Meant']);
    expect(titles(await memory.search({ query: 'house w0x' }))).toHaveLength(4);
  });

  it('returns all pages without gaps or repetitions', async () => {
    for (let number = 0; number < 37; number += 1)
      await test.remember({ title: `Cache entry ${number}`, narrative: 'cache '.repeat((number % 7) + 1) });
    memory = await test.open();
    const all = await memory.search({ query: 'cache', limit: 200 });
    expect(all.items).toHaveLength(37);
    expect(all.hasMore).toBe(false);
    const paged: number[] = [];
    for (let offset = 0; offset < 40; offset += 10) {
      const page = await memory.search({ query: 'cache', limit: 10, offset });
      expect(page.hasMore).toBe(offset < 30);
      paged.push(...page.items.map(({ item }) => item.id));
    }
    expect(paged).toEqual(all.items.map(({ item }) => item.id));
  });

  it('returns pages far behind the best results', async () => {
    for (let number = 0; number < 330; number += 1)
      await test.remember({ title: `Cache entry ${number}`, session: `s${number % 9}` });
    memory = await test.open();
    const seen = new Set<number>();
    for (const offset of [0, 90, 180, 270]) {
      const { items } = await memory.search({ query: 'cache', limit: 90, offset, explain: true });
      expect(items).toHaveLength(Math.min(90, 330 - offset));
      for (const { item, score, parts = [] } of items) {
        seen.add(item.id);
        expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(score);
      }
    }
    expect(seen.size).toBe(330);
  });

  it('keeps the order across pages when records supersede each other', async () => {
    for (let number = 0; number < 110; number += 1)
      await test.remember({
        title: `The cache holds at most ${number} entries`,
        narrative: 'cache '.repeat((number % 7) + 1),
        filesModified: ['src/cache.ts'],
        session: `s${number % 13}`,
        at: START + ((number * 37) % 110) * 1_000,
      });
    memory = await test.open();
    const idsOf = async (limit: number, offset: number) =>
      (await memory.search({ query: 'cache', limit, offset })).items.map(({ item }) => item.id);
    const all = await idsOf(110, 0);
    expect(new Set(all).size).toBe(110);
    const paged: number[] = [];
    for (let offset = 0; offset < 110; offset += 20) paged.push(...(await idsOf(20, offset)));
    expect(paged).toEqual(all);
  });

  it('ranks equal records by time, newest first, then by ID', async () => {
    const same = { title: 'Same words here', prompt: 1 };
    const first = await test.remember({ ...same, session: 'a', at: START });
    const second = await test.remember({ ...same, session: 'b', at: START });
    const third = await test.remember({ ...same, session: 'c', at: START + 1 });
    const fourth = await test.remember({ ...same, session: 'd', at: START - 1 });
    memory = await test.open();
    const ids = async () => (await memory.search({ query: 'same words' })).items.map(({ item }) => item.id);
    expect(await ids()).toEqual([third.id, second.id, first.id, fourth.id]);
    expect(await ids()).toEqual(await ids());
  });

  it('sorts the results by date on request', async () => {
    await test.remember({ title: 'parser parser parser', at: START });
    await test.remember({ title: 'A parser among many other things', at: START + DAY_MS });
    memory = await test.open();
    const request = { query: 'parser', orderBy: 'date' } as const;
    expect(titles(await memory.search(request))[0]).toBe('A parser among many other things');
    expect(titles(await memory.search({ query: 'parser' }))[0]).toBe('parser parser parser');
  });

  it('fills the results with the newest matching records when complete is set', async () => {
    await test.remember({ title: 'The parser' });
    await test.remember({ title: 'Older', at: START - DAY_MS });
    await test.remember({ title: 'Newer', at: START + DAY_MS });
    await test.remember({ title: 'Elsewhere', project: 'blog' });
    memory = await test.open();
    const request = { query: 'parser', project: 'shop' };
    expect(titles(await memory.search(request))).toEqual(['The parser']);
    const filled = await memory.search({ ...request, complete: true });
    expect(titles(filled)).toEqual(['The parser', 'Newer', 'Older']);
    expect(filled.items.map(({ score }) => score > 0)).toEqual([true, false, false]);
    expect(titles(await memory.search({ ...request, complete: true, limit: 2 }))).toEqual([
      'The parser',
      'Newer',
    ]);
  });

  it('matches the last word as a prefix when prefix is set', async () => {
    await test.remember({ title: 'The webhook is signed' });
    await test.ask('Sign the webhook');
    memory = await test.open();
    const request = { query: 'signed webh' };
    expect((await memory.searchUserPrompts({ query: 'webh' })).items).toEqual([]);
    for (const search of [memory.search, memory.searchSessions, memory.searchUserPrompts])
      expect((await search({ ...request, prefix: true })).items).toHaveLength(1);
  });

  it('returns nothing for an unknown project or session', async () => {
    await test.remember({ title: 'The parser' });
    memory = await test.open();
    for (const filter of [{ project: 'no such' }, { session: 'no such' }, { session: 99 }, { type: 'x' }])
      for (const query of ['parser', ''])
        expect(await memory.search({ ...filter, query })).toMatchObject({ items: [], hasMore: false });
  });

  it('rejects an invalid field by its name and an aborted request by its reason', async () => {
    await test.remember({ title: 'The parser' });
    memory = await test.open();
    await expect(memory.search({ dateFrom: 'soon' })).rejects.toMatchObject({ code: 'search/bad-request' });
    await expect(memory.findByFile(' ')).rejects.toMatchObject({ data: { field: 'file' } });
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(memory.search({ query: 'parser', signal: stop })).rejects.toThrow('enough');
  });
});

describe('superseding records', () => {
  it('rank before the records that they supersede, regardless of their words', async () => {
    const old = await test.remember({ title: 'The queue retries a message three times', session: 'a' });
    const between = await test.remember({ title: 'The queue retries, and other things', session: 'b' });
    const latest = await test.remember({
      title: 'Retry policy',
      narrative: 'The queue gives up at once.',
      session: 'c',
    });
    memory = await test.open();
    const ids = async () =>
      (await memory.search({ query: 'queue retries a message three times', explain: true })).items.map(
        ({ item, score, parts = [] }) => {
          expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(score);
          return item.id;
        },
      );
    expect(await ids()).toEqual([old.id, between.id, latest.id]);
    const database = loadDriver().open(test.file, { timeout: 5_000 });
    database.prepare('UPDATE observations SET superseded_by = ? WHERE id = ?').run(latest.id, old.id);
    database.close();
    expect(await ids()).toEqual([latest.id, old.id, between.id]);
  });

  it('rank first when they are later and contain another number for the same statement', async () => {
    const limit = (value: number, at: number) =>
      test.remember({
        title: `The retry limit of the queue is ${value}`,
        filesModified: ['src/queue.ts'],
        session: `s${value}`,
        at,
      });
    const later = await limit(5, START + 50 * DAY_MS);
    const earlier = await limit(3, START);
    await test.remember({ title: 'The retry of the queue', session: 'other' });
    memory = await test.open();
    const first = async (query: string) => (await memory.search({ query })).items[0]?.item.id;
    expect(await first('retry limit of the queue')).toBe(later.id);
    expect(await first('when was the retry limit of the queue 3')).toBe(earlier.id);
  });
});

describe('search without words', () => {
  it('returns all records that match the filters, newest first', async () => {
    await test.remember({ title: 'Old', at: START - DAY_MS });
    await test.remember({ title: 'New', at: START + DAY_MS });
    await test.remember({ title: 'Middle', at: START });
    memory = await test.open();
    const answer = await memory.search({ query: '  ' });
    expect(titles(answer)).toEqual(['New', 'Middle', 'Old']);
    expect(answer).toMatchObject({ strategy: 'filters', degraded: [] });
    expect(titles(await memory.search({ limit: 1, offset: 1 }))).toEqual(['Middle']);
    expect(await memory.search({ limit: 0 })).toMatchObject({ items: [], hasMore: true });
  });
});

describe('score explanation', () => {
  it('adds up exactly to the score for random searches', async () => {
    let seed = 11;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const words = ['parser', 'queue', 'retry', 'cache', 'token', 'limit', 'date', 'worker', 'hook', 'index'];
    const some = (count: number) =>
      Array.from({ length: 1 + random(count) }, () => words[random(words.length)]).join(' ');
    for (let number = 0; number < 120; number += 1)
      await test.remember({
        title: `${some(4)} ${random(9)}`,
        narrative: some(30),
        filesModified: [`src/${words[random(words.length)]}.ts`],
        session: `s${random(12)}`,
        prompt: 1 + random(3),
        at: START + random(90) * DAY_MS,
      });
    memory = await test.open({ clock: createFixedClock(START + 91 * DAY_MS) });
    let seen = 0;
    for (let round = 0; round < 60; round += 1) {
      const request = { query: some(4), contextFiles: [`src/${some(1)}.ts`], limit: 30 };
      const explained = await memory.search({ ...request, explain: true });
      const plain = await memory.search(request);
      expect(plain.items.map(({ item, score }) => [item.id, score])).toEqual(
        explained.items.map(({ item, score }) => [item.id, score]),
      );
      expect(plain.items.every(({ parts }) => parts === undefined)).toBe(true);
      for (const { score, parts = [] } of explained.items) {
        expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(score);
        seen += 1;
      }
      const scores = explained.items.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }
    expect(seen).toBeGreaterThan(500);
  });

  it('names the matching words and files', async () => {
    await test.remember({ title: 'The retry queue', filesModified: ['src/queue.ts'] });
    memory = await test.open();
    const { items } = await memory.search({
      query: 'retry',
      contextFiles: ['src/queue.ts'],
      explain: true,
    });
    const detail = Object.fromEntries((items[0]?.parts ?? []).map((part) => [part.name, part.detail]));
    expect(detail.lexical).toMatch(/retri|retry/);
    expect(detail.files).toContain('src/queue.ts');
  });
});
