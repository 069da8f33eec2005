import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nearestOf } from '../__fixtures__/nearest-of.js';
import { DAY_MS, openTestMemory, START, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { FoundSession, SearchAnswer, SearchRequest, SearchStrategy } from '../memory.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';

let test: TestMemory;

beforeEach(async () => {
  test = await openTestMemory();
});
afterEach(() => test[Symbol.asyncDispose]());

const names = (answer: SearchAnswer<FoundSession>) => answer.items.map(({ item }) => item.contentSessionId);

describe('session search', () => {
  it('finds sessions by their observations, summaries and prompts', async () => {
    await test.remember({ title: 'The webhook is signed', session: 'by record' });
    await test.summarize({ completed: 'Signed the webhook', session: 'by summary' });
    await test.ask('Please sign the webhook', { session: 'by prompt' });
    await test.remember({ title: 'Something else', session: 'none' });
    const memory = await test.open();
    const answer = await memory.searchSessions({ query: 'sign webhook' });
    expect(names(answer).toSorted()).toEqual(['by prompt', 'by record', 'by summary']);
    const bySummary = answer.items.find(({ item }) => item.contentSessionId === 'by summary');
    expect(bySummary?.item.summary?.completed).toBe('Signed the webhook');
    expect(bySummary?.item.hits).toEqual([]);
    expect(bySummary?.project).toBe('shop');
  });

  it('ranks a session about the query before a session that mentions it', async () => {
    for (const title of ['Webhook signing', 'Webhook retries', 'Webhook timeouts'])
      await test.remember({ title, session: 'about' });
    await test.remember({ title: 'Webhook colours', session: 'mention' });
    for (const title of ['Styles', 'Fonts']) await test.remember({ title, session: 'mention' });
    const memory = await test.open();
    const answer = await memory.searchSessions({ query: 'webhook' });
    expect(names(answer)).toEqual(['about', 'mention']);
    expect(answer.items[1]?.item.hits.map(({ title }) => title)).toEqual(['Webhook colours']);
  });

  it('returns the matching observations, best first, and the newest summary of a session', async () => {
    await test.remember({ title: 'A webhook among many other things that happened here', session: 'a' });
    await test.remember({ title: 'The webhook webhook', session: 'a' });
    await test.remember({ title: 'Unrelated', session: 'a' });
    await test.summarize({ completed: 'First', session: 'a' });
    await test.summarize({ completed: 'Second', session: 'a', prompt: 2 });
    const memory = await test.open();
    const [found] = (await memory.searchSessions({ query: 'webhook' })).items;
    expect(found?.item.hits.map(({ title }) => title)).toEqual([
      'The webhook webhook',
      'A webhook among many other things that happened here',
    ]);
    expect(found?.item.summary?.completed).toBe('Second');
  });

  it('returns parts that add up exactly to the score', async () => {
    for (let number = 0; number < 30; number += 1)
      await test.remember({ title: `Webhook ${number} of ${number % 5}`, session: `s${number % 7}` });
    const memory = await test.open();
    const { items } = await memory.searchSessions({ query: 'webhook 3', explain: true });
    expect(items).toHaveLength(7);
    for (const { score, parts = [] } of items) {
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(score);
    }
  });

  it('returns each session once, newest first, when there are no words', async () => {
    for (let number = 0; number < 40; number += 1)
      await test.remember({
        title: `Record ${number}`,
        session: `s${number % 4}`,
        at: START + number * DAY_MS,
      });
    const memory = await test.open();
    const answer = await memory.searchSessions({ limit: 3 });
    expect(names(answer)).toEqual(['s3', 's2', 's1']);
    expect(answer).toMatchObject({ strategy: 'filters', hasMore: true });
    expect(names(await memory.searchSessions({ limit: 3, offset: 3 }))).toEqual(['s0']);
    expect(answer.items[0]?.item.hits.map(({ title }) => title)).toContain('Record 39');
  });

  it('finds a session semantically when it shares no word with the query', async () => {
    const found = await test.remember({ title: 'The webhook is signed', session: 'a' });
    await test.remember({ title: 'Something else', session: 'b' });
    const memory = await test.open({ vectors: nearestOf([found]), embedder: createHashingEmbedder() });
    const answer = await memory.searchSessions({ query: 'authenticity' });
    expect(names(answer)).toEqual(['a']);
    expect(answer.items[0]?.item.hits.map(({ id }) => id)).toEqual([found.id]);
  });

  it('treats a malformed FTS5 query as plain text and reports that', async () => {
    await test.remember({ title: 'The webhook is signed', session: 'a' });
    await test.remember({ title: 'The webhook is sent', session: 'b' });
    const memory = await test.open();
    const find = (query: string) => memory.searchSessions({ query, syntax: 'fts5' });
    const matched = await find('webhook NOT sent');
    expect(names(matched)).toEqual(['a']);
    expect(matched).toMatchObject({ strategy: 'fts5', degraded: [] });
    const malformed = await find('(webhook "signed');
    expect(names(malformed)).toEqual(['a', 'b']);
    expect(malformed.degraded[0]).toMatchObject({ part: 'syntax' });
  });
});

describe('advanced search', () => {
  it('returns observations, sessions and prompts for one request', async () => {
    await test.remember({ title: 'The webhook is signed', session: 'a', type: 'bugfix' });
    await test.ask('Please sign the webhook', { session: 'a' });
    const memory = await test.open();
    const counts = async (request: object) => {
      const { observations, sessions, prompts } = await memory.advancedSearch(request);
      return [observations, sessions, prompts].map(({ items }) => items.length);
    };
    expect(await counts({ query: 'webhook' })).toEqual([1, 1, 1]);
    expect(await counts({ query: 'webhook', type: 'bugfix' })).toEqual([1, 1, 0]);
    expect(await counts({ query: 'webhook', project: 'no such' })).toEqual([0, 0, 0]);
    await expect(memory.advancedSearch({ dateTo: 'x' })).rejects.toMatchObject({
      code: 'search/bad-request',
    });
  });

  it.each<[string, SearchRequest, SearchStrategy]>([
    ['words of a prompt, and the meaning of an observation', { query: 'refund' }, 'hybrid'],
    ['words alone', { query: 'refund', meaning: false }, 'lexical'],
    ['meaning alone, and prompts have none', { query: 'elsewhere' }, 'semantic'],
    ['neither words nor meaning, which found nothing', { query: 'elsewhere', host: 'codex' }, 'hybrid'],
    ['syntax that each kind can read', { query: '"refund" OR signed', syntax: 'fts5' }, 'fts5'],
    ['syntax that is text to a prompt', { query: 'title:signed', syntax: 'fts5', meaning: false }, 'lexical'],
    ['filters', {}, 'filters'],
  ])('reports the strategy of all three searches: %s', async (_, request, strategy) => {
    await test.ask('Refund what was signed', { session: 'a' });
    const observation = await test.remember({ title: 'The webhook is signed', session: 'b' });
    const memory = await test.open({ vectors: nearestOf([observation]), embedder: createHashingEmbedder() });
    expect((await memory.advancedSearch(request)).strategy).toBe(strategy);
  });
});

describe('prompt search', () => {
  it('finds prompts with their projects', async () => {
    await test.ask('Why does the webhook fail?', { project: 'shop', session: 'a' });
    await test.ask('Sign the webhook', { project: 'blog', session: 'b' });
    await test.ask('Webhook webhook', { project: 'blog', session: 'b' });
    const memory = await test.open();
    const answer = await memory.searchUserPrompts({ query: 'sign webhooks', explain: true });
    expect(answer.items.map(({ item, project }) => [item.promptText, project])[0]).toEqual([
      'Sign the webhook',
      'blog',
    ]);
    expect(answer.items).toHaveLength(3);
    expect(answer.items[0]?.parts?.length).toBeGreaterThan(0);
    expect(answer).toMatchObject({ strategy: 'lexical', degraded: [], hasMore: false });
    const newest = await memory.searchUserPrompts({ limit: 1 });
    expect(newest.items[0]?.item.promptText).toBe('Webhook webhook');
    expect(newest.hasMore).toBe(true);
  });
});
