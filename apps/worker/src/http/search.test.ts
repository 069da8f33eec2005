import type { ImportReply, IndexState, SearchReply, TimelineReply } from '@claude-mem/worker-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 10);

const RECORDS = [
  {
    uid: 'u-1',
    project: '/repos/demo',
    session: 's-1',
    prompt_number: 1,
    type: 'bugfix',
    title: 'Token refresh no longer loops',
    narrative: 'The session was renewed for ever when the clock of the server was late.',
    facts: ['A leeway of one minute was added'],
    concepts: ['gotcha'],
    files_read: ['src/api/router.ts'],
    files_modified: ['src/auth/token.ts'],
    created_at: START,
  },
  {
    uid: 'u-2',
    project: '/repos/demo',
    session: 's-1',
    prompt_number: 2,
    type: 'decision',
    title: 'Uploads are limited to ten files',
    facts: ['The limit, is a setting'],
    concepts: ['trade-off', 'how-it-works'],
    files_modified: ['src/api/upload.ts', 'a,b.ts'],
    created_at: START + 30 * DAY,
  },
  {
    uid: 'u-3',
    project: '/repos/other',
    session: 's-2',
    title: 'Token of another project',
    created_at: START,
  },
];

describe('search over HTTP', { timeout: 60_000 }, () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker({ settings: { CLAUDE_MEM_EMBEDDER: 'none' } });
    const taken = await post('/api/import', RECORDS);
    expect(taken).toMatchObject({ status: 200, json: { inserted: 3, known: 0, failed: [] } });
  });
  afterAll(() => worker[Symbol.asyncDispose]());

  const post = (path: string, body: unknown, headers = {}) =>
    worker.ask({ method: 'POST', path, body, headers });
  const get = async (path: string) => (await worker.ask({ path })).json;
  const titles = async (query: string) =>
    ((await get(`/api/search?${query}`)) as SearchReply).items.map(({ item }) =>
      'title' in item ? item.title : null,
    );
  const ids = async (path: string) =>
    ((await get(path)) as { items: { uid: string }[] }).items.map(({ uid }) => uid);

  it('R06: previews the context in the time zone of the reader, and names the zone', async () => {
    const contextIn = async (timeZone: string) => {
      const reply = await get(`/api/context?cwd=/repos/demo&timeZone=${encodeURIComponent(timeZone)}`);
      return (reply as { text: string }).text;
    };
    const tokyo = await contextIn('Asia/Tokyo');
    expect(tokyo).toContain('Times: Asia/Tokyo.');
    expect(tokyo).toMatch(/### 2026-01-10[^]*\| 09:00 \|/);
    const losAngeles = await contextIn('America/Los_Angeles');
    expect(losAngeles).toContain('Times: America/Los_Angeles.');
    expect(losAngeles).toMatch(/### 2026-01-09[^]*\| 16:00 \|/);
    expect(await contextIn('no/zone')).toContain('Times: UTC.');
  });

  it.each([
    'prompt=Why+does+the+token+refresh+loop+when+the+server+clock+is+late',
    'file=/repos/demo/src/auth/token.ts',
  ])('R06: previews the context for %s in the time zone of the reader', async (what) => {
    const reply = await get(`/api/context?cwd=/repos/demo&timeZone=America%2FLos_Angeles&${what}`);
    expect((reply as { text: string }).text).toMatch(
      /Dates: America\/Los_Angeles\.[^]*2026-01-09[^]*Token refresh/,
    );
  });

  it('finds imported records immediately, best match first', async () => {
    const reply = (await get('/api/search?query=token+refresh')) as SearchReply;
    expect(reply.items.map(({ project, item }) => [project, 'title' in item ? item.title : ''])).toEqual([
      ['demo', 'Token refresh no longer loops'],
      ['other', 'Token of another project'],
    ]);
    expect(reply).toMatchObject({ strategy: 'lexical', nextCursor: null });
  });

  it('B076: applies every filter', async () => {
    const both = 'Token refresh no longer loops';
    const limits = 'Uploads are limited to ten files';
    expect(await titles('query=token&project=demo')).toEqual([both]);
    expect(await titles('query=token&project=demo&project=/repos/other')).toHaveLength(2);
    expect(await titles('query=token&project=nowhere')).toEqual([]);
    expect(await titles('type=bugfix')).toEqual([both]);
    expect(await titles('type=bugfix,decision')).toEqual([limits, both]);
    expect(await titles('type=bugfix&type=decision')).toEqual([limits, both]);
    expect(await titles('concepts=gotcha')).toEqual([both]);
    expect(await titles('files=token.ts')).toEqual([both]);
    expect(await titles('files=src/api/')).toEqual([limits, both]);
    expect(await titles('files=a%2Cb.ts&files=')).toEqual([limits]);
    expect(await titles('dateFrom=2026-01-20')).toEqual([limits]);
    expect(await titles(`dateTo=${START + DAY}&project=demo`)).toEqual([both]);
    expect(await titles('session=s-1&query=uploads')).toEqual([limits]);
    expect(await titles('host=import&query=uploads')).toEqual([limits]);
    expect(await titles('host=import&host=cursor&query=uploads')).toEqual([limits]);
    expect(await titles('host=cursor&query=uploads')).toEqual([]);
    expect(await titles('host=cursor')).toEqual([]);
    expect(await worker.ask({ path: '/api/search?host=vim' })).toMatchObject({
      status: 400,
      json: {
        error: { message: expect.stringContaining('host must be one of claude-code, cursor') as string },
      },
    });
  });

  it('returns sessions, prompts, or all kinds of records for a query', async () => {
    const sessions = (await get('/api/search?kind=sessions&query=token+refresh')) as SearchReply;
    expect(sessions.items[0]).toMatchObject({
      kind: 'session',
      item: { contentSessionId: 's-1', hits: [{ uid: 'u-1' }] },
    });
    const all = (await get('/api/search?kind=all&query=token')) as SearchReply;
    expect(new Set(all.items.map(({ kind }) => kind))).toEqual(new Set(['observation', 'session']));
    expect(((await get('/api/search?kind=prompts&query=token')) as SearchReply).items).toEqual([]);
  });

  it('returns pages by offset, and score parts that add up to the score', async () => {
    const first = (await get('/api/search?query=token&limit=1&explain=true')) as SearchReply;
    expect(first.nextCursor).toBe('1');
    const [hit] = first.items;
    const sum = hit?.parts?.reduce((total, { value }) => total + value, 0);
    expect(sum).toBeCloseTo(hit?.score ?? NaN, 9);
    const second = (await get('/api/search?query=token&limit=1&offset=1')) as SearchReply;
    expect(second.nextCursor).toBeNull();
    expect(second.items[0]?.item.id).not.toBe(hit?.item.id);
  });

  it.each([
    'dateFrom=soon',
    'limit=0',
    'limit=many',
    'kind=pictures',
    'syntax=sql',
    'explain=perhaps',
    'offset=-1',
  ])('rejects %s', async (query) => {
    expect(await worker.ask({ path: `/api/search?query=x&${query}` })).toMatchObject({
      status: 400,
      json: { error: { code: expect.stringMatching(/bad-request$/) } },
    });
  });

  it('B080: returns the same timeline for every spelling of an id', async () => {
    const around = async (anchor: string, more = '') =>
      (await get(`/api/timeline?anchor=${encodeURIComponent(anchor)}${more}`)) as TimelineReply;
    const all = await around('1');
    expect(all.items.map(({ kind }) => kind)).toContain('observation');
    expect(all.items[all.anchorIndex ?? -1]?.item.id).toBe(1);
    for (const anchor of [' 1 ', '#1', '01']) expect(await around(anchor)).toEqual(all);
    expect((await around('1', '&before=0&after=0')).items).toHaveLength(1);
    expect(await worker.ask({ path: '/api/timeline?anchor=abc' })).toMatchObject({ status: 400 });
    expect(await worker.ask({ path: '/api/timeline' })).toMatchObject({ status: 400 });
    const best = (await get('/api/timeline?query=uploads')) as TimelineReply;
    expect(best.items[best.anchorIndex ?? -1]?.item.uid).toBe('u-2');
  });

  it('lists observations by filters, in pages, and by ids in any spelling', async () => {
    expect(await ids('/api/observations?project=demo')).toEqual(['u-2', 'u-1']);
    expect(await ids('/api/observations?concepts=gotcha')).toEqual(['u-1']);
    const page = (await get('/api/observations?project=demo&limit=1')) as { nextCursor: string };
    expect(await ids(`/api/observations?project=demo&limit=1&cursor=${page.nextCursor}`)).toEqual(['u-1']);
    expect(await ids('/api/observations?ids=%231,%202')).toHaveLength(2);
    expect(await get('/api/observations/%231')).toMatchObject({ id: 1 });
    expect(await worker.ask({ path: '/api/observations?project=demo&ids=1' })).toMatchObject({ status: 400 });
  });

  it('imports JSON lines, reports unusable lines with their numbers, and counts known records', async () => {
    const lines = [
      JSON.stringify({ uid: 'l-1', project: 'by-lines', title: 'From a line' }),
      '',
      'no json',
      JSON.stringify(RECORDS[0]),
    ].join('\n');
    const reply = await post('/api/import', lines, { 'content-type': 'application/x-ndjson' });
    expect(reply.json).toMatchObject({
      inserted: 1,
      known: 1,
      forgotten: 0,
      failed: [{ line: 3, reason: expect.stringContaining('no JSON') }],
    } satisfies Partial<ImportReply>);
    expect(await titles('query=line&project=by-lines')).toEqual(['From a line']);
    const many = '\n'.repeat(2_000_000);
    expect(await post('/api/import', many, { 'content-type': 'application/x-ndjson' })).toMatchObject({
      status: 400,
    });
    expect(await post('/api/import', 'x', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    expect(await post('/api/settings', '{}', { 'content-type': 'application/x-ndjson' })).toMatchObject({
      status: 415,
    });
    expect(await post('/api/import', { uid: 'x' })).toMatchObject({ status: 400 });
  });

  it('exports pages that can be imported again', async () => {
    const exported: { uid: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = (await get(`/api/export?limit=2${cursor && `&cursor=${cursor}`}`)) as {
        items: { uid: string }[];
        nextCursor: string | null;
      };
      exported.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(exported.find(({ uid }) => uid === 'u-1')).toMatchObject({
      kind: 'observation',
      subtitle: null,
      ...RECORDS[0],
      created_at: new Date(START).toISOString(),
    });
    expect((await post('/api/import', exported)).json).toMatchObject({
      inserted: 0,
      known: exported.length,
      forgotten: 0,
      failed: [],
    });
    const { items } = (await get('/api/export?project=other')) as { items: { kind: string; uid: string }[] };
    expect(items.filter(({ kind }) => kind === 'observation').map(({ uid }) => uid)).toEqual(['u-3']);
  });

  it('B078: omits a deleted observation from every response', async () => {
    await post('/api/import', [{ uid: 'gone', project: '/repos/demo', title: 'Zanzibar is deleted soon' }]);
    const [found] = ((await get('/api/search?query=zanzibar')) as SearchReply).items;
    const id = found?.item.id;
    expect(await worker.ask({ method: 'DELETE', path: `/api/observations/${id}` })).toMatchObject({
      status: 200,
      json: { changed: 1 },
    });
    expect(await titles('query=zanzibar')).toEqual([]);
    expect(await worker.ask({ path: `/api/observations/${id}` })).toMatchObject({ status: 404 });
    expect(await titles('project=demo')).not.toContain('Zanzibar is deleted soon');
    expect(await worker.ask({ method: 'DELETE', path: `/api/observations/${id}` })).toMatchObject({
      json: { changed: 0 },
    });
  });

  it('rebuilds the inverted index while it answers requests', async () => {
    expect(await get('/api/reindex')).toMatchObject({ isDone: true, vectors: { index: 'none', waiting: 0 } });
    expect(await post('/api/reindex', { part: 'words' })).toMatchObject({ status: 200 });
    await until(async () => ((await get('/api/reindex')) as IndexState).isDone);
    expect(await titles('query=uploads')).toEqual(['Uploads are limited to ten files']);
  });
});
