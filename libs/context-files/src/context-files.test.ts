import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness } from './__fixtures__/open-harness.js';
import { allowContextFiles, CONTEXT_FILE_KINDS, removeContextFiles } from './index.js';

const RULES = '.cursor/rules/claude-mem-context.mdc';
const BLOCK = /^<claude-mem-context>\n## Recent Memory\n[\s\S]*\n<\/claude-mem-context>$/m;

describe('selection of files', () => {
  it('B153: writes no file with the default settings', async () => {
    using harness = openHarness();
    for (let folder = 0; folder < 20; folder += 1) {
      harness.write(`src/f${folder}/a.ts`, 'x');
      harness.remember(`Work ${folder}`, `src/f${folder}/a.ts`);
    }
    harness.git('add', '-A');
    harness.git('commit', '-qm', 'Work');
    await harness.update();
    expect(harness.git('status', '--porcelain', '--ignored')).toBe('');
    expect(harness.files.report(harness.root)).toEqual([]);
  });

  it('B153: hides new files from git when they are enabled', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    harness.remember('Carts are emptied at night', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toMatch(BLOCK);
    expect(harness.read('src/CLAUDE.md')).toContain('about `src` in earlier');
    expect(harness.read(RULES)).toMatch(
      /^---\ndescription: .+\nglobs:\nalwaysApply: true\n---\n\n<claude-mem/,
    );
    expect(harness.git('status', '--porcelain')).toBe('');
    expect(harness.git('check-ignore', 'CLAUDE.md', 'src/CLAUDE.md', RULES).trim().split('\n')).toHaveLength(
      3,
    );
    expect(statSync(join(harness.root, 'CLAUDE.md')).mode & 0o777).toBe(0o600);
    expect(
      harness.files.report(harness.root).map(({ path, state, records }) => [path, state, records]),
    ).toEqual([
      [RULES, 'kept', 1],
      ['CLAUDE.md', 'kept', 1],
      ['src/CLAUDE.md', 'kept', 1],
    ]);
  });

  it.each([
    ['auto, and Cursor neither used here nor installed', 'auto', false, false, false],
    ['auto, and the project has a folder of Cursor, which is not installed', 'auto', true, false, false],
    ['auto, and the project has a folder of Cursor', 'auto', true, true, true],
    ['false', 'false', true, true, false],
    ['true', 'true', false, false, true],
  ] as const)(
    'creates or skips the Cursor rules file: %s',
    async (_, cursorRules, hasFolder, isInstalled, isKept) => {
      using harness = openHarness({ cursorRules });
      if (hasFolder) harness.write('.cursor/settings.json', '{}');
      if (isInstalled) mkdirSync(join(harness.base, '.cursor'));
      harness.remember('Carts are emptied at night', 'src/cart.ts');
      await harness.update();
      expect(harness.has(RULES)).toBe(isKept);
    },
  );

  it('writes the rules file when it is set to auto and Cursor had a session', async () => {
    using harness = openHarness();
    harness.hosts.push('cursor');
    harness.remember('Carts are emptied at night', 'src/cart.ts');
    await harness.update();
    expect(harness.has(RULES)).toBe(true);
    harness.options.cursorRules = 'false';
    await harness.update();
    expect(harness.has('.cursor')).toBe(false);
  });

  it('B155: writes no file into folders of tools or folders that git ignores', async () => {
    using harness = openHarness({ claudeMdFolders: true });
    harness.write('.gitignore', 'local/\n');
    const files = [
      '.git/hooks/x',
      'node_modules/y/z.js',
      'build/a',
      'res/values/b.xml',
      'vendor/c.go',
      '.idea/d.xml',
      'app/src/main/res/e.xml',
      'local/f.ts',
      'local/deep/g.ts',
    ];
    for (const file of files) harness.write(file, 'x');
    harness.remember('Touched much', ...files, 'src/cart.ts');
    const before = harness.git('status', '--porcelain', '--ignored');
    await harness.update();
    expect(harness.files.report(harness.root).map(({ path }) => path)).toEqual(['src/CLAUDE.md']);
    for (const file of files)
      expect(existsSync(join(harness.root, file, '..', 'CLAUDE.md')), file).toBe(false);
    expect(harness.git('status', '--porcelain', '--ignored')).toBe(`${before}!! src/CLAUDE.md\n`);
  });

  it('B156: writes no file for missing or outside paths, through links, or into another repository', async () => {
    using harness = openHarness({ claudeMdFolders: true });
    mkdirSync(join(harness.base, 'outside'));
    harness.write('../outside/out.ts', 'x');
    symlinkSync(join(harness.base, 'outside'), join(harness.root, 'linked'));
    symlinkSync('src', join(harness.root, 'inner-link'));
    harness.write('other/.git', 'gitdir: ../elsewhere');
    harness.write('other/lib/a.ts', 'x');
    mkdirSync(join(harness.root, 'empty'));
    harness.write('no-file/gone.ts', 'x');
    rmSync(join(harness.root, 'no-file/gone.ts'));
    harness.remember(
      'Prose used as paths',
      'gs://b/x.py',
      '~/y.ts',
      'frontend/frontend/z.ts',
      'see #12',
      '../../out.ts',
      '../outside/out.ts',
      'linked/out.ts',
      'inner-link/cart.ts',
      'other/lib/a.ts',
      'no-file/gone.ts',
      'empty/b.ts',
      'src\\cart.ts',
      `${harness.root}/src/cart.ts`,
      'src//cart.ts',
      'src/',
      'src/cart.ts/x',
      `${'a/'.repeat(600)}b`,
      'src/\n/x.ts',
    );
    await harness.update();
    expect(harness.files.report(harness.root)).toEqual([]);
    for (const folder of ['gs:', '~', 'frontend', 'src', 'linked', 'other/lib', 'no-file', 'empty'])
      expect(harness.has(`${folder}/CLAUDE.md`), folder).toBe(false);
    for (const folder of ['gs:', '~', 'frontend', 'see #12', 'a'])
      expect(harness.has(folder), folder).toBe(false);
    expect(harness.has('../outside/CLAUDE.md')).toBe(false);
  });

  it('writes no file into an excluded project, and removes files when a project becomes excluded', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.remember('A secret', 'src/cart.ts');
    harness.excluded.add(harness.root);
    await harness.update();
    expect(harness.has('CLAUDE.md')).toBe(false);
    harness.excluded.clear();
    await harness.update();
    expect(harness.has('CLAUDE.md')).toBe(true);
    harness.excluded.add(harness.root);
    await harness.update();
    expect(harness.has('CLAUDE.md')).toBe(false);
  });
});

describe('updates of files', () => {
  it('B154: writes no file without content, and does not write a deleted file again', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true });
    await harness.update();
    expect([harness.has('CLAUDE.md'), harness.has('src/CLAUDE.md')]).toEqual([false, false]);
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    rmSync(join(harness.root, 'src/CLAUDE.md'));
    harness.write('CLAUDE.md', 'Mine now.\n');
    for (const title of ['Second', 'Third']) {
      harness.remember(title, 'src/cart.ts');
      await harness.update();
    }
    expect(harness.has('src/CLAUDE.md')).toBe(false);
    expect(harness.read('CLAUDE.md')).toBe('Mine now.\n');
    expect(harness.files.report(harness.root).map(({ state }) => state)).toEqual(['away', 'away']);
    expect(harness.git('status', '--porcelain')).toBe('?? CLAUDE.md\n');
    await harness.files.restore(harness.root);
    expect(harness.read('src/CLAUDE.md')).toContain('Third');
    expect(harness.read('CLAUDE.md')).toMatch(/^Mine now\.\n\n<claude-mem-context>\n/);
  });

  it('B154: does not write a file again when git tracks it and the user deleted it', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.write('CLAUDE.md', 'Ours.\n');
    harness.git('add', '-A');
    harness.git('commit', '-qm', 'Rules');
    rmSync(join(harness.root, 'CLAUDE.md'));
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.has('CLAUDE.md')).toBe(false);
    expect(harness.git('status', '--porcelain')).toBe(' D CLAUDE.md\n');
  });

  it('B158: does not write a file when only the date changed', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    const paths = ['CLAUDE.md', 'src/CLAUDE.md', RULES].map((path) => join(harness.root, path));
    const past = new Date(Date.now() - 86_400_000);
    for (const path of paths) utimesSync(path, past, past);
    const before = paths.map((path) => statSync(path));
    for (let session = 0; session < 3; session += 1) await harness.update();
    const after = paths.map((path) => statSync(path));
    expect(after.map(({ ino, mtimeMs }) => [ino, mtimeMs])).toEqual(
      before.map(({ ino, mtimeMs }) => [ino, mtimeMs]),
    );
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    expect(paths.map((path) => readFileSync(path, 'utf8').includes('Second'))).toEqual([true, true, true]);
    expect(harness.git('status', '--porcelain')).toBe('');
  });

  it('removes deleted records, and the file when no record remains', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true });
    harness.remember('First', 'src/cart.ts');
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    harness.remembered.pop();
    harness.files.wakeAll();
    await harness.files.settled();
    expect(harness.read('CLAUDE.md')).not.toContain('Second');
    expect(harness.read('src/CLAUDE.md')).not.toContain('Second');
    harness.remembered.pop();
    harness.files.wakeAll();
    await harness.files.settled();
    expect([harness.has('CLAUDE.md'), harness.has('src/CLAUDE.md')]).toEqual([false, false]);
    expect(harness.files.report(harness.root)).toEqual([]);
  });

  it('stores no text of records in the ledger', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.remember('Where the key lies', 'src/cart.ts');
    await harness.update();
    expect(readFileSync(harness.ledgerFile, 'utf8')).toContain('CLAUDE.md');
    expect(readFileSync(harness.ledgerFile, 'utf8')).not.toContain('Where the key lies');
  });

  it('removes the file of a folder when its changed files are deleted, and the folder when it is empty', async () => {
    using harness = openHarness({ claudeMdFolders: true });
    harness.write('lib/a.ts', 'x');
    harness.remember('First', 'lib/a.ts');
    await harness.update();
    expect(harness.has('lib/CLAUDE.md')).toBe(true);
    rmSync(join(harness.root, 'lib/a.ts'));
    await harness.update();
    expect(harness.has('lib')).toBe(false);
  });
});

describe('removal of files', () => {
  const TEXTS = {
    'with a line end': 'Rules.\n',
    'without a line end': 'Rules.',
    'of Windows': '\ufeffRules.\r\nMore.\r\n',
    'not UTF-8': Buffer.from([0x52, 0xe9, 0x67, 0xff, 0x0a]),
    empty: '',
    'with a blank at the end': 'Rules.\n\n\n',
  };

  it.each(Object.entries(TEXTS))('restores a file %s when the setting is disabled', async (_, text) => {
    using harness = openHarness({ claudeMd: true });
    harness.write('CLAUDE.md', text);
    chmodSync(join(harness.root, 'CLAUDE.md'), 0o640);
    const before = readFileSync(join(harness.root, 'CLAUDE.md'));
    const exclude = harness.read('.git/info/exclude');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    const with1 = readFileSync(join(harness.root, 'CLAUDE.md'));
    expect(with1.subarray(0, before.length).equals(before)).toBe(true);
    expect(with1.toString()).toContain('First');
    expect(statSync(join(harness.root, 'CLAUDE.md')).mode & 0o777).toBe(0o640);
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toContain('Second');
    expect(harness.read('CLAUDE.md').match(/<claude-mem-context>/g)).toHaveLength(1);
    harness.options.claudeMd = false;
    await harness.update();
    expect(readFileSync(join(harness.root, 'CLAUDE.md')).equals(before)).toBe(true);
    expect(harness.read('.git/info/exclude')).toBe(exclude);
  });

  it('uses the line ends of the file in the block', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.write('CLAUDE.md', 'Rules.\r\n');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md').replaceAll('\r\n', '')).not.toContain('\n');
    const before = statSync(join(harness.root, 'CLAUDE.md'));
    await harness.update();
    expect(statSync(join(harness.root, 'CLAUDE.md')).ino).toBe(before.ino);
  });

  it('keeps text of the user in a context file, and stops hiding the file from git, when claude-mem removes its text', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    const block = harness.read('CLAUDE.md');
    harness.write('CLAUDE.md', `# Ours\n\n${block}\nUse tabs.\n`);
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toContain('Second');
    expect(harness.git('status', '--porcelain')).toBe('?? CLAUDE.md\n');
    await harness.files.remove(harness.root);
    expect(harness.read('CLAUDE.md')).toBe('# Ours\n\n\nUse tabs.\n');
  });

  it('removes all files on command, and writes none until the user restores them', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    const exclude = harness.read('.git/info/exclude');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    const removed = await harness.files.remove(harness.root);
    expect(removed.map(({ state }) => state)).toEqual(['away', 'away', 'away']);
    harness.write('lib/a.ts', 'x');
    harness.remember('Second', 'lib/a.ts');
    await harness.update();
    for (const path of ['CLAUDE.md', 'src/CLAUDE.md', 'lib/CLAUDE.md', '.cursor'])
      expect(harness.has(path), path).toBe(false);
    expect(harness.read('.git/info/exclude')).toBe(exclude);
    await harness.files.restore(harness.root);
    for (const path of ['CLAUDE.md', 'src/CLAUDE.md', 'lib/CLAUDE.md', RULES])
      expect(harness.has(path), path).toBe(true);
  });

  it('writes a deleted file again when its setting was disabled and enabled', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    rmSync(join(harness.root, 'CLAUDE.md'));
    await harness.update();
    await harness.update();
    expect(harness.has('CLAUDE.md')).toBe(false);
    harness.options.claudeMd = false;
    await harness.update();
    harness.options.claudeMd = true;
    await harness.update();
    expect(harness.has('CLAUDE.md')).toBe(true);
  });

  it('reports a file with incomplete markers and updates the others', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    harness.write('src/CLAUDE.md', `${harness.read('src/CLAUDE.md')}</claude-mem-context>\n`);
    const { ledgerFile } = harness;
    const { removed, skipped } = removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(removed).toHaveLength(2);
    expect(skipped).toMatchObject([{ path: join(harness.root, 'src/CLAUDE.md') }]);
    expect(harness.has('src/CLAUDE.md')).toBe(true);
  });

  it('deletes files of a killed writer during an uninstallation, and skips a file that is being written', async () => {
    using harness = openHarness({ claudeMd: true, cursorRules: 'true' });
    harness.write('CLAUDE.md', 'Rules.\n');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    const young = harness.read('CLAUDE.md');
    const [leftover, fresh] = [
      `${dirname(RULES)}/.claude-mem-context.mdc.0123456789ab.tmp`,
      '.CLAUDE.md.0123456789ab.tmp',
    ];
    for (const file of [leftover, fresh]) harness.write(file, 'part');
    utimesSync(join(harness.root, leftover), Date.now() / 1_000 - 4, Date.now() / 1_000 - 4);
    const { ledgerFile } = harness;
    expect(removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS })).toEqual({
      removed: [join(harness.root, RULES)],
      skipped: [{ path: join(harness.root, 'CLAUDE.md'), reason: 'it is being changed' }],
    });
    expect([harness.has('.cursor'), harness.read('CLAUDE.md')]).toEqual([false, young]);
    rmSync(join(harness.root, fresh));
    expect(removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS }).skipped).toEqual([]);
    expect(harness.read('CLAUDE.md')).toBe('Rules.\n');
  });

  it('removes all files of a kind during an uninstallation, and allows them again during an installation', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    harness.write('CLAUDE.md', 'Rules.\n');
    const { ledgerFile } = harness;
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    rmSync(join(harness.root, 'src/CLAUDE.md'));
    await harness.update();
    const { removed, skipped } = removeContextFiles({ ledgerFile, kinds: ['cursor-rules'] });
    expect([removed, skipped]).toEqual([[join(harness.root, RULES)], []]);
    expect(harness.has('.cursor')).toBe(false);
    await harness.update();
    expect([harness.has('.cursor'), harness.read('CLAUDE.md').includes('First')]).toEqual([false, true]);
    expect(removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS }).removed).toHaveLength(1);
    expect(harness.read('CLAUDE.md')).toBe('Rules.\n');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toBe('Rules.\n');
    allowContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS });
    await harness.update();
    expect([harness.has(RULES), harness.read('CLAUDE.md').includes('First')]).toEqual([true, true]);
    expect(harness.has('src/CLAUDE.md')).toBe(false);
  });
});
