import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, openTestMemory, START, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { Memory, SearchFilter, SearchRequest } from '../memory.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';
import { nearestOf } from '../__fixtures__/nearest-of.js';

let test: TestMemory;
let memory: Memory;

/** Two records with the same words that differ in every filterable field. */
beforeAll(async () => {
  test = await openTestMemory();
  const text = { title: 'Webhook signing works', narrative: 'The webhook is signed.' };
  const old = await test.remember({
    ...text,
    at: START,
    project: 'shop',
    host: 'cursor',
    session: 'old',
    type: 'bugfix',
    concepts: ['gotcha'],
    filesRead: ['src/api/router.ts'],
  });
  await test.ask('Sign the webhook, please', { at: START, host: 'cursor', session: 'old', project: 'shop' });
  const recent = await test.remember({
    ...text,
    at: START + 30 * DAY_MS,
    project: 'blog',
    session: 'recent',
    type: 'feature',
    concepts: ['pattern'],
    filesModified: ['lib/api/hooks.ts'],
  });
  await test.ask('Sign the webhook, please', { at: START + 30 * DAY_MS, session: 'recent', project: 'blog' });
  memory = await test.open({
    embedder: createHashingEmbedder(),
    vectors: nearestOf([old, recent]),
  });
});
afterAll(() => test[Symbol.asyncDispose]());

/** Each kind of search, and the sessions of its results. */
const PATHS: Record<string, (filter: SearchRequest) => Promise<readonly (string | undefined)[]>> = {
  'words and meaning': (filter) => observations({ ...filter, query: 'webhook' }),
  'meaning alone': (filter) => observations({ ...filter, query: 'elsewhere' }),
  'filters alone': (filter) => observations(filter),
  'FTS5 syntax': (filter) => observations({ ...filter, query: '"webhook"', syntax: 'fts5' }),
  'filling up': (filter) => observations({ ...filter, query: 'absent', syntax: 'fts5', complete: true }),
  'order by date': (filter) => observations({ ...filter, query: 'webhook', orderBy: 'date' }),
  'context files': (filter) =>
    observations({
      ...filter,
      query: 'absent',
      contextFiles: ['lib/api/hooks.ts', 'src/api/router.ts'],
    }),
  'sessions by words': (filter) => sessions({ ...filter, query: 'webhook' }),
  'sessions by meaning': (filter) => sessions({ ...filter, query: 'elsewhere' }),
  'sessions by syntax': (filter) => sessions({ ...filter, query: 'webhook', syntax: 'fts5' }),
  'sessions alone': (filter) => sessions(filter),
  'by type': async (filter) => ofRecords((await memory.findByType(['bugfix', 'feature'], filter)).items),
  'by concept': async (filter) => [
    ...(await ofRecords((await memory.findByConcept('gotcha', filter)).items)),
    ...(await ofRecords((await memory.findByConcept('pattern', filter)).items)),
  ],
  'by file': async (filter) => [
    ...(await ofRecords((await memory.findByFile('src/api/', filter)).items)),
    ...(await ofRecords((await memory.findByFile('hooks.ts', filter)).items)),
  ],
};

/** Prompts have no type, concepts or files. */
const PROMPT_PATHS: typeof PATHS = {
  'prompts by words': async (filter) =>
    ofRecords((await memory.searchUserPrompts({ ...filter, query: 'webhook' })).items),
  'prompts alone': async (filter) => ofRecords((await memory.searchUserPrompts(filter)).items),
  'prompts by syntax': async (filter) =>
    ofRecords((await memory.searchUserPrompts({ ...filter, query: 'webhook', syntax: 'fts5' })).items),
};

async function observations(request: SearchRequest) {
  return ofRecords((await memory.search(request)).items);
}

async function sessions(request: SearchRequest) {
  return (await memory.searchSessions(request)).items.map(({ item }) => item.contentSessionId);
}

async function ofRecords(items: readonly { item: { sessionId: number } }[]) {
  const known = await memory.searchSessions({});
  return items.map(
    ({ item }) =>
      known.items.find(({ item: session }) => session.id === item.sessionId)?.item.contentSessionId,
  );
}

const within = { dateFrom: START + DAY_MS, dateTo: START + 60 * DAY_MS };

describe.each(Object.entries({ ...PATHS, ...PROMPT_PATHS }))('filters of the search path %s', (_, find) => {
  it('find both records when no filter is set', async () => {
    expect((await find({})).toSorted()).toEqual(['old', 'recent']);
  });

  it('B076: apply the date range', async () => {
    expect(await find(within)).toEqual(['recent']);
    expect(await find({ dateFrom: START + DAY_MS })).toEqual(['recent']);
    expect(await find({ dateTo: START + DAY_MS })).toEqual(['old']);
    expect(await find({ dateFrom: '2026-01-02', dateTo: '2026-01-30' })).toEqual([]);
    expect(await find({ dateTo: '2026-01-01' })).toEqual(['old']);
    expect(await find({ dateFrom: within.dateTo, dateTo: within.dateFrom })).toEqual([]);
  });

  it.each<SearchFilter>([
    { project: 'shop' },
    { project: '/home/dev/shop' },
    { project: ['shop', 'no such'] },
    { session: 'old' },
    { host: 'cursor' },
    { host: ['codex', 'cursor'] },
    { host: 'cursor', project: 'shop', dateTo: START + DAY_MS },
  ])('apply %j', async (filter) => {
    expect(await find(filter)).toEqual(['old']);
  });
});

describe.each(Object.entries(PATHS))('filters of the search path %s', (name, find) => {
  const own = { 'by type': 'type', 'by concept': 'concepts', 'by file': 'files' }[name];

  it.each<SearchFilter>([
    { type: 'bugfix' },
    { type: ['bugfix', 'decision'] },
    { concepts: ['gotcha'] },
    { files: ['src/api/router.ts'] },
    { files: ['api/router.ts'] },
    { files: ['router.ts'] },
    { files: ['src/'] },
    { type: 'bugfix', concepts: ['gotcha', 'trade-off'], files: ['src/api/'], project: 'shop' },
  ])('apply %j', async (filter) => {
    if (own !== undefined && own in filter) return;
    expect(await find(filter)).toEqual(['old']);
  });

  it('find nothing when a record matches only one of several filters', async () => {
    expect(await find({ project: 'shop', dateFrom: START + DAY_MS })).toEqual([]);
    if (own === undefined) expect(await find({ type: 'bugfix', concepts: ['pattern'] })).toEqual([]);
  });
});

describe.each(Object.entries({ ...PATHS, ...PROMPT_PATHS }))('filters of the search path %s', (_, find) => {
  it('find nothing for a host without records and reject an unknown host', async () => {
    expect(await find({ host: 'codex' })).toEqual([]);
    expect(await find({ host: [] })).toHaveLength(2);
    await expect(find({ host: 'vim' as 'codex' })).rejects.toMatchObject({
      code: 'search/bad-request',
      message: expect.stringMatching(/^host must be some of claude-code, cursor, /) as string,
      data: { field: 'host' },
    });
  });
});

describe.each(Object.entries(PROMPT_PATHS))('filters of the search path %s', (_, find) => {
  it('find no prompts by type, concept or file', async () => {
    expect(await find({ type: 'bugfix' })).toEqual([]);
    expect(await find({ concepts: ['gotcha'] })).toEqual([]);
    expect(await find({ files: ['src/'] })).toEqual([]);
  });
});

it('returns a finite score for a semantic result when the filter excludes the only lexical match', async () => {
  await using own = await openTestMemory();
  const kept = await own.remember({ title: 'Chose the queue', type: 'decision' });
  const excluded = await own.remember({ title: 'The webhook is signed', type: 'bugfix' });
  const searched = await own.open({
    vectors: nearestOf([kept, excluded]),
    embedder: createHashingEmbedder(),
  });
  const request = { query: 'webhook', type: 'decision' };
  const [hit, ...more] = (await searched.search(request)).items;
  expect(hit?.item.id).toBe(kept.id);
  expect(hit?.score).toBeGreaterThan(0);
  expect(hit?.score).toBeLessThan(5);
  expect(more).toEqual([]);
});
