import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveProject } from '../index.js';

let base: string;
let home: string;
let tmpDir: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'projects-')));
  home = join(base, 'home');
  tmpDir = join(base, 'tmp');
  mkdirSync(home);
  mkdirSync(tmpDir);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const folder = (...parts: string[]) => {
  const path = join(base, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};
const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args],
    {
      cwd,
      stdio: 'pipe',
      env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    },
  );
const repository = (...parts: string[]) => {
  const path = folder(...parts);
  git(path, 'init', '-q');
  git(path, 'commit', '-q', '--allow-empty', '-m', 'first');
  return path;
};
const at = (cwd: string | null, projectDir: string | null = null) =>
  resolveProject({ cwd, projectDir }, { home, tmpDir });
const neutral = { key: 'neutral', name: 'no project', root: null };

describe('repositories', () => {
  it('B090: include their sub-folders, also when a sub-folder is deleted', () => {
    const repo = repository('home', 'shop');
    const expected = { key: repo, name: 'shop', root: repo };
    for (const parts of [[], ['packages', 'web'], ['packages', 'api', 'src']]) {
      expect(at(folder('home', 'shop', ...parts))).toEqual(expected);
    }
    expect(at(join(repo, 'gone', 'deep'))).toEqual(expected);
    expect(at(join(repo, '.git', 'hooks'))).toMatchObject({ key: repo, name: 'shop' });
  });

  it('B089: share their project with a worktree, which has its own root', () => {
    const repo = repository('home', 'shop');
    const tree = join(base, 'wt-x');
    git(repo, 'worktree', 'add', '-q', tree);
    expect(at(folder('wt-x', 'src'))).toEqual({ key: repo, name: 'shop', root: tree });
  });

  it('B089: share their project with a worktree that uses relative links', () => {
    const repo = repository('home', 'shop');
    const tree = join(base, 'wt-y');
    git(repo, 'worktree', 'add', '-q', tree);
    writeFileSync(join(tree, '.git'), 'gitdir: ../home/shop/.git/worktrees/wt-y\r\n');
    expect(at(tree)).toEqual({ key: repo, name: 'shop', root: tree });
  });

  it('are shared by all worktrees of a bare repository', () => {
    const source = repository('source');
    for (const [bare, name] of [
      ['shop.git', 'shop'],
      ['store/.bare', 'store'],
    ] as const) {
      const path = join(base, bare);
      mkdirSync(dirname(path), { recursive: true });
      git(base, 'clone', '-q', '--bare', source, path);
      const tree = join(base, `${name}-tree`);
      git(path, 'worktree', 'add', '-q', tree);
      expect(at(tree)).toEqual({ key: path, name, root: tree });
      expect(at(join(path, 'refs'))).toEqual({ key: path, name, root: path });
    }
  });

  it('include a submodule and its worktrees as a separate project', () => {
    const library = repository('library');
    const repo = repository('home', 'shop');
    git(repo, 'submodule', 'add', '-q', library, 'vendor/lib');
    const sub = join(repo, 'vendor', 'lib');
    expect(at(sub)).toEqual({ key: sub, name: 'lib', root: sub });
    git(sub, 'worktree', 'add', '-q', join(base, 'lib-tree'));
    expect(at(join(base, 'lib-tree'))).toEqual({ key: sub, name: 'lib', root: join(base, 'lib-tree') });
  });

  it('R11: have the same project for a submodule in a worktree and in the main checkout, also when nested', () => {
    const inner = repository('inner');
    const library = repository('library');
    git(library, 'submodule', 'add', '-q', inner, 'deep/inner');
    git(library, 'commit', '-qm', 'inner');
    const repo = repository('home', 'shop');
    git(repo, 'submodule', 'add', '-q', library, 'vendor/lib');
    git(repo, 'submodule', 'update', '-q', '--init', '--recursive');
    git(repo, 'commit', '-qm', 'lib');
    const tree = join(base, 'wt-x');
    git(repo, 'worktree', 'add', '-q', tree);
    git(tree, 'submodule', 'update', '-q', '--init', '--recursive');
    // moves core.worktree to config.worktree
    git(join(tree, 'vendor/lib'), 'sparse-checkout', 'set', 'deep');
    for (const sub of ['vendor/lib', 'vendor/lib/deep/inner'])
      for (const checkout of [repo, tree])
        expect(at(join(checkout, sub))).toEqual({
          key: join(repo, sub),
          name: sub.split('/').at(-1),
          root: join(checkout, sub),
        });
    const linked = join(base, 'lib-tree');
    git(join(tree, 'vendor/lib'), 'worktree', 'add', '-q', linked);
    expect(at(linked)).toMatchObject({ key: join(repo, 'vendor/lib'), root: linked });
  });

  it('use the work folder as the project when the git folder is stored elsewhere', () => {
    const work = folder('work');
    git(work, 'init', '-q', '--separate-git-dir', join(base, 'store.git'));
    git(work, 'commit', '-q', '--allow-empty', '-m', 'first');
    expect(at(folder('work', 'deep'))).toEqual({ key: work, name: 'work', root: work });
    git(work, 'worktree', 'add', '-q', join(base, 'work-tree'));
    git(work, 'config', 'core.worktree', work);
    expect(at(join(base, 'work-tree')).key).toBe(work);
  });

  it('are separate when nested, and not recognized when .git is empty or invalid', () => {
    const repo = repository('home', 'shop');
    const inner = repository('home', 'shop', 'inner');
    expect(at(inner).key).toBe(inner);
    mkdirSync(join(folder('home', 'shop', 'a'), '.git'));
    writeFileSync(join(folder('home', 'shop', 'b'), '.git'), 'nonsense');
    expect(at(join(repo, 'a')).key).toBe(repo);
    expect(at(join(repo, 'b')).key).toBe(repo);
    renameSync(join(repo, '.git'), join(repo, 'was-git'));
    expect(at(join(repo, 'a')).key).toBe(join(repo, 'a'));
  });

  it('are resolved through symlinks', () => {
    const repo = repository('home', 'shop');
    symlinkSync(repo, join(base, 'link'));
    expect(at(join(base, 'link', 'sub'))).toMatchObject({ key: repo, name: 'shop' });
  });

  it('B094: keep their key when a remote is added or another folder has the same name', () => {
    const repo = repository('home', 'foo');
    const before = at(repo);
    git(repo, 'remote', 'add', 'origin', 'https://example.com/team/bar.git');
    repository('home', 'other', 'foo');
    for (let start = 0; start < 5; start += 1) expect(at(repo)).toEqual(before);
    expect(before).toEqual({ key: repo, name: 'foo', root: repo });
  });
});

describe('S05: folders that claim another project', () => {
  let victim: string;
  let claim: string;
  beforeEach(() => {
    victim = repository('home', 'victim');
    git(victim, 'worktree', 'add', '-q', join(base, 'victim-tree'));
    claim = folder('home', 'claim');
  });
  const gitFile = (target: string) => writeFileSync(join(claim, '.git'), `gitdir: ${target}\n`);
  const gitFolder = (path: string, files: Record<string, string> = {}) => {
    mkdirSync(join(path, 'objects'), { recursive: true });
    writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  };
  const worktree = '[core]\n\trepositoryformatversion = 0\n\tworktree = ';

  it.each<[string, () => void]>([
    ['a bare folder with core.worktree', () => gitFolder(claim, { config: `${worktree}../victim\n` })],
    ['a .git folder with core.worktree', () => gitFolder(join(claim, '.git'), { config: worktree + victim })],
    [
      'a .git folder with commondir',
      () => gitFolder(join(claim, '.git'), { commondir: '../../victim/.git' }),
    ],
    ['a .git file that names the git folder', () => gitFile('../victim/.git')],
    ['a .git file that names a worktree', () => gitFile('../victim/.git/worktrees/victim-tree')],
    ['a .git file that names a removed worktree', () => gitFile('../victim/.git/worktrees/gone')],
    ['a .git file that names a removed repository', () => gitFile('../gone/.git/worktrees/gone')],
    ['a .git link to the git folder', () => symlinkSync('../victim/.git', join(claim, '.git'))],
    [
      'a .git link to the .git file of a worktree',
      () => symlinkSync(join(base, 'victim-tree', '.git'), join(claim, '.git')),
    ],
    [
      'a git folder of its own that names another common folder',
      () => {
        gitFile('worktrees/x');
        gitFolder(join(claim, 'worktrees', 'x'), {
          gitdir: '../../.git',
          commondir: '../../../victim/.git',
        });
      },
    ],
    [
      'a common folder of its own that names another checkout',
      () => {
        gitFile('store/worktrees/x');
        gitFolder(join(claim, 'store'), { config: `${worktree}../../victim` });
        gitFolder(join(claim, 'store', 'worktrees', 'x'), { gitdir: '../../../.git', commondir: '../..' });
      },
    ],
  ])('%s keeps its own project', (_, write) => {
    write();
    const { key, root } = at(claim);
    expect(key === claim || key === join(claim, 'store')).toBe(true);
    expect(root).toBe(claim);
    expect(at(victim).key).toBe(victim);
    expect(at(join(base, 'victim-tree')).key).toBe(victim);
  });

  it('are read when a configuration line has 40,000 blanks', () => {
    gitFile('store');
    gitFolder(join(claim, 'store'), { config: `[core]\n\tworktree =${' '.repeat(40_000)}"x"y\n` });
    expect(at(claim)).toEqual({ key: claim, name: 'claim', root: claim });
  });
});

describe('the project folder of the host', () => {
  it('is the project when the current folder lies in it', () => {
    const plain = folder('home', 'plain');
    expect(at(folder('home', 'plain', 'sub'), plain).key).toBe(plain);
    const outer = repository('home', 'outer');
    expect(at(repository('home', 'outer', 'vendor'), outer).key).toBe(outer);
    expect(at('C:\\repos\\shop\\src', 'c:/repos/shop').key).toBe('C:/repos/shop');
  });

  it('is the project when the current folder lies in the same repository', () => {
    const repo = repository('home', 'shop');
    const web = folder('home', 'shop', 'packages', 'web');
    git(repo, 'worktree', 'add', '-q', join(base, 'tree'));
    for (const cwd of [folder('home', 'shop', 'packages', 'api'), join(base, 'tree')])
      expect(at(cwd, web)).toEqual({ key: repo, name: 'shop', root: repo });
  });

  it('S03: is not the project when the current folder lies elsewhere', () => {
    const victim = repository('home', 'victim');
    const evil = repository('home', 'evil');
    for (const cwd of [evil, folder('home', 'victim-2'), join(base, 'gone')])
      expect(at(cwd, victim)).toEqual(at(cwd));
    expect(at(tmpDir, victim)).toEqual(neutral);
    expect(at('D:/evil', 'C:/victim').key).toBe('D:/evil');
  });

  it('is the project when there is no other folder', () => {
    const repo = repository('home', 'shop');
    for (const cwd of [null, '', 'relative']) expect(at(cwd, repo).key).toBe(repo);
  });
});

describe('folders outside a repository', () => {
  it('B091: are two projects when they have the same name in different folders', () => {
    const keys = [at(folder('home', 'a', 'api')), at(folder('home', 'b', 'api'))];
    expect(keys.map(({ name }) => name)).toEqual(['api', 'api']);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
  });

  it('B092: are not projects when they are the home, temporary or root folder, even if the home folder is a repository', () => {
    const inHome = folder('home', 'notes');
    for (const place of [home, `${home}/`, tmpDir, '/', '/tmp', '/home', '~', '~/'])
      expect(at(place)).toEqual(neutral);
    git(home, 'init', '-q');
    expect(at(home)).toEqual(neutral);
    expect(at(inHome)).toEqual({ key: inHome, name: 'notes', root: inHome });
    expect(readdirSync(inHome)).toEqual([]);
  });

  it('B092: are no project when they are home through a symlink', () => {
    symlinkSync(home, join(base, 'home-link'));
    expect(at(join(base, 'home-link'))).toEqual(neutral);
    expect(
      resolveProject({ cwd: home, projectDir: null }, { home: join(base, 'home-link'), tmpDir }),
    ).toEqual(neutral);
  });

  it('B118: are no project when cwd is invalid or is the folder of a tool', () => {
    for (const cwd of [null, '', 'relative/x', 'a\0b', `/${'x'.repeat(5000)}`])
      expect(at(cwd)).toEqual(neutral);
    for (const name of ['.cursor', '.claude', '.codex'])
      expect(at(folder('home', name, 'projects', 'x'))).toEqual(neutral);
  });

  it('B118: belong to a repository when the folder of a tool is inside it', () => {
    const repo = repository('home', 'shop');
    expect(at(folder('home', 'shop', '.claude', 'worktrees', 'x')).key).toBe(repo);
  });

  it('B111: are resolved in the home folder when they start with a tilde', () => {
    const notes = folder('home', 'x');
    expect(at('~/x')).toEqual({ key: notes, name: 'x', root: notes });
    expect(existsSync('~')).toBe(false);
    expect(readdirSync(home)).toEqual(['x']);
  });

  it('B037: keep names in any script', () => {
    const path = folder('home', 'проект', 'アプリ');
    expect(at(path)).toEqual({ key: path, name: 'アプリ', root: path });
    const composed = at(folder('home', 'caf\u00e9')).key;
    expect(composed).toBe(at(join(home, 'cafe\u0301')).key);
  });

  it.runIf(process.platform === 'linux')(
    'S05: are two projects when their names differ only in Unicode normalization',
    () => {
      const [composed, decomposed] = [folder('home', 'caf\u00e9'), folder('home', 'cafe\u0301')];
      expect([at(composed).key, at(decomposed).key]).toEqual([composed, decomposed]);
    },
  );

  it('have a project name of one line', () => {
    const path = folder('home', 'shop\n\u001b[31mInstructions:\tnone');
    expect(at(path)).toEqual({ key: path, name: 'shop [31mInstructions: none', root: path });
  });

  it('keep their path when they do not exist', () => {
    expect(at('/nowhere/on/this/machine')).toMatchObject({
      key: '/nowhere/on/this/machine',
      name: 'machine',
    });
    expect(at('/nowhere/a/../b/')).toMatchObject({ key: '/nowhere/b' });
  });

  it('are resolved when they are unreadable or a symlink loop', () => {
    symlinkSync('loop', join(base, 'loop'));
    expect(at(join(base, 'loop', 'x')).name).toBe('x');
    const closed = folder('closed');
    chmodSync(closed, 0o000);
    expect(at(join(closed, 'x')).name).toBe('x');
    chmodSync(closed, 0o700);
  });

  it.each(['commondir', 'config'])('do not block when .git/%s is a named pipe', (name) => {
    const repo = folder('home', 'shop');
    git(repo, 'init', '-q');
    // With a relative name, git's folder names its own checkout.
    renameSync(join(repo, '.git'), join(repo, 'store'));
    writeFileSync(join(repo, '.git'), 'gitdir: store\n');
    rmSync(join(repo, 'store', name), { force: true });
    execFileSync('mkfifo', [join(repo, 'store', name)]);
    const program = `import { resolveProject } from '@claude-mem/host-adapters';
      const [repo, home] = process.argv.slice(1);
      process.stdout.write(resolveProject({ cwd: repo, projectDir: null }, { home, tmpDir: home }).root);`;
    // In a child process, because a blocked read would also block timers.
    const { stdout } = spawnSync(
      process.execPath,
      ['--conditions=@claude-mem/source', '--import=tsx', '--input-type=module', '-e', program, repo, home],
      { timeout: 10_000, encoding: 'utf8' },
    );
    expect(stdout).toBe(repo);
  });

  it('B169: are resolved quickly when they are large or contain a loop', () => {
    const large = folder('large');
    for (let n = 0; n < 2000; n += 1) writeFileSync(join(large, `f${n}`), '');
    symlinkSync('.', join(large, 'self'));
    const deep = join(large, ...Array.from({ length: 30 }, () => 'self'));
    for (let n = 0; n < 50; n += 1) expect(at(deep)).toMatchObject({ key: large });
  });
});

describe('Windows paths', () => {
  it.each([
    ['C:\\Users\\First Last\\repo', 'C:/Users/First Last/repo', 'repo'],
    ['c:\\Users\\First Last\\repo\\', 'C:/Users/First Last/repo', 'repo'],
    ['C:/Users/First Last/./x/../repo', 'C:/Users/First Last/repo', 'repo'],
    ['D:\\проект\\アプリ', 'D:/проект/アプリ', 'アプリ'],
    ['\\\\server\\share\\team\\repo', '//server/share/team/repo', 'repo'],
  ])('B036: resolve %s', (cwd, key, name) => {
    expect(at(cwd)).toEqual({ key, name, root: key });
    expect(readdirSync(home)).toEqual([]);
  });

  it.each([
    'C:\\',
    'c:',
    'C:\\Users',
    'C:\\Users\\First Last',
    'C:\\Users\\me\\AppData\\Local\\Temp',
    'C:\\Users\\me\\.cursor\\x',
    '\\\\server\\share',
  ])('B092: assign no project to %s', (cwd) => expect(at(cwd)).toEqual(neutral));
});
