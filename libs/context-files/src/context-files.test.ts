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

describe('where files appear', () => {
  it('B153: with the defaults none does, whatever the work touched', async () => {
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

  it('B153: what is switched on stays out of git', async () => {
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
  ] as const)('the rules file: %s', async (_, cursorRules, hasFolder, isInstalled, isKept) => {
    using harness = openHarness({ cursorRules });
    if (hasFolder) harness.write('.cursor/settings.json', '{}');
    if (isInstalled) mkdirSync(join(harness.base, '.cursor'));
    harness.remember('Carts are emptied at night', 'src/cart.ts');
    await harness.update();
    expect(harness.has(RULES)).toBe(isKept);
  });

  it('the rules file: auto, and a session of Cursor', async () => {
    using harness = openHarness();
    harness.hosts.push('cursor');
    harness.remember('Carts are emptied at night', 'src/cart.ts');
    await harness.update();
    expect(harness.has(RULES)).toBe(true);
    harness.options.cursorRules = 'false';
    await harness.update();
    expect(harness.has('.cursor')).toBe(false);
  });

  it('B155: never in folders of tools, nor in what git leaves alone', async () => {
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

  it('B156: never for paths that are not there, nor outside, nor through links, nor in another repository', async () => {
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

  it('not in an excluded project, and out of one that becomes excluded', async () => {
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

describe('when a file is written', () => {
  it('B154: not without content, and not again after it was deleted', async () => {
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

  it('B154: a file that git has and that was deleted stays deleted', async () => {
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

  it('B158: not when nothing changed, on any day', async () => {
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

  it('what is forgotten goes from the file, and the file with the last of it', async () => {
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

  it('the ledger holds no word of what is remembered', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.remember('Where the key lies', 'src/cart.ts');
    await harness.update();
    expect(readFileSync(harness.ledgerFile, 'utf8')).toContain('CLAUDE.md');
    expect(readFileSync(harness.ledgerFile, 'utf8')).not.toContain('Where the key lies');
  });

  it('a folder whose file is gone loses its own, and goes when it is empty', async () => {
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

  it('line ends of the file are those of the block', async () => {
    using harness = openHarness({ claudeMd: true });
    harness.write('CLAUDE.md', 'Rules.\r\n');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md').replaceAll('\r\n', '')).not.toContain('\n');
    const before = statSync(join(harness.root, 'CLAUDE.md'));
    await harness.update();
    expect(statSync(join(harness.root, 'CLAUDE.md')).ino).toBe(before.ino);
  });

  it('what a person wrote into our file stays, and is for git to see', async () => {
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

  it('a person’s command takes all out and keeps it out, until they want it again', async () => {
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

  it('switching off and on again is wanting it again', async () => {
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

  it('a file with broken marks stops no other, and is named', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    harness.write('src/CLAUDE.md', `${harness.read('src/CLAUDE.md')}</claude-mem-context>\n`);
    const { ledgerFile } = harness;
    const { removed, left } = removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(removed).toHaveLength(2);
    expect(left).toMatchObject([{ path: join(harness.root, 'src/CLAUDE.md') }]);
    expect(harness.has('src/CLAUDE.md')).toBe(true);
  });

  it('an uninstallation takes with it what a killed writer left, and leaves a file that somebody may be writing', async () => {
    using harness = openHarness({ claudeMd: true, cursorRules: 'true' });
    harness.write('CLAUDE.md', 'Rules.\n');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    const young = harness.read('CLAUDE.md');
    const [left, fresh] = [
      `${dirname(RULES)}/.claude-mem-context.mdc.0123456789ab.tmp`,
      '.CLAUDE.md.0123456789ab.tmp',
    ];
    for (const file of [left, fresh]) harness.write(file, 'part');
    utimesSync(join(harness.root, left), Date.now() / 1_000 - 4, Date.now() / 1_000 - 4);
    const { ledgerFile } = harness;
    expect(removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS })).toEqual({
      removed: [join(harness.root, RULES)],
      left: [{ path: join(harness.root, 'CLAUDE.md'), reason: 'it is being changed' }],
    });
    expect([harness.has('.cursor'), harness.read('CLAUDE.md')]).toEqual([false, young]);
    rmSync(join(harness.root, fresh));
    expect(removeContextFiles({ ledgerFile, kinds: CONTEXT_FILE_KINDS }).left).toEqual([]);
    expect(harness.read('CLAUDE.md')).toBe('Rules.\n');
  });

  it('an uninstallation takes out all of a kind without git or worker, and an installation lets it come back', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    harness.write('CLAUDE.md', 'Rules.\n');
    const { ledgerFile } = harness;
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    rmSync(join(harness.root, 'src/CLAUDE.md'));
    await harness.update();
    const { removed, left } = removeContextFiles({ ledgerFile, kinds: ['cursor-rules'] });
    expect([removed, left]).toEqual([[join(harness.root, RULES)], []]);
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
