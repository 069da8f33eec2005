import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  peekDatabase,
  runHook,
  startWorker,
  waitUntilDrained,
  type TempHome,
  type WorkerProcess,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextFor, git, hookIn, list, playTurn } from './play-turn.js';

interface ProjectItem {
  id: number;
  key: string;
  name: string;
  observations: number;
}
interface ObservationItem {
  id: number;
  projectId: number;
  title: string | null;
  filesModified: readonly string[];
}

describe('project assignment', () => {
  let home: TempHome;
  let worker: WorkerProcess;
  beforeAll(async () => {
    home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    worker = await startWorker(home);
  });
  afterAll(async () => {
    await worker[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  const projects = () => list<ProjectItem>(home, '/api/projects');
  const projectOf = async (folder: string) => {
    const key = realpathSync(folder);
    const found = (await projects()).find((project) => project.key === key);
    expect(found, `a project with the key ${key}`).toBeDefined();
    return found as ProjectItem;
  };

  it('B089: a worktree reads the memories of the main checkout and adds to them', async () => {
    const main = path.join(home.home, 'code', 'shop');
    const worktree = path.join(home.home, 'code', 'wt-x');
    await git(home, main, 'init', '-q');
    await git(home, main, 'commit', '-q', '--allow-empty', '-m', 'first');
    await git(home, main, 'worktree', 'add', '-q', worktree);
    await playTurn(home, {
      cwd: main,
      file: 'src/basket.ts',
      message: 'Fixed the basket total in src/basket.ts.',
    });
    await waitUntilDrained(home);
    expect(await contextFor(home, worktree)).toContain('basket');
    await playTurn(home, {
      cwd: worktree,
      file: 'src/voucher.ts',
      message: 'Added vouchers in src/voucher.ts.',
    });
    await waitUntilDrained(home);
    expect(await contextFor(home, main)).toContain('voucher');
    const keys = (await projects()).map(({ key }) => key);
    expect(keys).toContain(realpathSync(main));
    expect(keys).not.toContain(realpathSync(worktree));
  });

  it('B090: subfolders of a repository belong to one project', async () => {
    const repository = path.join(home.home, 'code', 'mono');
    await git(home, repository, 'init', '-q');
    const before = (await projects()).length;
    for (const part of ['', 'packages/web', 'packages/api']) {
      await playTurn(home, { cwd: path.join(repository, part), file: `${part.slice(-3) || 'top'}.ts` });
    }
    await waitUntilDrained(home);
    expect((await projects()).length).toBe(before + 1);
    expect((await projectOf(repository)).observations).toBeGreaterThanOrEqual(3);
  });

  it('B091: two folders with the same name share no memories and have different project names', async () => {
    const [a, b] = ['a', 'b'].map((parent) => path.join(home.home, 'code', parent, 'api')) as [
      string,
      string,
    ];
    for (const folder of [a, b]) await git(home, folder, 'init', '-q');
    await playTurn(home, {
      cwd: a,
      file: 'src/alpaca.ts',
      message: 'Wrote the alpaca parser in src/alpaca.ts.',
    });
    await playTurn(home, {
      cwd: b,
      file: 'src/baboon.ts',
      message: 'Wrote the baboon parser in src/baboon.ts.',
    });
    await waitUntilDrained(home);
    expect(await contextFor(home, a)).toContain('alpaca');
    expect(await contextFor(home, a)).not.toContain('baboon');
    expect(await contextFor(home, b)).not.toContain('alpaca');
    expect((await projectOf(a)).name).not.toBe((await projectOf(b)).name);
  });

  it('B092: the home folder and the temp folder belong to the neutral project and receive no files', async () => {
    const temp = path.join(home.root, 'tmp');
    mkdirSync(temp);
    await using other = await createTempHome({ env: { TMPDIR: temp, CLAUDE_MEM_EMBEDDER: 'none' } });
    await using _worker = await startWorker(other);
    const before = readdirSync(other.home).toSorted();
    for (const cwd of [other.home, temp]) await playTurn(other, { cwd, file: 'notes.txt' });
    await waitUntilDrained(other);
    const kept = await list<ProjectItem>(other, '/api/projects');
    expect(kept.map(({ key }) => key)).toEqual(['neutral']);
    expect(readdirSync(other.home).filter((name) => name !== '.claude-mem')).toEqual(
      before.filter((name) => name !== '.claude-mem'),
    );
    expect(readdirSync(temp)).toEqual([]);
  });

  it('B093: a session gets its project from a later event when its first event has no folder', async () => {
    const folder = path.join(home.home, 'code', 'late');
    await git(home, folder, 'init', '-q');
    const payloads = claudePayloads({ cwd: folder });
    const nowhere = { env: { CLAUDE_PROJECT_DIR: '' } };
    await runHook(home, 'PostToolUse', payloads.toolUse({ more: { cwd: undefined } }), nowhere);
    await hookIn(home, folder)('UserPromptSubmit', payloads.prompt('Raise the limit'));
    await hookIn(home, folder)('PostToolUse', payloads.toolUse());
    await hookIn(home, folder)('Stop', payloads.stop('Raised the limit in both files.'));
    await waitUntilDrained(home);
    const project = await projectOf(folder);
    using peek = peekDatabase(home);
    const owners = peek.rows(
      `SELECT DISTINCT o.project_id AS projectId FROM observations o
       JOIN sdk_sessions s ON s.id = o.session_id WHERE s.content_session_id = ?`,
      payloads.sessionId,
    );
    expect(owners).toEqual([{ projectId: project.id }]);
  });

  it('B094: no memory moves to another project when the git remote has another name', async () => {
    const folder = path.join(home.home, 'code', 'foo');
    await git(home, folder, 'init', '-q');
    await git(home, folder, 'remote', 'add', 'origin', 'https://git.invalid/team/bar.git');
    await playTurn(home, {
      cwd: folder,
      file: 'src/parrot.ts',
      message: 'Wrote the parrot in src/parrot.ts.',
    });
    await waitUntilDrained(home);
    const { id, observations } = await projectOf(folder);
    for (let start = 0; start < 5; start += 1) await contextFor(home, folder);
    expect(await projectOf(folder)).toMatchObject({ id, observations, name: 'foo' });
    expect((await projects()).map(({ name }) => name)).not.toContain('bar');
  });

  it('B095: records belong to the project of their events when the work moves on before the reply', async () => {
    const [a, b] = ['first', 'second'].map((name) => path.join(home.home, 'code', name)) as [string, string];
    for (const folder of [a, b]) await git(home, folder, 'init', '-q');
    const inA = claudePayloads({ cwd: a });
    await hookIn(home, a)('UserPromptSubmit', inA.prompt('Write the camel'));
    await hookIn(home, a)('PostToolUse', inA.toolUse({ input: edit(`${a}/src/camel.ts`) }));
    await playTurn(home, { cwd: b, file: 'src/donkey.ts', message: 'Wrote the donkey in src/donkey.ts.' });
    await hookIn(home, a)('Stop', inA.stop('Wrote the camel in src/camel.ts.'));
    await waitUntilDrained(home);
    const observations = await list<ObservationItem>(home, '/api/observations?limit=500');
    const owner = (file: string) =>
      new Set(observations.filter((one) => one.filesModified.includes(file)).map((one) => one.projectId));
    expect(owner('src/camel.ts')).toEqual(new Set([(await projectOf(a)).id]));
    expect(owner('src/donkey.ts')).toEqual(new Set([(await projectOf(b)).id]));
  });

  it('B037: folder and file names in other scripts are the same in search as in the hook event', async () => {
    const folder = path.join(home.home, 'проект', 'アプリ');
    await git(home, folder, 'init', '-q');
    await playTurn(home, {
      cwd: folder,
      file: 'файл.ts',
      message: 'Исправил предел в файл.ts, тесты проходят.',
    });
    await waitUntilDrained(home);
    expect((await projectOf(folder)).name).toBe('アプリ');
    const hits = await list<{ item: ObservationItem }>(
      home,
      `/api/search?query=${encodeURIComponent('файл.ts')}`,
    );
    expect(hits.map(({ item }) => item.filesModified)).toContainEqual(['файл.ts']);
    expect(await contextFor(home, folder)).toContain('файл.ts');
  });
});

const edit = (file: string) => ({ file_path: file, old_string: 'a', new_string: 'b' });
