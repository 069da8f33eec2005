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
import { labsWith } from './__fixtures__/open-lab.js';
import { allowContextFiles, CONTEXT_FILE_KINDS, removeContextFiles } from './index.js';

const openLab = labsWith({ searchPath: process.env['PATH'] ?? '' });
const RULES = '.cursor/rules/claude-mem-context.mdc';
const BLOCK = /^<claude-mem-context>\n## Recent Memory\n[\s\S]*\n<\/claude-mem-context>$/m;

describe('where files appear', () => {
  it('B153: with the defaults none does, whatever the work touched', async () => {
    using lab = openLab();
    for (let folder = 0; folder < 20; folder += 1) {
      lab.write(`src/f${folder}/a.ts`, 'x');
      lab.remember(`Work ${folder}`, `src/f${folder}/a.ts`);
    }
    lab.git('add', '-A');
    lab.git('commit', '-qm', 'Work');
    await lab.look();
    expect(lab.git('status', '--porcelain', '--ignored')).toBe('');
    expect(lab.files.report(lab.root)).toEqual([]);
  });

  it('B153: what is switched on stays out of git', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    lab.remember('Carts are emptied at night', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toMatch(BLOCK);
    expect(lab.read('src/CLAUDE.md')).toContain('about `src` in earlier');
    expect(lab.read(RULES)).toMatch(/^---\ndescription: .+\nglobs:\nalwaysApply: true\n---\n\n<claude-mem/);
    expect(lab.git('status', '--porcelain')).toBe('');
    expect(lab.git('check-ignore', 'CLAUDE.md', 'src/CLAUDE.md', RULES).trim().split('\n')).toHaveLength(3);
    expect(statSync(join(lab.root, 'CLAUDE.md')).mode & 0o777).toBe(0o600);
    expect(lab.files.report(lab.root).map(({ path, state, records }) => [path, state, records])).toEqual([
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
  ] as const)('the rules file: %s', async (_, cursorRules, hasFolder, isInstalled, isKept) => {
    using lab = openLab({ cursorRules });
    if (hasFolder) lab.write('.cursor/settings.json', '{}');
    if (isInstalled) mkdirSync(join(lab.base, '.cursor'));
    lab.remember('Carts are emptied at night', 'src/cart.ts');
    await lab.look();
    expect(lab.has(RULES)).toBe(isKept);
  });

  it('the rules file: auto, and a session of Cursor', async () => {
    using lab = openLab();
    lab.hosts.push('cursor');
    lab.remember('Carts are emptied at night', 'src/cart.ts');
    await lab.look();
    expect(lab.has(RULES)).toBe(true);
    lab.wishes.cursorRules = 'false';
    await lab.look();
    expect(lab.has('.cursor')).toBe(false);
  });

  it('B155: never in folders of tools, nor in what git leaves alone', async () => {
    using lab = openLab({ claudeMdFolders: true });
    lab.write('.gitignore', 'local/\n');
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
    for (const file of files) lab.write(file, 'x');
    lab.remember('Touched much', ...files, 'src/cart.ts');
    const before = lab.git('status', '--porcelain', '--ignored');
    await lab.look();
    expect(lab.files.report(lab.root).map(({ path }) => path)).toEqual(['src/CLAUDE.md']);
    for (const file of files) expect(existsSync(join(lab.root, file, '..', 'CLAUDE.md')), file).toBe(false);
    expect(lab.git('status', '--porcelain', '--ignored')).toBe(`${before}!! src/CLAUDE.md\n`);
  });

  it('B156: never for paths that are not there, nor outside, nor through links, nor in another repository', async () => {
    using lab = openLab({ claudeMdFolders: true });
    mkdirSync(join(lab.base, 'outside'));
    lab.write('../outside/out.ts', 'x');
    symlinkSync(join(lab.base, 'outside'), join(lab.root, 'linked'));
    symlinkSync('src', join(lab.root, 'inner-link'));
    lab.write('other/.git', 'gitdir: ../elsewhere');
    lab.write('other/lib/a.ts', 'x');
    mkdirSync(join(lab.root, 'empty'));
    lab.write('no-file/gone.ts', 'x');
    rmSync(join(lab.root, 'no-file/gone.ts'));
    lab.remember(
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
      `${lab.root}/src/cart.ts`,
      'src//cart.ts',
      'src/',
      'src/cart.ts/x',
      `${'a/'.repeat(600)}b`,
      'src/\n/x.ts',
    );
    await lab.look();
    expect(lab.files.report(lab.root)).toEqual([]);
    for (const folder of ['gs:', '~', 'frontend', 'src', 'linked', 'other/lib', 'no-file', 'empty'])
      expect(lab.has(`${folder}/CLAUDE.md`), folder).toBe(false);
    for (const folder of ['gs:', '~', 'frontend', 'see #12', 'a'])
      expect(lab.has(folder), folder).toBe(false);
    expect(lab.has('../outside/CLAUDE.md')).toBe(false);
  });

  it('not in an excluded project, and out of one that becomes excluded', async () => {
    using lab = openLab({ claudeMd: true });
    lab.remember('A secret', 'src/cart.ts');
    lab.excluded.add(lab.root);
    await lab.look();
    expect(lab.has('CLAUDE.md')).toBe(false);
    lab.excluded.clear();
    await lab.look();
    expect(lab.has('CLAUDE.md')).toBe(true);
    lab.excluded.add(lab.root);
    await lab.look();
    expect(lab.has('CLAUDE.md')).toBe(false);
  });
});

describe('when a file is written', () => {
  it('B154: not without content, and not again after it was deleted', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true });
    await lab.look();
    expect([lab.has('CLAUDE.md'), lab.has('src/CLAUDE.md')]).toEqual([false, false]);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    rmSync(join(lab.root, 'src/CLAUDE.md'));
    lab.write('CLAUDE.md', 'Mine now.\n');
    for (const title of ['Second', 'Third']) {
      lab.remember(title, 'src/cart.ts');
      await lab.look();
    }
    expect(lab.has('src/CLAUDE.md')).toBe(false);
    expect(lab.read('CLAUDE.md')).toBe('Mine now.\n');
    expect(lab.files.report(lab.root).map(({ state }) => state)).toEqual(['away', 'away']);
    expect(lab.git('status', '--porcelain')).toBe('?? CLAUDE.md\n');
    await lab.files.restore(lab.root);
    expect(lab.read('src/CLAUDE.md')).toContain('Third');
    expect(lab.read('CLAUDE.md')).toMatch(/^Mine now\.\n\n<claude-mem-context>\n/);
  });

  it('B154: a file that git has and that was deleted stays deleted', async () => {
    using lab = openLab({ claudeMd: true });
    lab.write('CLAUDE.md', 'Ours.\n');
    lab.git('add', '-A');
    lab.git('commit', '-qm', 'Rules');
    rmSync(join(lab.root, 'CLAUDE.md'));
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.has('CLAUDE.md')).toBe(false);
    expect(lab.git('status', '--porcelain')).toBe(' D CLAUDE.md\n');
  });

  it('B158: not when nothing changed, on any day', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    const paths = ['CLAUDE.md', 'src/CLAUDE.md', RULES].map((path) => join(lab.root, path));
    const past = new Date(Date.now() - 86_400_000);
    for (const path of paths) utimesSync(path, past, past);
    const before = paths.map((path) => statSync(path));
    for (let session = 0; session < 3; session += 1) await lab.look();
    const after = paths.map((path) => statSync(path));
    expect(after.map(({ ino, mtimeMs }) => [ino, mtimeMs])).toEqual(
      before.map(({ ino, mtimeMs }) => [ino, mtimeMs]),
    );
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(paths.map((path) => readFileSync(path, 'utf8').includes('Second'))).toEqual([true, true, true]);
    expect(lab.git('status', '--porcelain')).toBe('');
  });

  it('what is forgotten goes from the file, and the file with the last of it', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true });
    lab.remember('First', 'src/cart.ts');
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    lab.remembered.pop();
    lab.files.wakeAll();
    await lab.files.settled();
    expect(lab.read('CLAUDE.md')).not.toContain('Second');
    expect(lab.read('src/CLAUDE.md')).not.toContain('Second');
    lab.remembered.pop();
    lab.files.wakeAll();
    await lab.files.settled();
    expect([lab.has('CLAUDE.md'), lab.has('src/CLAUDE.md')]).toEqual([false, false]);
    expect(lab.files.report(lab.root)).toEqual([]);
  });

  it('the ledger holds no word of what is remembered', async () => {
    using lab = openLab({ claudeMd: true });
    lab.remember('Where the key lies', 'src/cart.ts');
    await lab.look();
    expect(readFileSync(lab.ledgerFile, 'utf8')).toContain('CLAUDE.md');
    expect(readFileSync(lab.ledgerFile, 'utf8')).not.toContain('Where the key lies');
  });

  it('a folder whose file is gone loses its own, and goes when it is empty', async () => {
    using lab = openLab({ claudeMdFolders: true });
    lab.write('lib/a.ts', 'x');
    lab.remember('First', 'lib/a.ts');
    await lab.look();
    expect(lab.has('lib/CLAUDE.md')).toBe(true);
    rmSync(join(lab.root, 'lib/a.ts'));
    await lab.look();
    expect(lab.has('lib')).toBe(false);
  });
});

describe('taking it out', () => {
  const TEXTS = {
    'with a line end': 'Rules.\n',
    'without a line end': 'Rules.',
    'of Windows': '\ufeffRules.\r\nMore.\r\n',
    'not UTF-8': Buffer.from([0x52, 0xe9, 0x67, 0xff, 0x0a]),
    empty: '',
    'with a blank at the end': 'Rules.\n\n\n',
  };

  it.each(Object.entries(TEXTS))('a file %s is as before after switching off', async (_, text) => {
    using lab = openLab({ claudeMd: true });
    lab.write('CLAUDE.md', text);
    chmodSync(join(lab.root, 'CLAUDE.md'), 0o640);
    const before = readFileSync(join(lab.root, 'CLAUDE.md'));
    const exclude = lab.read('.git/info/exclude');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    const with1 = readFileSync(join(lab.root, 'CLAUDE.md'));
    expect(with1.subarray(0, before.length).equals(before)).toBe(true);
    expect(with1.toString()).toContain('First');
    expect(statSync(join(lab.root, 'CLAUDE.md')).mode & 0o777).toBe(0o640);
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toContain('Second');
    expect(lab.read('CLAUDE.md').match(/<claude-mem-context>/g)).toHaveLength(1);
    lab.wishes.claudeMd = false;
    await lab.look();
    expect(readFileSync(join(lab.root, 'CLAUDE.md')).equals(before)).toBe(true);
    expect(lab.read('.git/info/exclude')).toBe(exclude);
  });

  it('line ends of the file are those of the block', async () => {
    using lab = openLab({ claudeMd: true });
    lab.write('CLAUDE.md', 'Rules.\r\n');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md').replaceAll('\r\n', '')).not.toContain('\n');
    const before = statSync(join(lab.root, 'CLAUDE.md'));
    await lab.look();
    expect(statSync(join(lab.root, 'CLAUDE.md')).ino).toBe(before.ino);
  });

  it('what a person wrote into our file stays, and is for git to see', async () => {
    using lab = openLab({ claudeMd: true });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    const block = lab.read('CLAUDE.md');
    lab.write('CLAUDE.md', `# Ours\n\n${block}\nUse tabs.\n`);
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toContain('Second');
    expect(lab.git('status', '--porcelain')).toBe('?? CLAUDE.md\n');
    await lab.files.remove(lab.root);
    expect(lab.read('CLAUDE.md')).toBe('# Ours\n\n\nUse tabs.\n');
  });

  it('a person’s command takes all out and keeps it out, until they want it again', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    const exclude = lab.read('.git/info/exclude');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    const removed = await lab.files.remove(lab.root);
    expect(removed.map(({ state }) => state)).toEqual(['away', 'away', 'away']);
    lab.write('lib/a.ts', 'x');
    lab.remember('Second', 'lib/a.ts');
    await lab.look();
    for (const path of ['CLAUDE.md', 'src/CLAUDE.md', 'lib/CLAUDE.md', '.cursor'])
      expect(lab.has(path), path).toBe(false);
    expect(lab.read('.git/info/exclude')).toBe(exclude);
    await lab.files.restore(lab.root);
    for (const path of ['CLAUDE.md', 'src/CLAUDE.md', 'lib/CLAUDE.md', RULES])
      expect(lab.has(path), path).toBe(true);
  });

  it('switching off and on again is wanting it again', async () => {
    using lab = openLab({ claudeMd: true });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    rmSync(join(lab.root, 'CLAUDE.md'));
    await lab.look();
    await lab.look();
    expect(lab.has('CLAUDE.md')).toBe(false);
    lab.wishes.claudeMd = false;
    await lab.look();
    lab.wishes.claudeMd = true;
    await lab.look();
    expect(lab.has('CLAUDE.md')).toBe(true);
  });

  it('a file with broken marks stops no other, and is named', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    lab.write('src/CLAUDE.md', `${lab.read('src/CLAUDE.md')}</claude-mem-context>\n`);
    const { ledgerFile } = lab;
    const { removed, left } = removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(removed).toHaveLength(2);
    expect(left).toMatchObject([{ path: join(lab.root, 'src/CLAUDE.md') }]);
    expect(lab.has('src/CLAUDE.md')).toBe(true);
  });

  it('an uninstallation takes with it what a killed writer left, and leaves a file that somebody may be writing', async () => {
    using lab = openLab({ claudeMd: true, cursorRules: 'true' });
    lab.write('CLAUDE.md', 'Rules.\n');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    const young = lab.read('CLAUDE.md');
    const [left, fresh] = [
      `${dirname(RULES)}/.claude-mem-context.mdc.0123456789ab.tmp`,
      '.CLAUDE.md.0123456789ab.tmp',
    ];
    for (const file of [left, fresh]) lab.write(file, 'part');
    utimesSync(join(lab.root, left), Date.now() / 1_000 - 4, Date.now() / 1_000 - 4);
    const { ledgerFile } = lab;
    expect(removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS })).toEqual({
      removed: [join(lab.root, RULES)],
      left: [{ path: join(lab.root, 'CLAUDE.md'), reason: 'it is being changed' }],
    });
    expect([lab.has('.cursor'), lab.read('CLAUDE.md')]).toEqual([false, young]);
    rmSync(join(lab.root, fresh));
    expect(removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS }).left).toEqual([]);
    expect(lab.read('CLAUDE.md')).toBe('Rules.\n');
  });

  it('an uninstallation takes out all of a kind without git or worker, and an installation lets it come back', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    lab.write('CLAUDE.md', 'Rules.\n');
    const { ledgerFile } = lab;
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    rmSync(join(lab.root, 'src/CLAUDE.md'));
    await lab.look();
    const { removed, left } = removeContextFiles({ ledgerFile, kinds: ['cursor-rules'] });
    expect([removed, left]).toEqual([[join(lab.root, RULES)], []]);
    expect(lab.has('.cursor')).toBe(false);
    await lab.look();
    expect([lab.has('.cursor'), lab.read('CLAUDE.md').includes('First')]).toEqual([false, true]);
    expect(removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS }).removed).toHaveLength(1);
    expect(lab.read('CLAUDE.md')).toBe('Rules.\n');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toBe('Rules.\n');
    allowContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS });
    await lab.look();
    expect([lab.has(RULES), lab.read('CLAUDE.md').includes('First')]).toEqual([true, true]);
    expect(lab.has('src/CLAUDE.md')).toBe(false);
  });
});
