import { join } from 'node:path';
import { loadDriver } from '@claude-mem/storage/driver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeWorker, type FakeAnswer } from '../testing/fake-worker.js';
import { createTestHome, spend, type TestHome } from '../testing/run-inside.js';

let home: TestHome;
beforeEach(() => (home = createTestHome()));
afterEach(() => home[Symbol.dispose]());

const search = (...words: string[]) => home.run(['search', ...words]);
const socket = () => join(home.dataDir, 'worker.sock');
const HIT = {
  kind: 'observation',
  item: { id: 7, title: 'The webhook', type: 'bugfix', createdAtEpoch: 0 },
  project: 'shop',
  score: 1,
};
/** A fake worker with the version of the command line. It returns `reply` for every request except the health request. */
const workerOf =
  (version: string, status: number, reply: unknown): FakeAnswer =>
  ({ path }, response) => {
    const isHealth = path === '/health';
    response.writeHead(isHealth ? 200 : status, { 'content-type': 'application/json' });
    response.end(
      typeof reply === 'string' && !isHealth ? reply : JSON.stringify(isHealth ? { version } : reply),
    );
  };

describe('invalid search settings', () => {
  it.each([
    ['CLAUDE_MEM_EMBEDDER', 'nonsense'],
    ['CLAUDE_MEM_VECTOR_INDEX', 'faiss'],
  ])('are reported by search: %s', async (key, value) => {
    home.env[key] = value;
    await spend(home.dataDir, []);
    const { exit, stderr } = await search('webhook');
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringMatching(
        new RegExp(`^Note: ${key} in the environment is not one of .*; it is ignored`),
      ),
    });
  });

  it('are not reported when search does not use them', async () => {
    home.env['CLAUDE_MEM_WORKER_PORT'] = 'many';
    home.env['CLAUDE_MEM_EMBEDDER'] = 'none';
    await spend(home.dataDir, []);
    expect((await search('webhook')).stderr).toBe('');
  });
});

describe('results without a query word', () => {
  it.each([
    ['semantic', 'Note: no record contains these words. These results match only semantically.\n'],
    ['hybrid', ''],
  ])('are reported as semantic when no result is lexical: %s', async (strategy, text) => {
    const reply = { items: [HIT], strategy, degraded: [], hasMore: false };
    await using _ = await startFakeWorker(socket(), workerOf('0.1.0', 200, reply));
    const { stdout, stderr } = await search('flurbish');
    expect(stdout).toContain('The webhook');
    expect(stderr).toBe(text);
  });

  it('are reported with the selection when an option limits the search', async () => {
    const reply = { items: [HIT], strategy: 'semantic', degraded: [], hasMore: false };
    await using _ = await startFakeWorker(socket(), workerOf('0.1.0', 200, reply));
    for (const option of ['--project=shop', '--type=bugfix', '--from=2026-01-01'])
      expect((await search('flurbish', option)).stderr, option).toBe(
        'Note: no record of this selection contains these words. These results match only semantically.\n',
      );
  });
});

describe('result lines', () => {
  const shown = async (items: object[], ...options: string[]) => {
    const reply = { items, strategy: 'hybrid', degraded: [], hasMore: false };
    await using _ = await startFakeWorker(socket(), workerOf('0.1.0', 200, reply));
    return (await search('webhook', ...options)).stdout.trimEnd().split('\n');
  };

  it('contain the project when the results are from several projects', async () => {
    const other = { ...HIT, item: { ...HIT.item, id: 8 }, project: 'api' };
    const [first, second] = await shown([HIT, other]);
    expect([first, second]).toEqual([
      expect.stringMatching(/^#7 .* bugfix {4}shop {2}The webhook$/),
      expect.stringMatching(/^#8 .* bugfix {4}api {3}The webhook$/),
    ]);
    expect((await shown([HIT], '--project', 'shop'))[0]).toMatch(/ bugfix {4}The webhook$/);
  });

  it('contain the project when it is not the project of the current folder', async () => {
    expect((await shown([HIT]))[0]).toMatch(/ bugfix {4}shop {2}The webhook$/);
    const here = { ...HIT, project: 'work' };
    expect((await shown([here]))[0]).toMatch(/ bugfix {4}The webhook$/);
  });

  it('exclude negligible score parts with --explain', async () => {
    const parts = [
      { name: 'lexical', value: 0.9 },
      { name: 'supersession', value: -0 },
      { name: 'neighbours', value: -0.0004 },
    ];
    expect((await shown([{ ...HIT, parts }], '--explain'))[1]).toBe('      1.000 = lexical 0.900');
  });

  it('contain the project and mark the anchor in a timeline', async () => {
    const prompt = { id: 2, createdAtEpoch: 0, promptText: 'Why?' };
    const items = [{ kind: 'prompt', item: prompt, project: 'api' }, HIT];
    await using _ = await startFakeWorker(
      socket(),
      workerOf('0.1.0', 200, { items, anchorIndex: 1, degraded: [], nextCursor: null }),
    );
    expect((await home.run(['timeline', '7'])).stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^ {2}P2 .* prompt {4}api {3}Why\?$/),
      expect.stringMatching(/^> #7 .* bugfix {4}shop {2}The webhook$/),
    ]);
  });

  it('contain the ids of a session when its request is long', async () => {
    const item = { id: 3, createdAtEpoch: 0, title: 'long '.repeat(60), summary: null, hits: [HIT.item] };
    const [line] = await shown([{ ...HIT, kind: 'session', item }], '--sessions');
    expect(line).toMatch(/[^…]… #7$/);
  });
});

describe('--host', () => {
  it('sends every host to the worker when hosts are separated by commas or repeated', async () => {
    const reply = { items: [HIT], strategy: 'hybrid', degraded: [], hasMore: false };
    await using worker = await startFakeWorker(socket(), workerOf('0.1.0', 200, reply));
    await search('webhook', '--host', 'cursor,codex');
    await search('--host', 'cursor', '--host', 'codex');
    const asked = worker.received.flatMap(({ path }) =>
      path.startsWith('/api/search?') ? [new URL(path, 'http://worker').searchParams.getAll('host')] : [],
    );
    expect(asked).toEqual([
      ['cursor', 'codex'],
      ['cursor', 'codex'],
    ]);
  });

  it.each(['search', 'forget'])('reports an unknown host and lists the known hosts: %s', async (command) => {
    expect(await home.run([command, '--host', 'codex,vim'])).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'Unknown host "vim". Known: claude-code, cursor, codex, gemini-cli, opencode, import, manual\n',
    });
  });
});

describe('a worker of another version', () => {
  beforeEach(() => {
    home.env['CLAUDE_MEM_EMBEDDER'] = 'none';
    return spend(home.dataDir, []);
  });
  const NOTE =
    /^Note: read without the worker: the worker is version 0\.0\.1, this command .*claude-mem restart\n(Not found: 1\.\n)?$/;

  it.each([
    [
      'does not have the route',
      404,
      { error: { code: 'worker/not-found', message: 'There is nothing here.' } },
    ],
    [
      'does not know a parameter',
      400,
      { error: { code: 'worker/bad-request', message: 'explain is unknown' } },
    ],
    ['returns fewer fields', 200, { items: [], nextCursor: null }],
    ['does not return JSON', 200, '<html>'],
  ])('is bypassed when it %s', async (_, status, reply) => {
    await using _worker = await startFakeWorker(socket(), workerOf('0.0.1', status, reply));
    expect(await search('webhook')).toEqual({
      exit: 0,
      stdout: 'Nothing found.\n',
      stderr: expect.stringMatching(NOTE),
    });
    expect((await home.run(['timeline', '1'])).stderr).toMatch(NOTE);
  });

  it('is not bypassed when its version is the same and it returns an error', async () => {
    const reply = { error: { code: 'worker/bad-request', message: 'limit is too large' } };
    const { stdout: version } = await home.run(['--version']);
    await using _ = await startFakeWorker(socket(), workerOf(version.trim(), 400, reply));
    expect(await search('webhook')).toEqual({ exit: 1, stdout: '', stderr: 'limit is too large\n' });
  });

  it('is reported as a possible reason when only the worker can run the command', async () => {
    const reply = { error: { code: 'worker/not-found', message: 'There is nothing here.' } };
    await using _ = await startFakeWorker(socket(), workerOf('0.0.1', 404, reply));
    const { exit, stderr } = await home.run(['queue', 'retry', '--parked']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^There is nothing here\.\nPossible reason: the worker is version 0\.0\.1/);
  });
});

it('reports a database of a newer version and suggests a fix', async () => {
  await spend(home.dataDir, []);
  const database = loadDriver().open(join(home.dataDir, 'claude-mem.db'), {});
  database.exec(`INSERT INTO migrations VALUES ('9999-future', 1); PRAGMA user_version = 9999`);
  database.close();
  const searched = await search('webhook');
  expect(searched).toMatchObject({
    exit: 1,
    stdout: '',
    stderr: expect.stringContaining('newer claude-mem'),
  });
  const status = await home.run(['status']);
  expect(status.stdout).toContain('memory    cannot be read');
  expect((await home.run(['doctor'])).stdout).toContain('→ Install the newer claude-mem');
});
