import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileRole, Freshness } from '@claude-mem/core';
import { openStorage, type Storage } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit, type RunGit } from '../git/create-git.js';
import { readHead } from '../git/read-head.js';
import { createTestHome, type TestHome } from '../testing/start-test-worker.js';
import { createRecordCheck, type RecordCheck } from './create-record-check.js';
import { readFileContent } from './read-file-content.js';

let home: TestHome;
let storage: Storage;
let root: string;
let count: number;
beforeEach(async () => {
  home = createTestHome();
  root = home.project;
  count = 0;
  const { database: file, backupsDir } = home.paths;
  storage = await openStorage({ file, backupsDir });
});
afterEach(async () => {
  await storage.close();
  home[Symbol.dispose]();
});

const PERSON = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgSign=false'];
const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync('git', [...PERSON, '-c', 'protocol.file.allow=always', ...args], { cwd, stdio: 'pipe' });
const git = (...args: string[]) => gitIn(root, ...args);

const textOf = (name: string, lines = 20) =>
  Array.from({ length: lines }, (_, line) => `${name} line ${line}\n`).join('');

function write(path: string, text = textOf(path)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function commit(message = 'Change') {
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

/** A repository with one commit of these files. */
function begin(...paths: string[]) {
  git('init', '-q', '-b', 'main');
  for (const path of paths) write(path);
  commit('Begin');
}

/** Stores a record of a turn that begins now. `work` is what the turn does. */
async function record(
  files: Readonly<Record<string, FileRole>>,
  work: () => void = () => {},
): Promise<number> {
  count += 1;
  const now = Date.UTC(2026, 0, 1) + count * 1_000;
  const [captured] = await storage.store.capture([
    {
      kind: 'prompt',
      host: 'claude-code',
      contentSessionId: `session-${count}`,
      cwd: root,
      projectDir: root,
      promptId: null,
      agentId: null,
      agentType: null,
      text: `Prompt ${count}`,
      project: { key: home.project, name: 'demo' },
      filterReason: null,
      dedupeKey: `prompt-${count}`,
      occurredAtEpoch: now,
      head: readHead(root),
    },
  ]);
  work();
  const fileStates = [];
  for (const [path, role] of Object.entries(files)) {
    const content = await readFileContent(root, path);
    fileStates.push({ path, role, blob: content.kind === 'blob' ? content.ids[0] : null });
  }
  const texts = { subtitle: null, narrative: null, facts: [], concepts: [] };
  const { observations } = await storage.store.commitReply({
    sessionId: captured!.sessionId,
    promptNumber: captured!.promptNumber,
    observations: [
      { type: 'change', title: `Record ${count}`, ...texts, filesRead: [], filesModified: [], fileStates },
    ],
    summary: null,
    confirm: [],
    provider: 'local',
    model: null,
    now,
  });
  return observations[0]!.id;
}

const runGit: RunGit = (...args) =>
  createGit({ searchPath: process.env['PATH'] ?? '', home: home.home })(...args);

async function openCheck(checkout = root, run = runGit) {
  const { store } = storage;
  const projectId = (await store.findProject(home.project))!.id;
  const signal = AbortSignal.timeout(60_000);
  return createRecordCheck({ store, git: run, projectId, root: checkout, signal });
}

/** The verdict of a record for what is checked out now. */
async function check(
  id: number,
  checkout = root,
  opened: RecordCheck | Promise<RecordCheck> = openCheck(checkout),
): Promise<Freshness> {
  const recordCheck = await opened;
  while (await recordCheck.step());
  const [row] = await storage.store.freshnessOf([id]);
  expect(row).toMatchObject({ checkout, headCommit: readHead(checkout)?.commit ?? null });
  return row!.freshness;
}

const one = (verdict: 'changed' | 'moved' | 'gone', path: string, more: object = {}) => ({
  verdict,
  fileCount: 1,
  staleCount: 1,
  files: [{ path, verdict, commits: null, movedTo: null, ...more }],
  branch: null,
});
const nothing = (verdict: 'fresh' | 'unknown') => ({
  ...{ verdict, fileCount: 1, staleCount: 0, files: [], branch: null },
});

describe('a file of a repository', () => {
  beforeEach(() => begin('src/cart.ts', 'src/other.ts'));

  it('is fresh when its content is the same', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'new\n'));
    expect(await check(id)).toEqual(nothing('fresh'));
    commit();
    write('src/other.ts', 'other\n');
    commit();
    expect(await check(id)).toEqual(nothing('fresh'));
  });

  it('is changed, with the number of commits, when later commits changed it', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    for (const text of ['one\n', 'two\n', 'three\n']) {
      write('src/cart.ts', text);
      commit();
    }
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts', { commits: 3 }));
  });

  it('does not count the commit of the turn itself', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => {
      write('src/cart.ts', 'by the turn\n');
      commit();
    });
    write('src/cart.ts', 'later\n');
    commit();
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts', { commits: 1 }));
  });

  it('is changed, without a number, when the change is not committed', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    write('src/cart.ts', 'not committed\n');
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts'));
  });

  it('is changed when the recorded content was never committed', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    write('src/cart.ts', 'the final text\n');
    commit();
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts'));
  });

  it('is unknown when the change of the record was taken back', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    git('checkout', '-q', '--', '.');
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it('is moved when a commit moved it', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    mkdirSync(join(root, 'lib'));
    git('mv', 'src/cart.ts', 'lib/basket.ts');
    commit();
    expect(await check(id)).toEqual(one('moved', 'src/cart.ts', { movedTo: 'lib/basket.ts' }));
  });

  it('is moved when one commit moved and edited it', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('mv', 'src/cart.ts', 'src/basket.ts');
    write('src/basket.ts', `${textOf('src/cart.ts')}and one line more\n`);
    commit();
    expect(await check(id)).toEqual(one('moved', 'src/cart.ts', { movedTo: 'src/basket.ts' }));
  });

  it('is followed to its last path when it was moved twice', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('mv', 'src/cart.ts', 'src/basket.ts');
    commit();
    git('mv', 'src/basket.ts', 'src/order.ts');
    commit();
    expect(await check(id)).toEqual(one('moved', 'src/cart.ts', { movedTo: 'src/order.ts' }));
    git('rm', '-q', 'src/order.ts');
    commit();
    expect(await check(id)).toEqual(one('gone', 'src/cart.ts'));
  });

  it('is unknown when it was deleted in a commit in which git does not search for edited moves', async () => {
    const paths = Array.from({ length: 401 }, (_, index) => `src/m${index}/index.js`);
    for (const path of paths) write(path);
    commit();
    const id = await record({ 'src/m3/index.js': 'read' });
    for (const path of paths) {
      rmSync(join(root, path));
      write(path.replace('.js', '.ts'), `${textOf(path)}one line more\n`);
    }
    commit();
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it.each<[string, () => void]>([
    ['an attribute', () => write('.gitattributes', '*.ts text eol=crlf\n')],
    [
      'the configuration',
      () => {
        git('config', 'core.autocrlf', 'true');
        write('src/other.ts', 'other\n');
      },
    ],
  ])('is fresh when git checks it out with other line endings because of %s', async (_, convert) => {
    convert();
    commit();
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'new\n'));
    commit();
    git('checkout', '-q', 'HEAD~1');
    git('checkout', '-q', 'main');
    expect(readFileSync(join(root, 'src/cart.ts'), 'utf8')).toBe('new\r\n');
    expect(await check(id)).toEqual(nothing('fresh'));
    const draft = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    git('checkout', '-q', '--', 'src/cart.ts');
    expect(await check(draft)).toEqual(nothing('unknown'));
  });

  it('is unknown when it belongs to a submodule or is a link', async () => {
    const lib = join(home.root, 'lib');
    mkdirSync(lib);
    gitIn(lib, 'init', '-q', '-b', 'main');
    writeFileSync(join(lib, 'a.ts'), 'one\n');
    gitIn(lib, 'add', '-A');
    gitIn(lib, 'commit', '-q', '-m', 'Begin');
    git('submodule', 'add', '-q', lib, 'sub');
    symlinkSync('cart.ts', join(root, 'src/link.ts'));
    symlinkSync('src', join(root, 'folder'));
    commit();
    for (const path of ['sub/a.ts', 'src/link.ts', 'folder/cart.ts']) {
      const before = readFileSync(join(root, path));
      const id = await record({ [path]: 'modified' }, () => write(path, 'a draft\n'));
      writeFileSync(join(root, path), before);
      expect(await check(id)).toEqual(nothing('unknown'));
    }
  });

  it('is gone when a commit deleted it', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'new\n'));
    commit();
    git('rm', '-q', 'src/cart.ts');
    commit();
    expect(await check(id)).toEqual(one('gone', 'src/cart.ts'));
  });

  it('is unknown when it was deleted without a commit', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    rmSync(join(root, 'src/cart.ts'));
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it('is unknown when it was restored in a commit and deleted again without a commit', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('rm', '-q', 'src/cart.ts');
    commit();
    write('src/cart.ts', 'restored\n');
    commit();
    rmSync(join(root, 'src/cart.ts'));
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it('is unknown when a sparse checkout leaves it out', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('sparse-checkout', 'set', '--no-cone', '/*', '!/src/cart.ts');
    expect(existsSync(join(root, 'src/cart.ts'))).toBe(false);
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it('is fresh when it was deleted and restored with the same content', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('rm', '-q', 'src/cart.ts');
    commit();
    git('revert', '--no-edit', 'HEAD');
    expect(await check(id)).toEqual(nothing('fresh'));
  });

  it('is changed when it was deleted and created again with another content', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('rm', '-q', 'src/cart.ts');
    commit();
    write('src/cart.ts', 'another file\n');
    commit();
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts', { commits: 2 }));
  });

  it('that a record deleted is fresh while it is missing, and changed when it is committed again', async () => {
    const id = await record({ 'src/cart.ts': 'deleted' }, () => {
      git('rm', '-q', 'src/cart.ts');
      commit();
    });
    expect(await check(id)).toEqual(nothing('fresh'));
    write('src/cart.ts');
    commit();
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts'));
  });

  it('is judged only by a record that did not change other files', async () => {
    const id = await record({ 'src/other.ts': 'modified', 'src/cart.ts': 'read' });
    write('src/cart.ts', 'new\n');
    commit();
    expect(await check(id)).toEqual(nothing('fresh'));
  });
});

describe('a record of several files', () => {
  beforeEach(() => begin('a.ts', 'b.ts', 'c.ts'));
  const read = () => record({ 'a.ts': 'read', 'b.ts': 'read', 'c.ts': 'read' });

  it('is changed when one of them was deleted', async () => {
    const id = await read();
    git('rm', '-q', 'b.ts');
    commit();
    expect(await check(id)).toMatchObject({ verdict: 'changed', fileCount: 3, staleCount: 1 });
  });

  it('is gone when all of them were deleted', async () => {
    const id = await read();
    git('rm', '-q', 'a.ts', 'b.ts', 'c.ts');
    commit();
    expect(await check(id)).toMatchObject({ verdict: 'gone', fileCount: 3, staleCount: 3 });
  });
});

describe('another branch', () => {
  beforeEach(() => begin('src/cart.ts'));

  /** A record of a commit on a new branch, with the main branch checked out afterwards. */
  async function recordOnBranch() {
    const id = await record({ 'src/cart.ts': 'modified', 'src/new.ts': 'created' }, () => {
      git('checkout', '-q', '-b', 'voucher');
      write('src/cart.ts', textOf('voucher'));
      write('src/new.ts');
      commit('Voucher');
    });
    git('checkout', '-q', 'main');
    return id;
  }
  const both = (verdict: 'fresh' | 'unknown') =>
    expect.objectContaining({ verdict, fileCount: 2, staleCount: 0 });

  it('proves nothing about the files of a record', async () => {
    const id = await recordOnBranch();
    expect(await check(id)).toEqual(both('unknown'));
    git('checkout', '-q', 'voucher');
    expect(await check(id)).toEqual(both('fresh'));
  });

  it('counts when it was merged, also as one new commit', async () => {
    const id = await recordOnBranch();
    git('merge', '-q', '--squash', 'voucher');
    commit('Voucher in one commit');
    git('branch', '-q', '-D', 'voucher');
    expect(await check(id)).toEqual(both('fresh'));
    git('rm', '-q', 'src/new.ts');
    write('src/cart.ts', 'later\n');
    commit();
    expect(await check(id)).toMatchObject({
      verdict: 'changed',
      files: [
        { path: 'src/cart.ts', verdict: 'changed', commits: 1 },
        { path: 'src/new.ts', verdict: 'gone' },
      ],
    });
  });

  it('proves nothing when an earlier commit is checked out', async () => {
    write('src/cart.ts', 'second\n');
    commit();
    const id = await record({ 'src/cart.ts': 'read' });
    git('checkout', '-q', 'HEAD~1');
    expect(await check(id)).toEqual(nothing('unknown'));
  });
});

describe('the branch of a record', () => {
  beforeEach(() => begin('src/cart.ts'));

  /** A record of a commit on the branch `voucher`, with the main branch checked out afterwards. */
  async function recordOnBranch() {
    git('checkout', '-q', '-b', 'voucher');
    write('src/first.ts');
    commit('First');
    const id = await record({ 'src/cart.ts': 'modified' }, () => {
      write('src/cart.ts', textOf('voucher'));
      commit('Voucher');
    });
    git('checkout', '-q', 'main');
    return id;
  }
  const branchOf = async (id: number) => (await check(id)).branch;

  it('is open while it is not part of what is checked out', async () => {
    const id = await recordOnBranch();
    expect(await branchOf(id)).toEqual({ name: 'voucher', state: 'open' });
    git('checkout', '-q', 'voucher');
    expect(await branchOf(id)).toBeNull();
  });

  it('is open when only a remote repository still has it', async () => {
    const id = await recordOnBranch();
    git('update-ref', 'refs/remotes/origin/voucher', 'voucher');
    git('branch', '-q', '-D', 'voucher');
    expect(await branchOf(id)).toEqual({ name: 'voucher', state: 'open' });
  });

  it('is abandoned when it was deleted without a merge', async () => {
    const id = await recordOnBranch();
    git('branch', '-q', '-D', 'voucher');
    expect(await branchOf(id)).toEqual({ name: 'voucher', state: 'abandoned' });
  });

  it('is not named when the content of the record is known here', async () => {
    const id = await recordOnBranch();
    git('merge', '-q', '--squash', 'voucher');
    commit('Voucher in one commit');
    expect(await check(id)).toMatchObject({ verdict: 'fresh', branch: null });
  });

  it('is merged when its commits are part of what is checked out', async () => {
    const id = await recordOnBranch();
    git('merge', '-q', '--no-ff', '--no-edit', 'voucher');
    write('src/cart.ts', 'not committed\n');
    rmSync(join(root, 'src/cart.ts'));
    expect(await check(id)).toMatchObject({
      verdict: 'unknown',
      branch: { name: 'voucher', state: 'merged' },
    });
  });

  it.each<[string, () => void]>([
    ['it was merged as one commit', () => git('merge', '-q', '--squash', 'voucher')],
    [
      'its commits were copied to another base',
      () => {
        write('src/main.ts');
        commit('Main');
        git('cherry-pick', 'main..voucher');
        write('src/cart.ts', 'later\n');
      },
    ],
  ])('is not judged when %s and the file changed on the branch afterwards', async (_, merge) => {
    git('checkout', '-q', '-b', 'voucher');
    write('src/first.ts');
    commit('First');
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    write('src/cart.ts', 'final\n');
    commit('Voucher');
    git('checkout', '-q', 'main');
    merge();
    commit('Merge');
    expect(await branchOf(id)).toBeNull();
    git('branch', '-q', '-D', 'voucher');
    expect(await branchOf(id)).toBeNull();
    git('checkout', '-q', '-b', 'voucher');
    write('src/second.ts');
    commit('Other work');
    git('checkout', '-q', 'main');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when it was renamed', async () => {
    const id = await recordOnBranch();
    git('branch', '-m', 'voucher', 'coupon');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when it only deleted files', async () => {
    write('src/old.ts');
    commit('Old');
    git('checkout', '-q', '-b', 'voucher');
    git('rm', '-q', 'src/old.ts');
    commit('Delete');
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    git('checkout', '-q', '--', 'src/cart.ts');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--squash', 'voucher');
    commit('Merge');
    expect(await branchOf(id)).toBeNull();
    git('branch', '-q', '-D', 'voucher');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when its name is used again and its commits are in no branch', async () => {
    const id = await recordOnBranch();
    git('branch', '-q', '-D', 'voucher');
    git('checkout', '-q', '-b', 'voucher');
    write('src/second.ts');
    commit('Other work');
    git('checkout', '-q', 'main');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when it was merged into another branch that exists', async () => {
    git('branch', 'release');
    const id = await recordOnBranch();
    git('checkout', '-q', 'release');
    git('merge', '-q', '--no-ff', '--no-edit', 'voucher');
    git('branch', '-q', '-D', 'voucher');
    git('checkout', '-q', 'main');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when one of its earlier commits is checked out without a branch', async () => {
    const id = await recordOnBranch();
    git('checkout', '-q', '--detach', 'voucher~1');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when it is the branch that others begin from', async () => {
    write('src/cart.ts', 'second\n');
    const id = await record({ 'src/cart.ts': 'modified' }, () => {
      write('src/cart.ts', 'third\n');
      commit();
    });
    git('checkout', '-q', '-b', 'voucher', 'HEAD~1');
    expect(await check(id)).toMatchObject({ verdict: 'unknown', branch: null });
  });

  it('is not judged in a shallow clone, which cannot know what was merged', async () => {
    const id = await recordOnBranch();
    const clone = join(home.root, 'clone');
    git('clone', '-q', '--depth', '1', '--no-single-branch', `file://${root}`, clone);
    expect((await check(id, clone)).branch).toBeNull();
  });
});

describe('a checkout', () => {
  it('is judged by its own files when it is a worktree', async () => {
    begin('src/cart.ts');
    const id = await record({ 'src/cart.ts': 'read' });
    const tree = join(home.root, 'tree');
    git('worktree', 'add', '-q', '-b', 'other', tree);
    writeFileSync(join(tree, 'src/cart.ts'), 'changed in the worktree\n');
    gitIn(tree, 'commit', '-q', '-a', '-m', 'Change');
    expect(await check(id)).toEqual(nothing('fresh'));
    expect(await check(id, tree)).toEqual(one('changed', 'src/cart.ts', { commits: 1 }));
  });

  it('judges only by the commits that it has when it is a shallow clone', async () => {
    begin('kept.ts', 'deleted.ts', 'changed.ts');
    const ids = [
      await record({ 'kept.ts': 'read' }),
      await record({ 'deleted.ts': 'read' }),
      await record({ 'changed.ts': 'read' }),
    ];
    git('rm', '-q', 'deleted.ts');
    commit();
    write('changed.ts', 'second\n');
    commit();
    const late = await record({ 'changed.ts': 'read' });
    write('changed.ts', 'third\n');
    commit();
    const clone = join(home.root, 'clone');
    git('clone', '-q', '--depth', '2', `file://${root}`, clone);
    const found = [];
    for (const id of [...ids, late]) found.push(await check(id, clone));
    expect(found).toEqual([
      nothing('fresh'),
      nothing('unknown'),
      nothing('unknown'),
      one('changed', 'changed.ts', { commits: 1 }),
    ]);
  });

  it('is judged by the files alone when it is not a repository', async () => {
    write('a.ts');
    write('b.ts');
    const ids = [await record({ 'a.ts': 'read' }), await record({ 'b.ts': 'read' })];
    expect(await check(ids[0]!)).toEqual(nothing('fresh'));
    write('a.ts', 'new\n');
    rmSync(join(root, 'b.ts'));
    expect(await check(ids[0]!)).toEqual(one('changed', 'a.ts'));
    expect(await check(ids[1]!)).toEqual(one('gone', 'b.ts'));
  });

  it('is judged by the files alone before its first commit, and by its commits afterwards', async () => {
    git('init', '-q', '-b', 'main');
    write('a.ts');
    const id = await record({ 'a.ts': 'created' });
    write('a.ts', 'new\n');
    expect(await check(id)).toEqual(one('changed', 'a.ts'));
    write('a.ts');
    commit();
    expect(await check(id)).toEqual(nothing('fresh'));
    git('rm', '-q', 'a.ts');
    write('b.ts', 'b\n');
    commit();
    expect(await check(id)).toEqual(one('gone', 'a.ts'));
  });

  it('proves nothing when its git pointer is forged', async () => {
    const other = join(home.root, 'other');
    mkdirSync(other);
    gitIn(other, 'init', '-q');
    write('a.ts');
    const id = await record({ 'a.ts': 'read' });
    writeFileSync(join(root, '.git'), `gitdir: ${other}/.git\n`);
    write('a.ts', 'new\n');
    expect(await (await openCheck()).step()).toBe(false);
    expect(await storage.store.freshnessOf([id])).toEqual([]);
  });
});

describe('S05: a hostile repository', () => {
  it.each([
    'a space and "quotes".ts',
    "it's.ts",
    'ü-日本.ts',
    ':(glob)*.ts',
    '-x.ts',
    '*.ts',
    'line\nbreak.ts',
    ':100644 100644 aaaa bbbb D',
    'a'.repeat(40),
  ])('is judged correctly when a file is named %j', async (name) => {
    begin(name, 'other.ts');
    const id = await record({ [name]: 'read' });
    expect(await check(id)).toEqual(nothing('fresh'));
    write(name, 'new\n');
    commit();
    expect(await check(id)).toEqual(one('changed', name, { commits: 1 }));
    rmSync(join(root, name));
    commit();
    expect(await check(id)).toEqual(one('gone', name));
    git('revert', '--no-edit', 'HEAD');
    git('mv', '--', name, 'plain.ts');
    commit();
    expect(await check(id)).toEqual(one('moved', name, { movedTo: 'plain.ts' }));
  });

  it('proves nothing about files outside of the project or behind a link', async () => {
    begin('a.ts');
    const outside = join(home.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'first\n');
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(join(outside, 'secret'), join(root, 'file'));
    const paths = ['link/secret', 'file', '../../../outside/secret', join(outside, 'secret'), 'link/missing'];
    for (const path of paths) {
      expect(await readFileContent(root, path)).toEqual({ kind: 'unknown' });
      const id = await record({ [path]: 'read' });
      expect(await check(id)).toEqual(nothing('unknown'));
    }
  });

  it('stores no secret that is the name of a file', async () => {
    begin('a.ts');
    const id = await record({ 'a.ts': 'read' });
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    git('mv', 'a.ts', secret);
    commit();
    const found = await check(id);
    expect(found.verdict).toBe('moved');
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  it('runs no program that the repository names', async () => {
    begin('a.ts', 'b.ts');
    const mark = join(home.root, 'mark');
    const program = join(home.root, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
    write('.gitattributes', '* filter=evil diff=evil\n');
    const ids = [await record({ 'a.ts': 'read' }), await record({ 'b.ts': 'read' })];
    write('a.ts', 'new\n');
    git('mv', 'b.ts', 'c.ts');
    commit();
    for (const key of [
      ...['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.evil.textconv'],
      ...['diff.evil.command', 'diff.external', 'core.fsmonitor', 'core.pager', 'core.editor', 'gpg.program'],
    ])
      git('config', key, program);
    git('config', 'log.showSignature', 'true');
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout'])
      writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    expect((await check(ids[0]!)).verdict).toBe('changed');
    expect((await check(ids[1]!)).verdict).toBe('moved');
    expect(existsSync(mark)).toBe(false);
  });
});

it('checks all records when they do not fit in one step', async () => {
  begin('a.ts');
  const ids = [];
  for (let index = 0; index < 120; index += 1) ids.push(await record({ 'a.ts': 'read' }));
  write('a.ts', 'new\n');
  commit();
  await check(ids[0]!);
  const rows = await storage.store.freshnessOf(ids);
  expect(rows).toHaveLength(120);
  expect(new Set(rows.map(({ freshness }) => freshness.verdict))).toEqual(new Set(['changed']));
  expect(await storage.store.listStale({ limit: 500 })).toHaveLength(120);
});

describe('a history with more commits than are read', () => {
  /** Adds empty commits, with dates that follow each other. */
  function addCommits(count: number) {
    const from = gitIn(root, 'rev-parse', 'HEAD').toString().trim();
    const commits = Array.from({ length: count }, (_, index) => {
      const parent = index === 0 ? `from ${from}\n` : '';
      return `commit refs/heads/main\ncommitter Ada <a@b.c> ${2_000_000_000 + index} +0000\ndata 1\nx\n${parent}`;
    });
    execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commits.join('') });
    git('reset', '-q', '--hard', 'main');
  }

  it('proves a change only by contents that were found', async () => {
    begin('a.ts', 'b.ts');
    write('a.ts', 'one\n');
    commit();
    addCommits(50_000);
    const draft = await record({ 'a.ts': 'modified' }, () => write('a.ts', 'a draft\n'));
    write('a.ts', 'one\n');
    const recordCheck = await openCheck();
    expect(await check(draft, root, recordCheck)).toEqual(nothing('unknown'));
    const id = await record({ 'b.ts': 'modified' }, () => {
      write('b.ts', 'one\n');
      commit();
    });
    write('b.ts', 'two\n');
    commit();
    expect(await check(id, root, recordCheck)).toEqual(one('changed', 'b.ts'));
  }, 60_000);
});

describe('a check that goes on', () => {
  it('reads all commits once, and only new commits afterwards', async () => {
    const paths = Array.from({ length: 120 }, (_, index) => `file-${index}.ts`);
    begin(...paths);
    for (const path of paths) await record({ [path]: 'read' });
    for (const text of ['one\n', 'two\n']) {
      for (const path of paths) write(path, text);
      commit();
    }
    const walks: string[] = [];
    const recordCheck = openCheck(root, (folder, args, options) => {
      if (args[0] === 'diff-tree') walks.push(options.input ?? '');
      return runGit(folder, args, options);
    });
    expect(await check(1, root, recordCheck)).toMatchObject({ files: [{ commits: 2 }] });
    write(paths[0]!, 'three\n');
    commit();
    expect(await check(1, root, recordCheck)).toMatchObject({ files: [{ commits: 3 }] });
    expect(walks.map((commits) => commits.trim().split('\n').length)).toEqual([3, 1]);
  });

  it('returns the verdicts of a new check when commits were replaced', async () => {
    begin('a.ts', 'b.ts');
    const ids = [await record({ 'a.ts': 'read' }), await record({ 'b.ts': 'read' })];
    const recordCheck = await openCheck();
    const commits = async (id: number) => {
      const found = await check(id, root, recordCheck);
      expect(await check(id)).toEqual(found);
      return found.files.map((file) => file.commits);
    };
    for (const text of ['one\n', 'two\n']) {
      write('a.ts', text);
      commit();
    }
    expect(await commits(ids[0]!)).toEqual([2]);
    git('reset', '-q', '--soft', 'HEAD~2');
    write('b.ts', 'three\n');
    commit();
    expect(await commits(ids[0]!)).toEqual([1]);
    expect(await commits(ids[1]!)).toEqual([1]);
    git('checkout', '-q', '-b', 'other', 'HEAD~1');
    expect(await check(ids[0]!, root, recordCheck)).toEqual(nothing('fresh'));
  });
});
