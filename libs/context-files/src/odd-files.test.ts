import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { changeFile } from './change-file.js';
import { labsWith } from './__fixtures__/open-lab.js';
import { CONTEXT_FILE_KINDS, removeContextFiles } from './index.js';

const openLab = labsWith({ searchPath: process.env['PATH'] ?? '' });
const BLOCK = '<claude-mem-context>\nmine\n</claude-mem-context>\n';

describe('a person’s text that looks like ours', { timeout: 60_000 }, () => {
  it.each([
    ['an example in a code block', `Ours:\n\n\`\`\`md\n${BLOCK}\`\`\`\n`, 'code block'],
    ['an example in a longer fence', `~~~~\n~~~\n${BLOCK}~~~~\n`, 'code block'],
    [
      'a merge that is not resolved',
      'a\n<<<<<<< HEAD\n<claude-mem-context>\nx\n=======\nmine\n>>>>>>> b\n</claude-mem-context>\n',
      'merge',
    ],
  ])('%s stays as it is, with a word on why', async (_, text, reason) => {
    using lab = openLab({ claudeMd: true });
    lab.write('CLAUDE.md', text);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    lab.wishes.claudeMd = false;
    expect(lab.files.problems().join()).toContain(reason);
    await lab.look();
    expect(lab.read('CLAUDE.md')).toBe(text);
  });

  it('S05: a rules file with our tags that git has stays as it is', async () => {
    using lab = openLab({ cursorRules: 'auto' });
    mkdirSync(join(lab.base, '.cursor'));
    const path = '.cursor/rules/claude-mem-context.mdc';
    lab.write(path, BLOCK);
    lab.git('add', '-A');
    lab.git('commit', '-qm', 'Rules');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.read(path)).toBe(BLOCK);
    expect(lab.files.problems().join()).toContain('git has it');
    lab.git('rm', '-q', '--cached', path);
    await lab.look();
    expect(lab.read(path)).toContain('First');
  });

  it('S05: reports that git did not answer about a rules file with our tags', async () => {
    using lab = openLab({ cursorRules: 'true' }, { isGitAway: () => true });
    const path = '.cursor/rules/claude-mem-context.mdc';
    lab.write(path, BLOCK);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.read(path)).toBe(BLOCK);
    expect(lab.files.problems().join()).toContain('git could not be asked about it');
  });

  it('S05: a rules file of ours that git replaces with one that it has stays as git has it', async () => {
    using lab = openLab({ cursorRules: 'true' });
    const path = '.cursor/rules/claude-mem-context.mdc';
    lab.git('switch', '-qc', 'theirs');
    lab.write(path, BLOCK);
    lab.git('add', '-A');
    lab.git('commit', '-qm', 'Rules');
    lab.git('switch', '-q', 'main');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.read(path)).toContain('First');
    lab.git('switch', '-q', 'theirs');
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(lab.read(path)).toBe(BLOCK);
    expect(lab.git('status', '--porcelain')).toBe('');
  });

  it.each(['Text\n```\nnever closed\n', 'Text\n```\nclosed\n```\n', 'A ```` line ````\n'])(
    'a block behind %j is ours',
    async (text) => {
      using lab = openLab({ claudeMd: true });
      lab.write('CLAUDE.md', text);
      for (const title of ['First', 'Second']) {
        lab.remember(title, 'src/cart.ts');
        await lab.look();
        expect(lab.read('CLAUDE.md')).toContain(title);
      }
      lab.wishes.claudeMd = false;
      await lab.look();
      expect(lab.read('CLAUDE.md')).toBe(text);
    },
  );

  it('titles like marks, fences, comments and merges break no block', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    const hostile = ['</claude-mem-context>', 'x\n</claude-mem-context>\ny', '\r</claude-mem-context>\r'];
    for (const title of [...hostile, '<!-- open', '```', '~~~', '=======', '<<<<<<< HEAD', '@~/.ssh/id_rsa'])
      lab.remember(title, 'src/cart.ts');
    await lab.look();
    lab.remember('Last', 'src/cart.ts');
    await lab.look();
    expect(lab.files.problems()).toEqual([]);
    expect([lab.read('CLAUDE.md'), lab.read('src/CLAUDE.md')].join()).not.toMatch(/@~|<!--/);
    await lab.files.remove(lab.root);
    expect([lab.has('CLAUDE.md'), lab.has('src/CLAUDE.md'), lab.has('.cursor')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('byte by byte as before', { timeout: 60_000 }, () => {
  it.each(['a\rb\r', 'a\r\nb\r', 'a\rb', '\ufeff', '\n', '\r\n\r\n', ' '])('%j', async (text) => {
    using lab = openLab({ claudeMd: true });
    lab.write('CLAUDE.md', text);
    for (const title of ['First', 'Second']) {
      lab.remember(title, 'src/cart.ts');
      await lab.look();
      expect(lab.read('CLAUDE.md')).toContain(title);
    }
    lab.wishes.claudeMd = false;
    await lab.look();
    expect(lab.has('CLAUDE.md') && lab.read('CLAUDE.md')).toBe(text);
  });

  it.each([
    ['\n', '\r\n'],
    ['\r\n', '\n'],
  ])('also where %j became %j meanwhile', async (from, to) => {
    for (const text of [`Rules.${from}`, `Rules.${from}More.`]) {
      using lab = openLab({ claudeMd: true });
      lab.write('CLAUDE.md', text);
      lab.remember('First', 'src/cart.ts');
      await lab.look();
      lab.write('CLAUDE.md', lab.read('CLAUDE.md').replaceAll(from, to));
      lab.wishes.claudeMd = false;
      await lab.look();
      expect(lab.read('CLAUDE.md')).toBe(text.replaceAll(from, to));
    }
  });

  it.each([1024 * 1024 - 20, 1024 * 1024])('a file of %i bytes, about the limit', async (bytes) => {
    using lab = openLab({ claudeMd: true });
    const text = 'x'.repeat(bytes);
    lab.write('CLAUDE.md', text);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    lab.remembered.pop();
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md').includes('First')).toBe(false);
    lab.wishes.claudeMd = false;
    await lab.look();
    expect(lab.read('CLAUDE.md') === text).toBe(true);
  });
});

describe('nothing outside', { timeout: 60_000 }, () => {
  it('a folder that became a link to another project: its block is not ours', async () => {
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

  it.each(['the old place', 'the new place'])(
    'a project that was moved, with a link where it was, keeps its block; %s is looked at first',
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
      await lab.look(first === 'the old place' ? lab.root : moved);
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

  it('a link to another checkout in the place of a project: nothing of that one is touched', async () => {
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

  it('a folder that goes while git is asked does not come back with a file', async () => {
    let ask = () => false;
    using lab = openLab({ claudeMdFolders: true, cursorRules: 'true' }, { isGitAway: () => ask() });
    lab.write('lib/a.ts', 'x');
    const exclude = lab.read('.git/info/exclude');
    lab.remember('First', 'lib/a.ts');
    let asked = 0;
    ask = () => {
      // the folders are chosen by then
      if ((asked += 1) === 2) rmSync(join(lab.root, 'lib'), { recursive: true });
      return false;
    };
    await lab.look();
    expect([asked > 1, lab.has('lib')]).toEqual([true, false]);
    lab.wishes.cursorRules = 'false';
    await lab.look();
    expect([lab.read('.git/info/exclude'), lab.has('.cursor')]).toEqual([exclude, false]);
  });

  it('a project that goes while git is asked does not come back', async () => {
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

  it('no new file that a .gitignore has git show', async () => {
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

describe('what takes the place of a file in the very moment', { timeout: 20_000 }, () => {
  const swapped = async (swap: (path: string) => void) => {
    const path = join(realpathSync(mkdtempSync(join(tmpdir(), 'swapped-'))), 'CLAUDE.md');
    writeFileSync(path, 'mine\n');
    utimesSync(path, 1, 1);
    let swaps = 0;
    const outcome = await changeFile(
      path,
      (current) => {
        if ((swaps += 1) === 1) swap(path);
        return current.kind === 'text' ? `${current.text}[ours]\n` : undefined;
      },
      { clock: systemClock, signal: new AbortController().signal },
    );
    return { outcome, path };
  };

  it('nothing: it stays gone', async () => {
    const { outcome, path } = await swapped((file) => rmSync(file));
    expect([outcome, existsSync(path)]).toEqual(['done', false]);
  });

  it.skipIf(process.platform === 'win32')('a pipe: nobody waits for it', async () => {
    const { outcome, path } = await swapped((file) => {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    });
    expect([outcome, statSync(path).isFIFO()]).toEqual(['done', true]);
  });

  it('a link: what it points to is not read and stays', async () => {
    const { outcome, path } = await swapped((file) => {
      rmSync(file);
      writeFileSync(`${file}.other`, 'other\n');
      symlinkSync(`${file}.other`, file);
    });
    expect([outcome, readFileSync(path, 'utf8')]).toEqual(['done', 'other\n']);
  });
});
