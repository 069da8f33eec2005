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
import { BLOCK, openHarness } from './__fixtures__/open-harness.js';
import { CONTEXT_FILE_KINDS, removeContextFiles } from './index.js';

describe('checkouts', { timeout: 60_000 }, () => {
  it('keeps separate files and one exclude line when a repository has two worktrees', async () => {
    using harness = openHarness({ claudeMd: true });
    const tree = join(harness.base, 'tree');
    const exclude = () =>
      harness
        .read('.git/info/exclude')
        .split('\n')
        .filter((line) => line === '/CLAUDE.md');
    harness.git('worktree', 'add', '-q', tree);
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    await harness.update(tree);
    expect(readFileSync(join(tree, 'CLAUDE.md'), 'utf8')).toBe(harness.read('CLAUDE.md'));
    expect([harness.git('status', '--porcelain'), harness.gitIn(tree, 'status', '--porcelain')]).toEqual([
      '',
      '',
    ]);
    expect(exclude()).toHaveLength(1);
    await harness.files.remove(harness.root);
    expect(harness.gitIn(tree, 'status', '--porcelain')).toBe('');
    expect(exclude()).toHaveLength(1);
    await harness.files.remove(tree);
    expect(existsSync(join(tree, 'CLAUDE.md'))).toBe(false);
    expect(exclude()).toEqual([]);
  });

  it('removes the exclude line when a worktree was deleted', async () => {
    using harness = openHarness({ claudeMd: true });
    const tree = join(harness.base, 'tree');
    harness.git('worktree', 'add', '-q', tree);
    harness.remember('First', 'src/cart.ts');
    await harness.update(tree);
    expect(harness.read('.git/info/exclude')).toContain('/CLAUDE.md');
    rmSync(tree, { recursive: true });
    harness.files.wakeAll();
    await harness.files.settled();
    expect(harness.read('.git/info/exclude')).not.toContain('/CLAUDE.md');
    expect(harness.files.report(tree)).toEqual([]);
  });

  it('keeps the state of files when the project is moved away and back', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    rmSync(join(harness.root, 'src/CLAUDE.md'));
    await harness.update();
    renameSync(harness.root, `${harness.root}-away`);
    harness.files.wakeAll();
    await harness.files.settled();
    renameSync(`${harness.root}-away`, harness.root);
    await harness.update();
    expect(harness.files.report(harness.root).map(({ state }) => state)).toEqual(['kept', 'away']);
    await harness.files.remove(harness.root);
    expect(harness.has('CLAUDE.md')).toBe(false);
    expect(harness.read('.git/info/exclude')).not.toContain('CLAUDE');
  });

  it('removes the exclude line when the project was moved or its ledger is missing', async () => {
    using harness = openHarness({ claudeMd: true });
    const exclude = () => readFileSync(join(harness.base, 'moved', '.git', 'info', 'exclude'), 'utf8');
    const before = readFileSync(join(harness.root, '.git', 'info', 'exclude'), 'utf8');
    harness.remember('Carts hold prices in cents', 'src/cart.ts');
    await harness.update();
    const moved = join(harness.base, 'moved');
    renameSync(harness.root, moved);
    await harness.update(moved);
    expect(exclude()).toBe(`${before}/CLAUDE.md\n`);
    rmSync(harness.ledgerFile);
    await harness.update(moved);
    await harness.files.remove(moved);
    expect(exclude()).toBe(before);
    writeFileSync(join(moved, 'CLAUDE.md'), 'mine\n');
    expect(harness.gitIn(moved, 'status', '--porcelain')).toBe('?? CLAUDE.md\n');
  });

  it('writes files into a submodule, and none as a folder of its parent repository', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true });
    using library = openHarness();
    harness.git('submodule', 'add', '-q', library.root, 'lib');
    harness.git('commit', '-qm', 'Library');
    harness.remember('First', 'lib/src/cart.ts');
    await harness.update();
    expect(harness.has('lib/src/CLAUDE.md')).toBe(false);
    harness.remember('Second', 'src/cart.ts');
    await harness.update(join(harness.root, 'lib'));
    expect(harness.has('lib/CLAUDE.md')).toBe(true);
    expect(harness.git('status', '--porcelain')).toBe('');
    expect(harness.gitIn(join(harness.root, 'lib'), 'status', '--porcelain')).toBe('');
  });

  it('writes only context files when there is no git repository', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true }, { isRepository: false });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect([harness.has('CLAUDE.md'), harness.has('src/CLAUDE.md')]).toEqual([true, true]);
    expect(readdirSync(harness.root).sort()).toEqual(['CLAUDE.md', 'src']);
  });

  it('writes no files into a bare repository', async () => {
    using harness = openHarness({ claudeMd: true });
    const bare = join(harness.base, 'shop.git');
    harness.git('clone', '-q', '--bare', harness.root, bare);
    const before = readdirSync(bare);
    harness.remember('First', 'src/cart.ts');
    await harness.update(bare);
    expect(readdirSync(bare)).toEqual(before);
  });

  it('escapes special characters of a folder name in the exclude line', async () => {
    using harness = openHarness({ claudeMdFolders: true });
    for (const folder of ['a*b', 'a[b]', '!not', '#hash', 'two words ', 'ümläut', 'axb'])
      harness.write(`${folder}/x.ts`, 'x');
    harness.git('add', '-A');
    harness.git('commit', '-qm', 'Odd');
    harness.remember(
      'First',
      ...['a*b', 'a[b]', '!not', '#hash', 'two words ', 'ümläut'].map((one) => `${one}/x.ts`),
    );
    await harness.update();
    expect(harness.files.report(harness.root)).toHaveLength(6);
    harness.write('axb/CLAUDE.md', 'mine');
    expect(harness.git('status', '--porcelain')).toBe('?? axb/CLAUDE.md\n');
    await harness.files.remove(harness.root);
    expect(harness.read('.git/info/exclude')).not.toContain('CLAUDE');
  });

  it('restores the exclude file byte for byte, with and without a final line end', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true });
    for (const text of ['*.log', '*.log\n', '*.log\r\n', '']) {
      harness.write('.git/info/exclude', text);
      harness.remembered.length = 0;
      harness.remember('First', 'src/cart.ts');
      await harness.update();
      expect(harness.git('status', '--porcelain')).toBe('');
      harness.remembered.length = 0;
      await harness.update();
      expect(harness.has('CLAUDE.md')).toBe(false);
      expect(harness.has('.git/info/exclude') ? harness.read('.git/info/exclude') : '').toBe(text);
    }
  });

  it('does not fail readers when the ledger cannot be read, and writes it again when it is removed', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    rmSync(harness.ledgerFile);
    mkdirSync(harness.ledgerFile);
    harness.files.wakeAll();
    expect([
      harness.files.findProvided('claude-code', harness.root),
      harness.files.report(harness.root),
    ]).toEqual([null, []]);
    await harness.update();
    expect(harness.warnings).toContain('Could not update the context files of a project');
    rmSync(harness.ledgerFile, { recursive: true });
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toContain('Second');
  });

  it('finds blocks in the files when the ledger is damaged', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    writeFileSync(harness.ledgerFile, '{"files": {"/x": {"kind": 1}}, "awayRoots": 3, nonsense');
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toContain('Second');
    harness.options.claudeMd = false;
    await harness.update();
    expect(harness.has('CLAUDE.md')).toBe(false);
  });
});

describe('linked, moved and removed folders', { timeout: 60_000 }, () => {
  it('keeps the block of another project when a folder becomes a link to that project', async () => {
    using harness = openHarness({ claudeMdFolders: true });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    const outside = join(harness.base, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'cart.ts'), '');
    writeFileSync(join(outside, 'CLAUDE.md'), `theirs\n\n${BLOCK}`);
    rmSync(join(harness.root, 'src'), { recursive: true });
    symlinkSync(outside, join(harness.root, 'src'));
    await harness.update();
    expect(harness.files.problems().join()).toContain('its folder is a link');
    await harness.files.remove(harness.root);
    removeContextFiles({ ledgerFile: harness.ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(readFileSync(join(outside, 'CLAUDE.md'), 'utf8')).toBe(`theirs\n\n${BLOCK}`);
  });

  it.each(['the old path', 'the new path'])(
    'keeps the block when a moved project has a link at its old path, starting with %s',
    async (first) => {
      using harness = openHarness({ claudeMd: true, claudeMdFolders: true });
      const exclude = harness.read('.git/info/exclude');
      harness.write('CLAUDE.md', 'Rules.\n');
      harness.git('add', '-A');
      harness.git('commit', '-qm', 'Rules');
      harness.remember('First', 'src/cart.ts');
      await harness.update();
      const moved = join(harness.base, 'moved');
      const read = (path: string) => readFileSync(join(moved, path), 'utf8');
      renameSync(harness.root, moved);
      symlinkSync(moved, harness.root);
      await harness.update(first === 'the old path' ? harness.root : moved);
      harness.files.wakeAll();
      await harness.files.settled();
      await harness.update(moved);
      expect(read('CLAUDE.md')).toContain('First');
      expect(harness.gitIn(moved, 'status', '--porcelain')).toBe(' M CLAUDE.md\n');
      expect([harness.files.report(harness.root), harness.files.report(moved).length]).toEqual([[], 2]);
      await harness.files.remove(moved);
      expect([read('CLAUDE.md'), existsSync(join(moved, 'src/CLAUDE.md'))]).toEqual(['Rules.\n', false]);
      expect(read('.git/info/exclude')).toBe(exclude);
    },
  );

  it('changes nothing when the project is replaced by a link to another checkout', async () => {
    using harness = openHarness({ claudeMd: true });
    using other = openHarness({ claudeMd: true });
    other.write('CLAUDE.md', `theirs\n`);
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    rmSync(harness.root, { recursive: true });
    symlinkSync(other.root, harness.root);
    harness.options.claudeMd = false;
    harness.files.wakeAll();
    await harness.files.settled();
    expect(other.read('CLAUDE.md')).toBe('theirs\n');
    expect(harness.files.report(other.root)).toEqual([]);
  });

  it('does not create a folder again when it is deleted while git runs', async () => {
    let ask = () => false;
    using harness = openHarness({ claudeMdFolders: true, cursorRules: 'true' }, { isGitAway: () => ask() });
    harness.write('lib/a.ts', 'x');
    const exclude = harness.read('.git/info/exclude');
    harness.remember('First', 'lib/a.ts');
    let asked = 0;
    ask = () => {
      // the second call runs after the folders are selected
      if ((asked += 1) === 2) rmSync(join(harness.root, 'lib'), { recursive: true });
      return false;
    };
    await harness.update();
    expect([asked > 1, harness.has('lib')]).toEqual([true, false]);
    harness.options.cursorRules = 'false';
    await harness.update();
    expect([harness.read('.git/info/exclude'), harness.has('.cursor')]).toEqual([exclude, false]);
  });

  it('does not create a project again when it is deleted while git runs', async () => {
    let ask = () => false;
    using harness = openHarness({ claudeMd: true, cursorRules: 'true' }, { isGitAway: () => ask() });
    harness.remember('First', 'src/cart.ts');
    ask = () => {
      rmSync(harness.root, { recursive: true, force: true });
      return true;
    };
    await harness.update();
    expect(existsSync(harness.root)).toBe(false);
  });

  it('writes no file that a .gitignore rule includes again', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true });
    harness.write('.gitignore', '*\n!*.md\n!*.ts\n!*/\n');
    harness.git('add', '-A', '-f');
    harness.git('commit', '-qm', 'Patterns');
    const exclude = statSync(join(harness.root, '.git/info/exclude'));
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.git('status', '--porcelain')).toBe('');
    expect(harness.files.report(harness.root).map(({ reason }) => reason)).toEqual([
      'a .gitignore rule includes it',
      'a .gitignore rule includes it',
    ]);
    expect(statSync(join(harness.root, '.git/info/exclude')).mtimeMs).toBe(exclude.mtimeMs);
  });
});
