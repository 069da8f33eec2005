import { loadDriver } from '@claude-mem/storage/driver';
import type {
  Facets,
  FeedReply,
  ObservationDetail,
  ProjectDetail,
  ProjectRow,
  SearchReply,
  SessionDetail,
  SessionRow,
} from '@claude-mem/worker-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playTurn } from '../testing/play-turn.js';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker.js';

const WITHOUT_MEANING = { settings: { CLAUDE_MEM_EMBEDDER: 'none' } };

describe('the read API of the viewer', { timeout: 60_000 }, () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker(WITHOUT_MEANING);
    await playTurn(worker, 'one');
    const failure = {
      session_id: 'one',
      cwd: worker.home.project,
      tool_name: 'Bash',
      tool_use_id: 'toolu-failed',
      tool_input: { command: 'npm test' },
      error: 'exit code 1',
    };
    await worker.hook('PostToolUseFailure', failure);
    await worker.hook('PostToolUseFailure', failure);
    await worker.hook('PostToolUse', {
      ...failure,
      tool_use_id: 'toolu-later',
      tool_response: { stdout: '' },
    });
    await worker.hook('Stop', { session_id: 'one', cwd: worker.home.project });
    await worker.ask({
      method: 'POST',
      path: '/api/import',
      body: [
        {
          uid: 'u-1',
          project: '/repos/shop',
          session: 's-1',
          type: 'bugfix',
          title: 'Tokens were refreshed twice',
          concepts: ['gotcha'],
          files_modified: ['src/a.ts'],
          created_at: Date.now() - 1_000,
        },
      ],
    });
    await worker.drained();
  });
  afterAll(() => worker[Symbol.asyncDispose]());

  const get = async <Reply>(path: string): Promise<Reply> => {
    const { status, json, text } = await worker.ask({ path });
    expect(status, text).toBe(200);
    return json as Reply;
  };

  it('returns a feed of records of all kinds, with the project and host of each', async () => {
    const { items, nextCursor } = await get<FeedReply>('/api/feed');
    expect(nextCursor).toBeNull();
    const kinds = items.map(({ kind, project, host }) => `${kind} ${project} ${host}`);
    expect(new Set(kinds)).toEqual(
      new Set([
        'prompt demo claude-code',
        'observation demo claude-code',
        'summary demo claude-code',
        'observation shop import',
      ]),
    );
    const times = items.map(({ item }) => item.createdAtEpoch);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const oldest = await get<FeedReply>('/api/feed?order=oldest&limit=1');
    expect(oldest.items[0]?.item).toEqual(items.at(-1)?.item);
    const second = await get<FeedReply>(`/api/feed?order=oldest&limit=1&cursor=${oldest.nextCursor}`);
    expect(second.items[0]?.item).toEqual(items.at(-2)?.item);
  });

  it.each([
    ['host=import', ['shop']],
    ['host=import&host=', ['shop']],
    ['host=import&host=cursor', ['shop']],
    ['kind=observation&project=shop', ['shop']],
    ['concepts=gotcha', ['shop']],
    ['files=src/', ['shop']],
    ['host=cursor', []],
    ['project=nowhere', []],
  ])('filters by %s', async (query, projects) => {
    const { items } = await get<FeedReply>(`/api/feed?${query}`);
    expect(items.map(({ project }) => project)).toEqual(projects);
  });

  it.each([
    'feed?host=nobody',
    'feed?kind=picture',
    'feed?order=best',
    'feed?limit=201',
    'feed?cursor=5',
    'facets?dateFrom=soon',
    'projects/1?days=0',
    'projects/1?utcOffset=9000',
  ])('rejects %s', async (path) => {
    const { status, json } = await worker.ask({ path: `/api/${path}` });
    expect([status, (json as { error: { message: string } }).error.message]).toEqual([
      400,
      expect.any(String),
    ]);
  });

  it('returns the values by which the feed can be filtered', async () => {
    const facets = await get<Facets>('/api/facets?host=import');
    expect(facets).toMatchObject({
      total: 1,
      projects: [{ name: 'shop', count: 1 }],
      kinds: [{ value: 'observation', count: 1 }],
      types: [{ value: 'bugfix', count: 1 }],
      concepts: [{ value: 'gotcha', count: 1 }],
      files: [{ value: 'src/a.ts', count: 1, project: 'shop' }],
    });
    expect(facets.hosts.map(({ value }) => value).toSorted()).toEqual(['claude-code', 'import']);
  });

  it('returns a session with its tools, counts and costs, and lists it by project and host', async () => {
    const { items } = await get<{ items: SessionRow[] }>(
      '/api/sessions?project=demo&project=&host=claude-code',
    );
    expect(items).toMatchObject([{ contentSessionId: 'one', project: 'demo', prompts: 1, waiting: 0 }]);
    expect((await get<{ items: unknown[] }>('/api/sessions?host=cursor')).items).toEqual([]);
    expect((await get<{ items: unknown[] }>('/api/sessions?project=nowhere')).items).toEqual([]);
    const detail = await get<SessionDetail>(`/api/sessions/${items[0]?.id}/detail`);
    expect(detail).toMatchObject({
      session: { contentSessionId: 'one' },
      project: { key: worker.home.project, name: 'demo' },
      counts: { prompts: 1, observations: items[0]?.observations },
      toolUses: [
        { tool: 'Bash', count: 2, failed: 1 },
        { tool: 'Edit', count: 1, failed: 0 },
      ],
      queue: { pending: 0, processing: 0, parked: 0 },
    });
    expect(detail.usage.byProvider.reduce((sum, { calls }) => sum + calls, 0)).toBe(detail.usage.calls);
    const [imported] = (await get<{ items: SessionRow[] }>('/api/sessions?host=import')).items;
    expect(await get(`/api/sessions/${imported?.id}/detail`)).toMatchObject({ toolUses: null });
    expect((await worker.ask({ path: '/api/sessions/99/detail' })).status).toBe(404);
  });

  it('returns a project with its days, files, next steps and latest sessions', async () => {
    const { items } = await get<{ items: ProjectRow[] }>('/api/projects');
    const shop = items.find(({ name }) => name === 'shop');
    expect(shop).toMatchObject({ sessions: 1, observations: 1 });
    expect(shop?.activity).toHaveLength(30);
    expect(shop?.activity.reduce((sum, count) => sum + count, 0)).toBe(1);
    const detail = await get<ProjectDetail>(`/api/projects/${shop?.id}?days=7&utcOffset=60`);
    expect(detail).toMatchObject({
      project: { name: 'shop', observations: 1 },
      counts: { sessions: 1, observations: 1, prompts: 0, summaries: 0 },
      activity: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string, type: 'bugfix', count: 1 }],
      files: [{ path: 'src/a.ts', count: 1 }],
      nextSteps: [],
      pinned: [],
      sessions: [{ contentSessionId: 's-1' }],
    });
    expect(detail.project).not.toHaveProperty('sessions');
    expect((await worker.ask({ path: '/api/projects/99' })).status).toBe(404);
  });

  it('returns an observation with its project and host', async () => {
    const { items } = await get<FeedReply>('/api/feed?host=import');
    const detail = await get<ObservationDetail>(`/api/observations/${items[0]?.item.id}`);
    expect(detail).toMatchObject({ project: 'shop', host: 'import', supersedes: [] });
  });

  it('returns the words to highlight, the project and host of each hit, and the facets of a search', async () => {
    const reply = await get<SearchReply>('/api/search?query=token+refresh&facets=true');
    expect(reply.terms).toEqual(expect.arrayContaining(['tokens', 'refreshed']));
    expect(reply.items[0]).toMatchObject({ kind: 'observation', project: 'shop', host: 'import' });
    expect(reply.facets).toMatchObject({
      projects: [{ name: 'shop', count: 1 }],
      hosts: [{ value: 'import', count: 1 }],
      types: [{ value: 'bugfix', count: 1 }],
      files: [{ value: 'src/a.ts', count: 1, project: 'shop' }],
    });
    expect(await get<SearchReply>('/api/search?query=token')).not.toHaveProperty('facets');
    expect((await get<SearchReply>('/api/search?query=refresh+tok')).items).toHaveLength(1);
    const typed = await get<SearchReply>('/api/search?query=tok&prefix=true&kind=all&facets=1');
    expect([typed.items.length > 0, typed.terms]).toEqual([true, ['tokens']]);
  });

  it('returns the same pages for a search with and without facets', async () => {
    for (let n = 0; n < 30; n += 1)
      await worker.ask({ method: 'POST', path: '/api/memory', body: { text: `Paging needs a cursor ${n}` } });
    const ids = async (more: string) => {
      const found: number[] = [];
      for (let offset: string | null = '0'; offset !== null;) {
        const reply: SearchReply = await get(
          `/api/search?query=paging+cursor&limit=7&offset=${offset}${more}`,
        );
        found.push(...reply.items.map(({ item }) => item.id));
        offset = reply.nextCursor;
      }
      return found;
    };
    const plain = await ids('');
    expect(plain).toHaveLength(30);
    expect(await ids('&facets=true')).toEqual(plain);
  });
});

describe('a database with unreadable rows', { timeout: 60_000 }, () => {
  it('B172: omits the rows from every list, and logs their ids', async () => {
    await using worker = await startTestWorker(WITHOUT_MEANING);
    for (const text of ['plain', 'null', 'object', 'good'])
      await worker.ask({
        method: 'POST',
        path: '/api/memory',
        body: { title: `Row ${text}`, text, files: ['a.ts'], concepts: ['gotcha'] },
      });
    const bad: Record<string, string> = { plain: 'a.ts', null: 'null', object: '{}' };
    const ids = tamper(worker, bad);
    expect(ids).toHaveLength(3);
    const lists = [
      'feed',
      'feed?concepts=gotcha',
      'feed?files=a.ts',
      'observations',
      'search',
      'search?query=row',
    ];
    for (const list of lists) {
      const { status, json } = await worker.ask({ path: `/api/${list}` });
      const { items } = json as { items: { item?: { title: string }; title?: string }[] };
      expect([list, status, items.map((one) => one.title ?? one.item?.title)]).toEqual([
        list,
        200,
        ['Row good'],
      ]);
    }
    for (const path of [
      'facets',
      'projects',
      'projects/1',
      'sessions',
      'sessions/1/detail',
      'timeline?anchor=4',
      'export',
    ])
      expect([path, (await worker.ask({ path: `/api/${path}` })).status]).toEqual([path, 200]);
    const { text } = await worker.ask({ path: '/api/logs?level=warn' });
    for (const id of ids) expect(text).toContain(`observations #${id} cannot be read`);
  });
});

/** Changes rows in a way that the library does not allow. Returns the ids of the rows with the title. */
function tamper({ home }: TestWorker, files: Readonly<Record<string, string>>): number[] {
  const database = loadDriver().open(home.paths.database, { timeout: 5_000 });
  try {
    database.pragma('ignore_check_constraints = ON');
    const change = database
      .prepare('UPDATE observations SET files_modified = ? WHERE title = ? RETURNING id')
      .pluck();
    return Object.entries(files).flatMap(([name, value]) => change.all(value, `Row ${name}`) as number[]);
  } finally {
    database.close();
  }
}
