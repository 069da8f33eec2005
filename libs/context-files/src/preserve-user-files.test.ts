import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock, type Clock } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { changeFile } from './change-file.js';
import { labsWith, type Lab } from './__fixtures__/open-lab.js';

const openLab = labsWith({ searchPath: process.env['PATH'] ?? '' });

describe('a person who edits', { timeout: 60_000 }, () => {
  /** `change` runs between reading and writing, where a person's edit would be lost. */
  async function editedMeanwhile(edit: (path: string) => void) {
    const path = join(realpathSync(mkdtempSync(join(tmpdir(), 'edited-'))), 'CLAUDE.md');
    writeFileSync(path, 'mine\n');
    utimesSync(path, 1, 1);
    let edits = 0;
    const change = () =>
      changeFile(
        path,
        (current) => {
          if (edits === 0) edit(path);
          edits += 1;
          if (current.kind !== 'text') return undefined;
          return current.text.includes('[ours]') ? undefined : `${current.text}[ours]\n`;
        },
        { clock: systemClock, signal: new AbortController().signal },
      );
    const first = await change();
    utimesSync(path, 1, 1);
    const second = await change();
    return { first, second, text: readFileSync(path, 'utf8') };
  }

  it.each([
    ['adds a line', (path: string) => appendFileSync(path, 'more\n'), 'mine\nmore\n[ours]\n'],
    ['replaces it', (path: string) => writeFileSync(path, 'new\n'), 'new\n[ours]\n'],
    [
      'renames another over it',
      (path: string) => {
        writeFileSync(`${path}~`, 'other\n');
        renameSync(`${path}~`, path);
      },
      'other\n[ours]\n',
    ],
  ])(
    'B157: somebody %s between our reading and writing: both are there, ours once',
    async (_, edit, text) => {
      expect(await editedMeanwhile(edit)).toEqual({ first: 'busy', second: 'done', text });
    },
  );

  it('many files are waited for side by side', async () => {
    const folders = Array.from({ length: 6 }, (_, number) => `src/part-${number}`);
    let waiting = 0;
    let areTogether = () => {};
    let most = 0;
    const together = new Promise<void>((resolve) => (areTogether = resolve));
    const clock: Clock = {
      now: () => Date.now() + 5_000,
      async sleep(ms, options) {
        waiting += 1;
        most = Math.max(most, waiting);
        if (waiting === folders.length) areTogether();
        // the wait after a write is long enough for all files; the longer one before it, which gathers turns, is cut short
        await Promise.race([together, systemClock.sleep(ms < 200 ? ms * 20 : ms / 10, options)]);
        waiting -= 1;
      },
    };
    using lab = openLab({ claudeMdFolders: true }, { clock });
    for (const folder of folders) {
      lab.write(`${folder}/CLAUDE.md`, 'Rules.\n');
      lab.write(`${folder}/a.ts`, 'export {};\n');
      lab.remember(`Changed ${folder}`, `${folder}/a.ts`);
    }
    await lab.look();
    for (const folder of folders) expect(lab.read(`${folder}/CLAUDE.md`)).toContain('<claude-mem-context>');
    expect(most).toBe(folders.length);
  });

  it('a file that is saved without end is said to be left alone', async () => {
    const now = Date.now();
    const clock: Clock = { now: () => now, sleep: (ms, options) => systemClock.sleep(ms / 100, options) };
    using lab = openLab({ claudeMd: true }, { clock });
    lab.remember('The tax is rounded up', 'src/cart.ts');
    lab.write('CLAUDE.md', 'Rules.\n');
    utimesSync(join(lab.root, 'CLAUDE.md'), now / 1_000 - 0.1, now / 1_000 - 0.1);
    await lab.look();
    expect(lab.files.problems()).toEqual([
      `The context file ${join(lab.root, 'CLAUDE.md')} is left alone: another program saves it again and again.`,
    ]);
    expect(lab.warnings).toEqual(['A context file is left alone']);
  });

  it('B157: an editor that was in the middle of saving gets its text back', async () => {
    const path = join(realpathSync(mkdtempSync(join(tmpdir(), 'saving-'))), 'CLAUDE.md');
    writeFileSync(path, 'mine\n');
    utimesSync(path, 1, 1);
    const { openSync, writeSync, ftruncateSync, closeSync } = await import('node:fs');
    const editor = openSync(path, 'r+');
    const changing = changeFile(
      path,
      (current) => (current.kind === 'text' ? `${current.text}[ours]\n` : undefined),
      { clock: systemClock, signal: new AbortController().signal },
    );
    // it still has the file that was just replaced
    ftruncateSync(editor);
    await systemClock.sleep(200);
    writeSync(editor, 'mine, and more\n', 0);
    closeSync(editor);
    expect(await changing).toBe('busy');
    expect(readFileSync(path, 'utf8')).toBe('mine, and more\n');
  });

  it.each(['in place', 'by renaming'])(
    'B157: a person who saves all the time, %s, loses nothing, and has the block once in the end',
    async (how) => {
      using lab = openLab({ claudeMd: true }, { clock: systemClock });
      const path = join(lab.root, 'CLAUDE.md');
      const linesOf = (file: string) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line.startsWith('line '));
      lab.write('CLAUDE.md', 'line 0\n');
      const script = `
        const fs = require('node:fs');
        const [path, how] = process.argv.slice(1);
        let line = 0;
        const timer = setInterval(() => {
          line += 1;
          const text = fs.readFileSync(path, 'utf8').replace(/(line \\d+\\n)(?!line)/, '$1line ' + line + '\\n');
          if (how === 'in place') fs.writeFileSync(path, text);
          else { fs.writeFileSync(path + '.new', text); fs.renameSync(path + '.new', path); }
          if (line === 60) clearInterval(timer);
        }, 20);`;
      const person = new Promise((resolve) => execFile(process.execPath, ['-e', script, path, how], resolve));
      for (let turn = 0; turn < 4; turn += 1) {
        lab.remember(`Turn ${turn}`, 'src/cart.ts');
        lab.files.wake(lab.root);
        await expect.poll(() => linesOf(path).length).toBeGreaterThan(15 * turn);
      }
      await person;
      await lab.look();
      const text = lab.read('CLAUDE.md');
      expect(linesOf(path)).toEqual(Array.from({ length: 61 }, (_, line) => `line ${line}`));
      expect(text.match(/<claude-mem-context>/g)).toHaveLength(1);
      expect(text).toContain('Turn 3');
      expect(readdirSync(lab.root).sort()).toEqual(['.git', 'CLAUDE.md', 'src']);
    },
  );

  it('what we wrote a moment ago is written again at once, what a person saved then is not', async () => {
    const path = join(realpathSync(mkdtempSync(join(tmpdir(), 'again-'))), 'CLAUDE.md');
    const options = { clock: systemClock, signal: new AbortController().signal, ownWrites: new Map() };
    const set = (text: string) => changeFile(path, () => text, options);
    expect([await set('one'), await set('two'), await set('three')]).toEqual(['done', 'done', 'done']);
    writeFileSync(path, 'mine');
    expect([await set('four'), readFileSync(path, 'utf8')]).toEqual(['busy', 'mine']);
  });

  it('turns in quick succession are one write', async () => {
    using lab = openLab({ claudeMd: true });
    for (let turn = 0; turn < 20; turn += 1) {
      lab.remember(`Turn ${turn}`, 'src/cart.ts');
      lab.files.wake(lab.root);
    }
    await lab.files.settled();
    const { ino } = statSync(join(lab.root, 'CLAUDE.md'));
    expect(lab.read('CLAUDE.md')).toContain('Turn 19');
    await lab.look();
    expect(statSync(join(lab.root, 'CLAUDE.md')).ino).toBe(ino);
  });
});

describe('what is left alone', { timeout: 60_000 }, () => {
  const BLOCK = '<claude-mem-context>\nold\n</claude-mem-context>\n';

  it.each<[string, (lab: Lab) => void, string]>([
    ['a link', (lab) => linked(lab, 'symbolic'), 'it is a link'],
    ['a file with two names', (lab) => linked(lab, 'hard'), 'second name'],
    ['a folder', (lab) => lab.write('CLAUDE.md/x', 'x'), 'no file'],
    ['a read-only file', (lab) => closed(lab), 'read-only'],
    ['a large file', (lab) => lab.write('CLAUDE.md', 'x'.repeat(1_100_000)), '1 MiB'],
    ['UTF-16', (lab) => lab.write('CLAUDE.md', Buffer.from('\ufeffRules', 'utf16le')), 'plain text'],
    [
      'a block without its end',
      (lab) => lab.write('CLAUDE.md', 'a\n<claude-mem-context>\nb\n'),
      'incomplete',
    ],
    [
      'a block without its begin',
      (lab) => lab.write('CLAUDE.md', 'a\n</claude-mem-context>\nb'),
      'incomplete',
    ],
    ['two blocks', (lab) => lab.write('CLAUDE.md', `${BLOCK}mine\n${BLOCK}`), 'doubled'],
    [
      'a block in a block',
      (lab) => lab.write('CLAUDE.md', BLOCK.replace('old\n', BLOCK)),
      'incomplete or doubled',
    ],
  ])('%s: as it was, said once', async (_, prepare, reason) => {
    using lab = openLab({ claudeMd: true });
    prepare(lab);
    const path = join(lab.root, 'CLAUDE.md');
    const before = statSync(path).isFile() ? readFileSync(path) : null;
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    if (before !== null) expect(readFileSync(path).equals(before)).toBe(true);
    expect(lab.files.problems().join('\n')).toContain(reason);
    expect(lab.warnings).toEqual(['A context file is left alone']);
    expect(lab.files.report(lab.root)).toMatchObject([{ path: 'CLAUDE.md', state: 'left' }]);
    rmSync(path, { recursive: true });
    await lab.look();
    expect(lab.files.problems()).toEqual([]);
    expect(lab.read('CLAUDE.md')).toContain('Second');
  });

  function linked(lab: Lab, kind: 'symbolic' | 'hard') {
    lab.write('AGENTS.md', 'Rules.\n');
    if (kind === 'hard') linkSync(join(lab.root, 'AGENTS.md'), join(lab.root, 'CLAUDE.md'));
    else symlinkSync('AGENTS.md', join(lab.root, 'CLAUDE.md'));
  }
  function closed(lab: Lab) {
    lab.write('CLAUDE.md', 'Rules.\n');
    chmodSync(join(lab.root, 'CLAUDE.md'), 0o444);
  }

  it('a tag in the middle of a line is what a person writes', async () => {
    using lab = openLab({ claudeMd: true });
    const text = 'The block is `<claude-mem-context>`.\n  </claude-mem-context> is its end.\n';
    lab.write('CLAUDE.md', text);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md').startsWith(`${text}\n<claude-mem-context>\n`)).toBe(true);
    lab.wishes.claudeMd = false;
    await lab.look();
    expect(lab.read('CLAUDE.md')).toBe(text);
  });

  it('a rules file of that name that is not ours, and a .cursor that leads elsewhere', async () => {
    using lab = openLab({ cursorRules: 'true' });
    const rules = '.cursor/rules/claude-mem-context.mdc';
    lab.write(rules, '---\nalwaysApply: true\n---\nmine\n');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.read(rules)).toBe('---\nalwaysApply: true\n---\nmine\n');
    expect(lab.files.report(lab.root)).toMatchObject([{ path: rules, kind: 'cursor-rules', state: 'left' }]);
    rmSync(join(lab.root, '.cursor'), { recursive: true });
    mkdirSync(join(lab.base, 'elsewhere'));
    symlinkSync(join(lab.base, 'elsewhere'), join(lab.root, '.cursor'));
    await lab.look();
    expect(readdirSync(join(lab.base, 'elsewhere'))).toEqual([]);
    expect(lab.files.problems().join()).toContain('is a link');
    lab.wishes.cursorRules = 'auto';
    lab.hosts.push('cursor');
    await lab.look();
    expect([readdirSync(join(lab.base, 'elsewhere')), lab.files.problems()]).toEqual([[], []]);
  });

  it('there is no new file where git cannot be told of it', async () => {
    using lab = openLab({ claudeMd: true });
    const exclude = join(lab.root, '.git', 'info', 'exclude');
    rmSync(exclude);
    symlinkSync(join(lab.base, 'shared-patterns'), exclude);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(lab.git('status', '--porcelain')).toBe('');
    expect([lab.has('CLAUDE.md'), existsSync(join(lab.base, 'shared-patterns'))]).toEqual([false, false]);
    expect(lab.files.problems().join()).toContain('git cannot be told');
  });

  it('S05: writes nothing through a linked folder of the repository', async () => {
    using lab = openLab({ claudeMd: true });
    const info = join(lab.root, '.git', 'info');
    const elsewhere = join(lab.base, 'elsewhere');
    renameSync(info, elsewhere);
    symlinkSync(elsewhere, info);
    const before = readFileSync(join(elsewhere, 'exclude'), 'utf8');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect(readFileSync(join(elsewhere, 'exclude'), 'utf8')).toBe(before);
    expect(readdirSync(elsewhere)).toEqual(['exclude']);
    expect(lab.has('CLAUDE.md')).toBe(false);
    expect(lab.files.problems().join()).toContain('info is a link');
  });

  it('where git does not answer what is there stays, and nothing new comes', async () => {
    let isAway = false;
    using lab = openLab({ claudeMdFolders: true }, { isGitAway: () => isAway });
    lab.write('lib/a.ts', 'x');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    isAway = true;
    lab.remember('Second', 'src/cart.ts', 'lib/a.ts');
    await lab.look();
    expect([lab.read('src/CLAUDE.md').includes('Second'), lab.has('lib/CLAUDE.md')]).toEqual([true, false]);
    expect(lab.files.problems().join()).toContain('git could not be asked');
  });

  it('a .cursor that is no folder stays, and the others are kept', async () => {
    using lab = openLab({ claudeMd: true, cursorRules: 'true' });
    lab.write('.cursor', 'no folder');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect([lab.read('.cursor'), lab.has('CLAUDE.md')]).toEqual(['no folder', true]);
    expect(lab.read('.git/info/exclude')).not.toContain('cursor');
    expect(lab.files.report(lab.root).map(({ state }) => state)).toEqual(['left', 'kept']);
  });

  it.skipIf(process.getuid?.() === 0)('a folder that cannot be written is said once', async () => {
    using lab = openLab({ claudeMd: true });
    lab.write('CLAUDE.md', 'Rules.\n');
    chmodSync(lab.root, 0o555);
    for (const title of ['First', 'Second']) {
      lab.remember(title, 'src/cart.ts');
      await lab.look();
    }
    chmodSync(lab.root, 0o755);
    expect(lab.files.problems()).toEqual([
      `The context file ${join(lab.root, 'CLAUDE.md')} is left alone: ${lab.root} cannot be written (EACCES).`,
    ]);
    expect(lab.warnings).toHaveLength(1);
    expect(lab.read('CLAUDE.md')).toBe('Rules.\n');
  });

  it.skipIf(process.getuid?.() === 0)('another folder that cannot be written is named, once', async () => {
    using lab = openLab({ claudeMd: true });
    const patterns = join(lab.root, '.git', 'info');
    chmodSync(patterns, 0o555);
    for (const title of ['First', 'Second']) {
      lab.remember(title, 'src/cart.ts');
      await lab.look();
    }
    expect(lab.files.problems().join()).toContain(`${patterns} cannot be written`);
    chmodSync(patterns, 0o755);
    lab.write('CLAUDE.md', 'Rules.\n');
    chmodSync(dirname(lab.ledgerFile), 0o555);
    await lab.look();
    chmodSync(dirname(lab.ledgerFile), 0o755);
    expect(lab.files.problems().join()).toContain(`${dirname(lab.ledgerFile)} cannot be written`);
    expect(lab.warnings).toHaveLength(2);
  });

  it('there is no new file in a folder that cannot be written', async () => {
    using lab = openLab({ claudeMdFolders: true });
    chmodSync(join(lab.root, 'src'), 0o555);
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    chmodSync(join(lab.root, 'src'), 0o755);
    if (process.getuid?.() === 0) return;
    expect(lab.has('src/CLAUDE.md')).toBe(false);
    expect(lab.read('.git/info/exclude')).not.toContain('CLAUDE');
  });
});

describe('kinds of checkouts', { timeout: 60_000 }, () => {
  it('two worktrees have files of their own, and one line for git', async () => {
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

  it('a worktree that was removed leaves no line behind', async () => {
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

  it('a project that is not there for a while is as it was when it is back', async () => {
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

  it('a project that was moved, or whose ledger is gone, leaves no line behind', async () => {
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

  it('a submodule has its own, and is no folder of the repository around it', async () => {
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

  it('no git: the files, and nothing else', async () => {
    using lab = openLab({ claudeMd: true, claudeMdFolders: true }, { isRepository: false });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    expect([lab.has('CLAUDE.md'), lab.has('src/CLAUDE.md')]).toEqual([true, true]);
    expect(readdirSync(lab.root).sort()).toEqual(['CLAUDE.md', 'src']);
  });

  it('a bare repository has none', async () => {
    using lab = openLab({ claudeMd: true });
    const bare = join(lab.base, 'shop.git');
    lab.git('clone', '-q', '--bare', lab.root, bare);
    const before = readdirSync(bare);
    lab.remember('First', 'src/cart.ts');
    await lab.look(bare);
    expect(readdirSync(bare)).toEqual(before);
  });

  it('odd names are told to git so that only this file is meant', async () => {
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

  it('the exclude file is byte-equal afterwards, also without a line end', async () => {
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

  it('a ledger that cannot be read hinders nobody who only looks', async () => {
    using lab = openLab({ claudeMd: true });
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    rmSync(lab.ledgerFile);
    mkdirSync(lab.ledgerFile);
    lab.files.wakeAll();
    expect([lab.files.toldTo('claude-code', lab.root), lab.files.report(lab.root)]).toEqual([null, []]);
    await lab.look();
    expect(lab.warnings).toContain('The context files of a project could not be kept');
    rmSync(lab.ledgerFile, { recursive: true });
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toContain('Second');
  });

  it('a damaged ledger is begun anew, and what stands in files is found by its marks', async () => {
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
