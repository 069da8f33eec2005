import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labsWith } from './__fixtures__/open-lab.js';
import { CONTEXT_FILE_KINDS, removeContextFiles } from './index.js';

const openLab = labsWith({ searchPath: process.env['PATH'] ?? '' });
const BLOCK = '<claude-mem-context>\nmine\n</claude-mem-context>\n';

describe('checkouts', { timeout: 60_000 }, () => {
  it('keep separate files and one exclude line when a repository has two worktrees', async () => {
    using lab = openLab({ claudeMd: true });
    const tree = join(lab.base, 'tree');
    const exclude = () =>
      lab
        .read('.git/info/exclude')
        .split('\n')
        .filter((line) => line === '/CLAUDE.md');
    lab.git('worktree', 'add', '-q', tree);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    await lab.look(tree);
    expect(readFileSync(join(tree, 'CLAUDE.md'), 'utf8')).toBe(lab.read('CLAUDE.md'));
    expect([lab.git('status', '--porcelain'), lab.gitIn(tree, 'status', '--porcelain')]).toEqual(['', '']);
    expect(exclude()).toHaveLength(1);
    await lab.files.remove(lab.root);
    expect(lab.gitIn(tree, 'status', '--porcelain')).toBe('');
    expect(exclude()).toHaveLength(1);
    await lab.files.remove(tree);
    expect(existsSync(join(tree, 'CLAUDE.md'))).toBe(false);
    expect(exclude()).toEqual([]);
  });

  it('remove the exclude line when a worktree was deleted', async () => {
    using lab = openLab({ claudeMd: true });
    const tree = join(lab.base, 'tree');
    lab.git('worktree', 'add', '-q', tree);
    lab.remember('First', 'src/cart.ts');
    await lab.look(tree);
    expect(lab.read('.git/info/exclude')).toContain('/CLAUDE.md');
    rmSync(tree, { recursive: true });
    lab.files.wakeAll();
    await lab.files.settled();
    expect(lab.read('.git/info/exclude')).not.toContain('/CLAUDE.md');
    expect(lab.files.report(tree)).toEqual([]);
  });

  it('keep their state when the project is moved away and back', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    rmSync(join(lab.root, 'src/CLAUDE.md'));
    await lab.look();
    renameSync(lab.root, `${lab.root}-away`);
    lab.files.wakeAll();
    await lab.files.settled();
    renameSync(`${lab.root}-away`, lab.root);
    await lab.look();
    expect(lab.files.report(lab.root).map(({ state }) => state)).toEqual(['kept', 'away']);
    await lab.files.remove(lab.root);
    expect(lab.has('CLAUDE.md')).toBe(false);
    expect(lab.read('.git/info/exclude')).not.toContain('CLAUDE');
  });

  it('remove the exclude line when the project was moved or its ledger is missing', async () => {
    using lab = openLab({ claudeMd: true });
    const exclude = () => readFileSync(join(lab.base, 'moved', '.git', 'info', 'exclude'), 'utf8');
    const before = readFileSync(join(lab.root, '.git', 'info', 'exclude'), 'utf8');
    lab.remember('Carts hold prices in cents', 'src/cart.ts');
    await lab.look();
    const moved = join(lab.base, 'moved');
    renameSync(lab.root, moved);
    await lab.look(moved);
    expect(exclude()).toBe(`${before}/CLAUDE.md\n`);
    rmSync(lab.ledgerFile);
    await lab.look(moved);
    await lab.files.remove(moved);
    expect(exclude()).toBe(before);
    writeFileSync(join(moved, 'CLAUDE.md'), 'mine\n');
    expect(lab.gitIn(moved, 'status', '--porcelain')).toBe('?? CLAUDE.md\n');
  });

  it('write files into a submodule, and none as a folder of its parent repository', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true });
    using library = openLab();
    lab.git('submodule', 'add', '-q', library.root, 'lib');
    lab.git('commit', '-qm', 'Library');
    lab.remember('First', 'lib/src/cart.ts');
    await lab.look();
    expect(lab.has('lib/src/CLAUDE.md')).toBe(false);
    lab.remember('Second', 'src/cart.ts');
    await lab.look(join(lab.root, 'lib'));
    expect(lab.has('lib/CLAUDE.md')).toBe(true);
    expect(lab.git('status', '--porcelain')).toBe('');
    expect(lab.gitIn(join(lab.root, 'lib'), 'status', '--porcelain')).toBe('');
  });

  it('write only context files when there is no git repository', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true }, { isRepository: false });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect([lab.has('CLAUDE.md'), lab.has('src/CLAUDE.md')]).toEqual([true, true]);
    expect(readdirSync(lab.root).sort()).toEqual(['CLAUDE.md', 'src']);
  });

  it('write no files into a bare repository', async () => {
    using lab = openLab({ claudeMd: true });
    const bare = join(lab.base, 'shop.git');
    lab.git('clone', '-q', '--bare', lab.root, bare);
    const before = readdirSync(bare);
    lab.remember('First', 'src/cart.ts');
    await lab.look(bare);
    expect(readdirSync(bare)).toEqual(before);
  });

  it('escape special characters of a folder name in the exclude line', async () => {
    using lab = openLab({ claudeMdFolders: true });
    for (const folder of ['a*b', 'a[b]', '!not', '#hash', 'two words ', 'ümläut', 'axb'])
      lab.write(`${folder}/x.ts`, 'x');
    lab.git('add', '-A');
    lab.git('commit', '-qm', 'Odd');
    lab.remember(
      'First',
      ...['a*b', 'a[b]', '!not', '#hash', 'two words ', 'ümläut'].map((one) => `${one}/x.ts`),
    );
    await lab.look();
    expect(lab.files.report(lab.root)).toHaveLength(6);
    lab.write('axb/CLAUDE.md', 'mine');
    expect(lab.git('status', '--porcelain')).toBe('?? axb/CLAUDE.md\n');
    await lab.files.remove(lab.root);
    expect(lab.read('.git/info/exclude')).not.toContain('CLAUDE');
  });

  it('restore the exclude file byte for byte, with and without a final line end', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true });
    for (const text of ['*.log', '*.log\n', '*.log\r\n', '']) {
      lab.write('.git/info/exclude', text);
      lab.remembered.length = 0;
      lab.remember('First', 'src/cart.ts');
      await lab.look();
      expect(lab.git('status', '--porcelain')).toBe('');
      lab.remembered.length = 0;
      await lab.look();
      expect(lab.has('CLAUDE.md')).toBe(false);
      expect(lab.has('.git/info/exclude') ? lab.read('.git/info/exclude') : '').toBe(text);
    }
  });

  it('write again when a ledger that cannot be read is replaced, and fail no reader before', async () => {
    using lab = openLab({ claudeMd: true });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    rmSync(lab.ledgerFile);
    mkdirSync(lab.ledgerFile);
    lab.files.wakeAll();
    expect([lab.files.providedTo('claude-code', lab.root), lab.files.report(lab.root)]).toEqual([null, []]);
    await lab.look();
    expect(lab.warnings).toContain('The context files of a project could not be kept');
    rmSync(lab.ledgerFile, { recursive: true });
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toContain('Second');
  });

  it('find their blocks in the files when the ledger is damaged', async () => {
    using lab = openLab({ claudeMd: true });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    writeFileSync(lab.ledgerFile, '{"files": {"/x": {"kind": 1}}, "awayRoots": 3, nonsense');
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toContain('Second');
    lab.wishes.claudeMd = false;
    await lab.look();
    expect(lab.has('CLAUDE.md')).toBe(false);
  });
});

describe('linked, moved and removed folders', { timeout: 60_000 }, () => {
  it('keep the block of another project when a folder becomes a link to that project', async () => {
    using lab = openLab({ claudeMdFolders: true });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    const outside = join(lab.base, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'cart.ts'), '');
    writeFileSync(join(outside, 'CLAUDE.md'), `theirs\n\n${BLOCK}`);
    rmSync(join(lab.root, 'src'), { recursive: true });
    symlinkSync(outside, join(lab.root, 'src'));
    await lab.look();
    expect(lab.files.problems().join()).toContain('its folder is a link');
    await lab.files.remove(lab.root);
    removeContextFiles({ ledgerFile: lab.ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(readFileSync(join(outside, 'CLAUDE.md'), 'utf8')).toBe(`theirs\n\n${BLOCK}`);
  });

  it.each(['the old path', 'the new path'])(
    'keep the block when a moved project has a link at its old path, starting with %s',
    async (first) => {
      using lab = openLab({ claudeMd: true, claudeMdFolders: true });
      const exclude = lab.read('.git/info/exclude');
      lab.write('CLAUDE.md', 'Rules.\n');
      lab.git('add', '-A');
      lab.git('commit', '-qm', 'Rules');
      lab.remember('First', 'src/cart.ts');
      await lab.look();
      const moved = join(lab.base, 'moved');
      const read = (path: string) => readFileSync(join(moved, path), 'utf8');
      renameSync(lab.root, moved);
      symlinkSync(moved, lab.root);
      await lab.look(first === 'the old path' ? lab.root : moved);
      lab.files.wakeAll();
      await lab.files.settled();
      await lab.look(moved);
      expect(read('CLAUDE.md')).toContain('First');
      expect(lab.gitIn(moved, 'status', '--porcelain')).toBe(' M CLAUDE.md\n');
      expect([lab.files.report(lab.root), lab.files.report(moved).length]).toEqual([[], 2]);
      await lab.files.remove(moved);
      expect([read('CLAUDE.md'), existsSync(join(moved, 'src/CLAUDE.md'))]).toEqual(['Rules.\n', false]);
      expect(read('.git/info/exclude')).toBe(exclude);
    },
  );

  it('change nothing when the project is replaced by a link to another checkout', async () => {
    using lab = openLab({ claudeMd: true });
    using other = openLab({ claudeMd: true });
    other.write('CLAUDE.md', `theirs\n`);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    rmSync(lab.root, { recursive: true });
    symlinkSync(other.root, lab.root);
    lab.wishes.claudeMd = false;
    lab.files.wakeAll();
    await lab.files.settled();
    expect(other.read('CLAUDE.md')).toBe('theirs\n');
    expect(lab.files.report(other.root)).toEqual([]);
  });

  it('do not create a folder again when it is deleted while git runs', async () => {
    let ask = () => false;
    using lab = openLab({ claudeMdFolders: true, cursorRules: 'true' }, { isGitAway: () => ask() });
    lab.write('lib/a.ts', 'x');
    const exclude = lab.read('.git/info/exclude');
    lab.remember('First', 'lib/a.ts');
    let asked = 0;
    ask = () => {
      // the second call runs after the folders are selected
      if ((asked += 1) === 2) rmSync(join(lab.root, 'lib'), { recursive: true });
      return false;
    };
    await lab.look();
    expect([asked > 1, lab.has('lib')]).toEqual([true, false]);
    lab.wishes.cursorRules = 'false';
    await lab.look();
    expect([lab.read('.git/info/exclude'), lab.has('.cursor')]).toEqual([exclude, false]);
  });

  it('do not create a project again when it is deleted while git runs', async () => {
    let ask = () => false;
    using lab = openLab({ claudeMd: true, cursorRules: 'true' }, { isGitAway: () => ask() });
    lab.remember('First', 'src/cart.ts');
    ask = () => {
      rmSync(lab.root, { recursive: true, force: true });
      return true;
    };
    await lab.look();
    expect(existsSync(lab.root)).toBe(false);
  });

  it('write no file that a .gitignore rule includes again', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true });
    lab.write('.gitignore', '*\n!*.md\n!*.ts\n!*/\n');
    lab.git('add', '-A', '-f');
    lab.git('commit', '-qm', 'Patterns');
    const exclude = statSync(join(lab.root, '.git/info/exclude'));
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.git('status', '--porcelain')).toBe('');
    expect(lab.files.report(lab.root).map(({ reason }) => reason)).toEqual([
      'a .gitignore has git show it',
      'a .gitignore has git show it',
    ]);
    expect(statSync(join(lab.root, '.git/info/exclude')).mtimeMs).toBe(exclude.mtimeMs);
  });
});
