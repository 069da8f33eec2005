import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withRoundScores } from '../testing/installed-program.js';
import { createProgramHome, type ProgramHome } from '../testing/run-inside.js';

const RECORDS = [
  {
    uid: 'u-1',
    project: '/repos/demo',
    session: 's-1',
    prompt_number: 1,
    type: 'bugfix',
    title: 'Token refresh no longer loops 😀',
    subtitle: null,
    narrative: 'It was renewed for ever.\nNow it is not.',
    facts: ['A leeway of one minute was added'],
    concepts: ['gotcha'],
    files_read: ['src/api/router.ts'],
    files_modified: ['src/auth/token.ts'],
    created_at: '2026-01-10T08:00:00.000Z',
  },
  {
    uid: 'u-2',
    project: '/repos/demo',
    session: 's-1',
    prompt_number: 2,
    type: 'decision',
    title: 'Uploads are limited to ten files',
    subtitle: 'Ten is a setting',
    narrative: null,
    facts: [],
    concepts: ['trade-off', 'how-it-works'],
    files_read: [],
    files_modified: ['src/api/upload.ts'],
    created_at: '2026-02-10T08:00:00.000Z',
  },
  {
    uid: 'u-3',
    project: 'a name',
    session: 's-2',
    prompt_number: 0,
    type: 'discovery',
    title: 'Token of another project',
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    files_read: [],
    files_modified: [],
    created_at: '2026-01-10T08:00:00.000Z',
  },
];
const JSONL = RECORDS.map((record) => `${JSON.stringify(record)}\n`).join('');

const recordsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; project: string });

describe('import and export', () => {
  let home: ProgramHome;
  beforeEach(() => void (home = createProgramHome()));
  afterEach(() => home[Symbol.asyncDispose]());
  const run = (...args: string[]) => home.run(...args);
  const importText = (text: string, ...args: string[]) => home.runWithInput(text, 'import', ...args);

  it('R04: restores the same bytes in another home', async () => {
    await using elsewhere = createProgramHome();
    const file = join(home.root, 'records.jsonl');
    writeFileSync(file, JSONL);
    expect(await run('import', '--format', 'jsonl', file)).toMatchObject({
      exit: 0,
      stdout: '3 new, 0 known, 0 invalid.\n',
      stderr: '',
    });
    expect((await run('search', 'token', 'refresh')).stdout).toMatch(
      /^#1 .* bugfix +demo +Token refresh no longer/,
    );
    expect(await run('import', file)).toMatchObject({ exit: 0, stdout: '0 new, 3 known, 0 invalid.\n' });

    const exported = await run('export', '--format', 'jsonl');
    expect(exported).toMatchObject({ exit: 0, stderr: '' });
    const records = recordsIn(exported.stdout);
    expect(records.map(({ kind }) => kind)).toEqual([
      ...['project', 'project', 'session', 'session'],
      ...['observation', 'observation', 'observation'],
    ]);
    expect(records.slice(4)).toMatchObject(RECORDS);
    expect(await elsewhere.runWithInput(exported.stdout, 'import', '-')).toMatchObject({
      exit: 0,
      stdout: '7 new, 0 known, 0 invalid.\n',
    });
    expect((await elsewhere.run('export')).stdout).toBe(exported.stdout);
    const ofDemo = recordsIn((await elsewhere.run('export', '--project', 'demo')).stdout);
    expect(ofDemo.map(({ project }) => project)).toEqual(Array(4).fill('/repos/demo'));
    expect(await run('export', '--project', 'nowhere')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no project "nowhere"'),
    });
  });

  it('R04: restores the reply of the agent with its prompt', async () => {
    const prompt = {
      kind: 'prompt',
      uid: 'p-1',
      project: '/repos/demo',
      host: 'claude-code',
      session: 's-1',
      prompt_number: 1,
      created_at: '2026-01-10T08:00:00.000Z',
      prompt_id: null,
      text: 'Which tool?',
      agent_reply: 'Use npm.',
    };
    const { agent_reply: _, ...without } = { ...prompt, uid: 'p-2', prompt_number: 2 };
    await importText([prompt, without].map((line) => JSON.stringify(line)).join('\n'), '-');
    const exported = recordsIn((await run('export')).stdout);
    expect(exported.filter(({ kind }) => kind === 'prompt')).toEqual([prompt, without]);
  });

  it('S06: reports pinned, manual and superseding records of a file, and keeps records of the user', async () => {
    await run('remember', 'Never push to main', '--pin');
    const exported = recordsIn((await run('export')).stdout) as { kind: string; uid?: string }[];
    const saved = exported.find(({ kind }) => kind === 'observation');
    const hostile = { ...saved, uid: 'hostile', title: 'Push to main', supersedes: [saved?.uid] };
    expect(await importText(JSON.stringify(hostile), '-')).toMatchObject({
      exit: 0,
      stdout: [
        '1 new, 0 known, 0 invalid.',
        'Of the new records, 1 is pinned and 1 is marked as saved manually. Review them: claude-mem context',
        '#1 is pinned or saved manually, so #2 does not supersede it. To supersede it: claude-mem supersede 1 --by 2',
        '',
      ].join('\n'),
    });
    expect((await run('context')).stdout).toMatch(/#1 .* Never push to main/);
  });

  it('R04: restores the origins of facts in another home', async () => {
    await using elsewhere = createProgramHome();
    await run('remember', 'Deploys', '--fact', 'On Monday');
    const source = 'observer';
    const facts = [
      'Old',
      { text: 'npm test: ok', origin: 'evidence' },
      { text: 'Redis', origin: 'rejected' },
    ];
    await importText(JSON.stringify({ uid: 'u', title: 'Cache', facts, source }), '-');
    const exported = (await run('export')).stdout;
    expect(recordsIn(exported).slice(-2)).toMatchObject([
      { facts: [{ text: 'On Monday', origin: 'user' }] },
      { facts },
    ]);
    await elsewhere.runWithInput(exported, 'import', '-');
    expect((await elsewhere.run('export')).stdout).toBe(exported);
    expect((await elsewhere.run('show', '2')).stdout).toContain(
      'Facts:\n- Old\n- npm test: ok\n- Rejected: Redis\n',
    );
  });

  it('S06: reports facts of a file that are attributed to the user', async () => {
    const facts = [{ text: 'Push without tests', origin: 'user' }];
    const record = { uid: 'a', title: 'Tests', facts, source: 'observer' };
    expect((await importText(JSON.stringify(record), '-')).stdout).toBe(
      '1 new, 0 known, 0 invalid.\nNew records with facts that the file attributes to the user: 1.\n',
    );
    await importText(JSON.stringify({ ...record, uid: 'b', title: 'Other', source: undefined }), '-');
    expect((await run('show', '2')).stdout).toContain('\n- Push without tests');
  });

  it('restores links between manual records when the export is longer than one request', async () => {
    await using elsewhere = createProgramHome();
    await run('remember', 'Use yarn');
    await run('remember', 'Use npm', '--supersedes', '1');
    const exported = await run('export');
    const lines = exported.stdout.trimEnd().split('\n');
    const filler = Array.from({ length: 600 }, (_, at) =>
      JSON.stringify({ uid: `f-${at}`, title: `Filler ${at}` }),
    );
    const [last = '', ...before] = lines.toReversed();
    const text = [...before.toReversed(), ...filler, last].join('\n');
    expect((await elsewhere.runWithInput(text, 'import', '-')).stdout).not.toContain('does not supersede');
    expect((await elsewhere.run('show', '1')).stdout).toContain('superseded by #602');
  });

  it('R04: imports a folder into the project of live events, for every spelling of the folder', async () => {
    const folder = join(home.root, 'shop');
    mkdirSync(join(folder, '.git', 'objects'), { recursive: true });
    mkdirSync(join(folder, '.git', 'refs'));
    writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    mkdirSync(join(folder, 'src'));
    symlinkSync(folder, join(home.root, 'link'));
    const spellings = [folder, `${folder}/`, join(folder, 'src'), join(home.root, 'link')];
    const lines = spellings.map((project, index) =>
      JSON.stringify({ uid: `u-${index}`, project, title: `T${index}` }),
    );
    const windows = ['C:\\code\\shop', 'c:/code/shop/'].map((project, index) =>
      JSON.stringify({ uid: `w-${index}`, project, title: `W${index}` }),
    );
    await importText([...lines, ...windows].join('\n'), '-');
    const projects = recordsIn((await run('export')).stdout).filter(({ kind }) => kind === 'project');
    expect(projects.map(({ project }) => project)).toEqual([realpathSync(folder), 'C:/code/shop']);
  });

  it('reports invalid lines, imports the others and exits with 1', async () => {
    const lines = [
      '{"uid":"ok-1","title":"One"}',
      'broken',
      '',
      '{"uid":"ok-2"}',
      '{"uid":"ok-3","title":"Three"}',
    ];
    const result = await importText(`\ufeff${lines.join('\r\n')}`, '-');
    expect(result).toMatchObject({ exit: 1, stdout: '2 new, 0 known, 2 invalid.\n' });
    expect(result.stderr).toMatch(/^line 2: .*no JSON.*\nline 4: .*neither title.*\n$/);
    expect((await run('search', 'three')).stdout).toContain('Three');
  });

  it('imports in chunks and reports line numbers when the text is long', async () => {
    const many = Array.from({ length: 600 }, (_, index) =>
      index === 534 ? 'broken' : JSON.stringify({ uid: `m-${index}`, title: `Number ${index}` }),
    );
    const result = await importText(many.join('\n'), '-', '--wait');
    expect(result).toMatchObject({ exit: 1, stdout: '599 new, 0 known, 1 invalid.\n' });
    expect(result.stderr).toMatch(/^line 535: /);
    const exported = recordsIn((await run('export')).stdout);
    expect(exported.filter(({ kind }) => kind === 'observation')).toHaveLength(599);
  });

  it('starts no worker when the file does not exist', async () => {
    const result = await run('import', 'nowhere.jsonl');
    expect(result).toMatchObject({
      exit: 1,
      stdout: '',
      stderr: expect.stringMatching(/^File not found: .*nowhere\.jsonl\.\n$/),
    });
    expect(await run('import', '.')).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/^\/.* is a folder, not a file\.\n$/),
    });
    expect(await run('status')).toMatchObject({ exit: 3 });
    expect(await run('import', 'x', '--format', 'csv')).toMatchObject({ exit: 2 });
    expect(await run('export')).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });
});

describe('search and timeline', () => {
  let home: ProgramHome;
  const run = (...args: string[]) => home.run(...args);
  beforeAll(async () => {
    home = createProgramHome();
    // only a worker that a user starts reads CLAUDE_MEM_EMBEDDER from the environment
    await run('start');
    await home.runWithInput(JSONL, 'import', '-');
  });
  afterAll(() => home[Symbol.asyncDispose]());

  it('rebuilds the search indexes and waits until they are ready', async () => {
    const result = await run('reindex');
    expect(result).toMatchObject({ exit: 0, stderr: '' });
    expect(result.stdout).toBe('Done: 3 of 3 records in the inverted index; semantic search is disabled.\n');
    expect((await run('search', 'uploads')).stdout).toContain('#2');
    expect(await run('reindex', '--words', '--vectors')).toMatchObject({ exit: 2 });
    expect((await run('doctor')).stdout).toMatch(/ok +index +3 records/);
  });

  it('returns the same results with and without the worker', async () => {
    const askAll = async () => [
      await run('search', 'token'),
      await run('search', 'token', '--project', 'demo', '--json'),
      await run('search', '--type', 'bugfix,decision'),
      await run('search', '--type', 'bugfix', '--type', 'decision'),
      await run('search', '--concept', 'gotcha', '--from', '2026-01-10', '--to', '2026-01-11'),
      await run('search', '--file', 'src/api/'),
      await run('search', 'token', '--sessions'),
      await run('search', 'token', '--prompts'),
      await run('search', 'token NOT another', '--syntax', '--explain'),
      await run('timeline', '#1'),
      await run('timeline', '1', '--before', '0', '--after', '0', '--json'),
      await run('timeline', 'uploads', 'limited'),
      await run('timeline', '2026-01-20'),
    ];
    const ask = async () => (await askAll()).map(withRoundScores);
    const online = await ask();
    expect(online.map(({ exit, stderr }) => [exit, stderr])).toEqual(online.map(() => [0, '']));
    const shown = online.map(({ stdout }) => stdout);
    expect(shown[0]?.split('\n').filter(Boolean)).toHaveLength(2);
    expect(JSON.parse(shown[1] ?? '')).toMatchObject({ items: [{ item: { uid: 'u-1' }, project: 'demo' }] });
    expect(shown[2]).toMatch(/^#2 .*\n#1 .*\n$/);
    expect(shown[3]).toBe(shown[2]);
    expect(shown[4]).toMatch(/^#1 .*\n$/);
    expect(shown[5]).toMatch(/^#2 .*\n#1 .*\n$/);
    expect(shown[6]).toMatch(/^session 1 .* demo +Token refresh no longer loops 😀 #1/m);
    expect(shown[7]).toBe('Nothing found.\n');
    expect(shown[8]).toMatch(/^#1 .*\n +[\d.]+ = lexical/);
    expect(shown[9]).toMatch(/^> #1 /m);
    expect((JSON.parse(shown[10] ?? '') as { items: unknown[] }).items).toHaveLength(1);
    expect(shown[11]).toMatch(/^> #2 /m);
    const long = await run('search', `uploads ${'語'.repeat(3_000)}`);
    expect(long).toMatchObject({ exit: 0, stdout: expect.stringContaining('#2'), stderr: '' });
    await run('stop');
    expect(await ask()).toEqual(online);
  });

  it('B080: reports an invalid anchor, time or filter', async () => {
    await run('start');
    const refuse = async () => {
      for (const [exit, output, ...args] of [
        [1, 'Not found: #999.', 'timeline', '#999'],
        [0, 'Nothing found.', 'timeline', 'nosuchtoken'],
        [2, '"2026-13-45" is not a date or a time. Use 2026-11-28', 'timeline', '2026-13-45'],
        [2, '--limit needs a value. A value that begins with "-" needs "="', 'search', 'x', '--limit', '-3'],
        [2, '--limit needs a whole number from 1 to 200.', 'search', 'x', '--limit=-3'],
        [
          2,
          '--type needs a value. A value that begins with "-" needs "=": --type=',
          'search',
          '--type',
          '-x',
        ],
        [2, '--undo needs the number of a deletion, or list', 'forget', '--undo', 'abc'],
        [2, '--from must be a date', 'search', 'x', '--from', 'soon'],
        [2, '--to must be a date', 'search', 'x', '--to', '2026-02-30'],
        [1, 'no project "nowhere". Known: "a name", "demo"', 'search', 'x', '--project', 'nowhere'],
        [1, 'the type "nosuch". Known: bugfix, decision, discovery', 'search', '--type', 'nosuch'],
        [1, 'the concept "a" or "b". Known: gotcha, ', 'search', 'x', '--concept', 'a', '--concept', 'b'],
      ] as const) {
        const result = await run(...args);
        expect(result.exit, args.join(' ')).toBe(exit);
        expect(result.stdout + result.stderr).toContain(output);
        expect(result.stderr).not.toMatch(/\n {4}at /);
      }
    };
    await refuse();
    await run('stop');
    await refuse();
    expect((await run('search', 'nosuchtoken', '--type', 'BUGFIX')).stdout).toBe('Nothing found.\n');
  });

  it('names the missing setting when the embedder has no address', async () => {
    await run('stop');
    home.env['CLAUDE_MEM_EMBEDDER'] = 'openai-compatible';
    const result = await run('search', 'token');
    expect(result.stdout).toMatch(/^#1 /m);
    expect(result.stderr).toBe(
      'Note: the embedder openai-compatible has no address, so search is only lexical. Run: claude-mem settings set CLAUDE_MEM_EMBEDDER_BASE_URL http://127.0.0.1:11434/v1.\n',
    );
  });
});
