import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BLOCK, openHarness, type Harness } from './__fixtures__/open-harness.js';

describe('files that cannot be changed safely', { timeout: 60_000 }, () => {
  it.each<[string, (harness: Harness) => void, string]>([
    ['a link', (harness) => linked(harness, 'symbolic'), 'it is a link'],
    ['a file with two names', (harness) => linked(harness, 'hard'), 'second name'],
    ['a folder', (harness) => harness.write('CLAUDE.md/x', 'x'), 'not a regular file'],
    ['a read-only file', (harness) => closed(harness), 'read-only'],
    ['a large file', (harness) => harness.write('CLAUDE.md', 'x'.repeat(1_100_000)), '1 MiB'],
    ['UTF-16', (harness) => harness.write('CLAUDE.md', Buffer.from('\ufeffRules', 'utf16le')), 'plain text'],
    [
      'a block without its end',
      (harness) => harness.write('CLAUDE.md', 'a\n<claude-mem-context>\nb\n'),
      'incomplete',
    ],
    [
      'a block without its begin',
      (harness) => harness.write('CLAUDE.md', 'a\n</claude-mem-context>\nb'),
      'incomplete',
    ],
    ['two blocks', (harness) => harness.write('CLAUDE.md', `${BLOCK}text\n${BLOCK}`), 'duplicated'],
    [
      'a block in a block',
      (harness) => harness.write('CLAUDE.md', BLOCK.replace('mine\n', BLOCK)),
      'incomplete or duplicated',
    ],
  ])('keeps the file and reports it once: %s', async (_, prepare, reason) => {
    using harness = openHarness({ claudeMd: true });
    prepare(harness);
    const path = join(harness.root, 'CLAUDE.md');
    const before = statSync(path).isFile() ? readFileSync(path) : null;
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    if (before !== null) expect(readFileSync(path).equals(before)).toBe(true);
    expect(harness.files.problems().join('\n')).toContain(reason);
    expect(harness.warnings).toEqual(['Skipped a context file']);
    expect(harness.files.report(harness.root)).toMatchObject([{ path: 'CLAUDE.md', state: 'left' }]);
    rmSync(path, { recursive: true });
    await harness.update();
    expect(harness.files.problems()).toEqual([]);
    expect(harness.read('CLAUDE.md')).toContain('Second');
  });

  function linked(harness: Harness, kind: 'symbolic' | 'hard') {
    harness.write('AGENTS.md', 'Rules.\n');
    if (kind === 'hard') linkSync(join(harness.root, 'AGENTS.md'), join(harness.root, 'CLAUDE.md'));
    else symlinkSync('AGENTS.md', join(harness.root, 'CLAUDE.md'));
  }
  function closed(harness: Harness) {
    harness.write('CLAUDE.md', 'Rules.\n');
    chmodSync(join(harness.root, 'CLAUDE.md'), 0o444);
  }

  it('treats a tag in the middle of a line as user text', async () => {
    using harness = openHarness({ claudeMd: true });
    const text = 'The block is `<claude-mem-context>`.\n  </claude-mem-context> is its end.\n';
    harness.write('CLAUDE.md', text);
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md').startsWith(`${text}\n<claude-mem-context>\n`)).toBe(true);
    harness.options.claudeMd = false;
    await harness.update();
    expect(harness.read('CLAUDE.md')).toBe(text);
  });

  it('keeps a foreign rules file, and writes nothing into a .cursor folder that is a link', async () => {
    using harness = openHarness({ cursorRules: 'true' });
    const rules = '.cursor/rules/claude-mem-context.mdc';
    harness.write(rules, '---\nalwaysApply: true\n---\nmine\n');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.read(rules)).toBe('---\nalwaysApply: true\n---\nmine\n');
    expect(harness.files.report(harness.root)).toMatchObject([
      { path: rules, kind: 'cursor-rules', state: 'left' },
    ]);
    rmSync(join(harness.root, '.cursor'), { recursive: true });
    mkdirSync(join(harness.base, 'elsewhere'));
    symlinkSync(join(harness.base, 'elsewhere'), join(harness.root, '.cursor'));
    await harness.update();
    expect(readdirSync(join(harness.base, 'elsewhere'))).toEqual([]);
    expect(harness.files.problems().join()).toContain('is a link');
    harness.options.cursorRules = 'auto';
    harness.hosts.push('cursor');
    await harness.update();
    expect([readdirSync(join(harness.base, 'elsewhere')), harness.files.problems()]).toEqual([[], []]);
  });

  it('creates no file when the git exclude file is a link', async () => {
    using harness = openHarness({ claudeMd: true });
    const exclude = join(harness.root, '.git', 'info', 'exclude');
    rmSync(exclude);
    symlinkSync(join(harness.base, 'shared-patterns'), exclude);
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.git('status', '--porcelain')).toBe('');
    expect([harness.has('CLAUDE.md'), existsSync(join(harness.base, 'shared-patterns'))]).toEqual([
      false,
      false,
    ]);
    expect(harness.files.problems().join()).toContain('it cannot be added to the exclude file of git');
  });

  it('S05: writes nothing through a linked folder of the repository', async () => {
    using harness = openHarness({ claudeMd: true });
    const info = join(harness.root, '.git', 'info');
    const elsewhere = join(harness.base, 'elsewhere');
    renameSync(info, elsewhere);
    symlinkSync(elsewhere, info);
    const before = readFileSync(join(elsewhere, 'exclude'), 'utf8');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(readFileSync(join(elsewhere, 'exclude'), 'utf8')).toBe(before);
    expect(readdirSync(elsewhere)).toEqual(['exclude']);
    expect(harness.has('CLAUDE.md')).toBe(false);
    expect(harness.files.problems().join()).toContain('info is a link');
  });

  it('updates existing files and creates none when git does not answer', async () => {
    let isAway = false;
    using harness = openHarness({ claudeMdFolders: true }, { isGitAway: () => isAway });
    harness.write('lib/a.ts', 'x');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    isAway = true;
    harness.remember('Second', 'src/cart.ts', 'lib/a.ts');
    await harness.update();
    expect([harness.read('src/CLAUDE.md').includes('Second'), harness.has('lib/CLAUDE.md')]).toEqual([
      true,
      false,
    ]);
    expect(harness.files.problems().join()).toContain('git failed');
  });

  it('keeps a .cursor that is not a folder, and writes the other files', async () => {
    using harness = openHarness({ claudeMd: true, cursorRules: 'true' });
    harness.write('.cursor', 'no folder');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect([harness.read('.cursor'), harness.has('CLAUDE.md')]).toEqual(['no folder', true]);
    expect(harness.read('.git/info/exclude')).not.toContain('cursor');
    expect(harness.files.report(harness.root).map(({ state }) => state)).toEqual(['left', 'kept']);
  });

  it.skipIf(process.getuid?.() === 0)(
    'reports once that the folder of a file cannot be written',
    async () => {
      using harness = openHarness({ claudeMd: true });
      harness.write('CLAUDE.md', 'Rules.\n');
      chmodSync(harness.root, 0o555);
      for (const title of ['First', 'Second']) {
        harness.remember(title, 'src/cart.ts');
        await harness.update();
      }
      chmodSync(harness.root, 0o755);
      expect(harness.files.problems()).toEqual([
        `The context file ${join(harness.root, 'CLAUDE.md')} was skipped: ${harness.root} cannot be written (EACCES).`,
      ]);
      expect(harness.warnings).toHaveLength(1);
      expect(harness.read('CLAUDE.md')).toBe('Rules.\n');
    },
  );

  it.skipIf(process.getuid?.() === 0)('reports once which other folder cannot be written', async () => {
    using harness = openHarness({ claudeMd: true });
    const patterns = join(harness.root, '.git', 'info');
    chmodSync(patterns, 0o555);
    for (const title of ['First', 'Second']) {
      harness.remember(title, 'src/cart.ts');
      await harness.update();
    }
    expect(harness.files.problems().join()).toContain(`${patterns} cannot be written`);
    chmodSync(patterns, 0o755);
    harness.write('CLAUDE.md', 'Rules.\n');
    chmodSync(dirname(harness.ledgerFile), 0o555);
    await harness.update();
    chmodSync(dirname(harness.ledgerFile), 0o755);
    expect(harness.files.problems().join()).toContain(`${dirname(harness.ledgerFile)} cannot be written`);
    expect(harness.warnings).toHaveLength(2);
  });

  it('creates no file in a folder that cannot be written', async () => {
    using harness = openHarness({ claudeMdFolders: true });
    chmodSync(join(harness.root, 'src'), 0o555);
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    chmodSync(join(harness.root, 'src'), 0o755);
    if (process.getuid?.() === 0) return;
    expect(harness.has('src/CLAUDE.md')).toBe(false);
    expect(harness.read('.git/info/exclude')).not.toContain('CLAUDE');
  });
});

describe('user text that resembles a claude-mem block', { timeout: 60_000 }, () => {
  it.each([
    ['an example in a code block', `Ours:\n\n\`\`\`md\n${BLOCK}\`\`\`\n`, 'code block'],
    ['an example in a longer fence', `~~~~\n~~~\n${BLOCK}~~~~\n`, 'code block'],
    [
      'a merge that is not resolved',
      'a\n<<<<<<< HEAD\n<claude-mem-context>\nx\n=======\nmine\n>>>>>>> b\n</claude-mem-context>\n',
      'merge',
    ],
  ])('is kept with a reported reason: %s', async (_, text, reason) => {
    using harness = openHarness({ claudeMd: true });
    harness.write('CLAUDE.md', text);
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    harness.options.claudeMd = false;
    expect(harness.files.problems().join()).toContain(reason);
    await harness.update();
    expect(harness.read('CLAUDE.md')).toBe(text);
  });

  it('S05: is kept when git tracks a rules file with claude-mem tags', async () => {
    using harness = openHarness({ cursorRules: 'auto' });
    mkdirSync(join(harness.base, '.cursor'));
    const path = '.cursor/rules/claude-mem-context.mdc';
    harness.write(path, BLOCK);
    harness.git('add', '-A');
    harness.git('commit', '-qm', 'Rules');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.read(path)).toBe(BLOCK);
    expect(harness.files.problems().join()).toContain('git tracks it');
    harness.git('rm', '-q', '--cached', path);
    await harness.update();
    expect(harness.read(path)).toContain('First');
  });

  it('S05: is kept and reported when git does not answer about a rules file with claude-mem tags', async () => {
    using harness = openHarness({ cursorRules: 'true' }, { isGitAway: () => true });
    const path = '.cursor/rules/claude-mem-context.mdc';
    harness.write(path, BLOCK);
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.read(path)).toBe(BLOCK);
    expect(harness.files.problems().join()).toContain('git failed');
  });

  it('S05: is kept when git replaces the rules file with a tracked file', async () => {
    using harness = openHarness({ cursorRules: 'true' });
    const path = '.cursor/rules/claude-mem-context.mdc';
    harness.git('switch', '-qc', 'theirs');
    harness.write(path, BLOCK);
    harness.git('add', '-A');
    harness.git('commit', '-qm', 'Rules');
    harness.git('switch', '-q', 'main');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    expect(harness.read(path)).toContain('First');
    harness.git('switch', '-q', 'theirs');
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    expect(harness.read(path)).toBe(BLOCK);
    expect(harness.git('status', '--porcelain')).toBe('');
  });

  it.each(['Text\n```\nnever closed\n', 'Text\n```\nclosed\n```\n', 'A ```` line ````\n'])(
    'updates a block after the text %j',
    async (text) => {
      expect(await addAndRemoveBlock(text)).toBe(text);
    },
  );

  it('keeps a block valid when a title contains marks, fences, comments or merge markers', async () => {
    using harness = openHarness({ claudeMd: true, claudeMdFolders: true, cursorRules: 'true' });
    const hostile = ['</claude-mem-context>', 'x\n</claude-mem-context>\ny', '\r</claude-mem-context>\r'];
    for (const title of [...hostile, '<!-- open', '```', '~~~', '=======', '<<<<<<< HEAD', '@~/.ssh/id_rsa'])
      harness.remember(title, 'src/cart.ts');
    await harness.update();
    harness.remember('Last', 'src/cart.ts');
    await harness.update();
    expect(harness.files.problems()).toEqual([]);
    expect([harness.read('CLAUDE.md'), harness.read('src/CLAUDE.md')].join()).not.toMatch(/@~|<!--/);
    await harness.files.remove(harness.root);
    expect([harness.has('CLAUDE.md'), harness.has('src/CLAUDE.md'), harness.has('.cursor')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('files after the removal of their block', { timeout: 60_000 }, () => {
  it.each(['a\rb\r', 'a\r\nb\r', 'a\rb', '\ufeff', '\n', '\r\n\r\n', ' '])(
    'are restored byte for byte: %j',
    async (text) => {
      expect(await addAndRemoveBlock(text)).toBe(text);
    },
  );

  it.each([
    ['\n', '\r\n'],
    ['\r\n', '\n'],
  ])('keep their line endings when %j became %j in the meantime', async (from, to) => {
    for (const text of [`Rules.${from}`, `Rules.${from}More.`]) {
      using harness = openHarness({ claudeMd: true });
      harness.write('CLAUDE.md', text);
      harness.remember('First', 'src/cart.ts');
      await harness.update();
      harness.write('CLAUDE.md', harness.read('CLAUDE.md').replaceAll(from, to));
      harness.options.claudeMd = false;
      await harness.update();
      expect(harness.read('CLAUDE.md')).toBe(text.replaceAll(from, to));
    }
  });

  it.each([1024 * 1024 - 20, 1024 * 1024])(
    'are restored byte for byte at the size limit: %i bytes',
    async (bytes) => {
      using harness = openHarness({ claudeMd: true });
      const text = 'x'.repeat(bytes);
      harness.write('CLAUDE.md', text);
      harness.remember('First', 'src/cart.ts');
      await harness.update();
      harness.remembered.pop();
      harness.remember('Second', 'src/cart.ts');
      await harness.update();
      expect(harness.read('CLAUDE.md').includes('First')).toBe(false);
      harness.options.claudeMd = false;
      await harness.update();
      expect(harness.read('CLAUDE.md') === text).toBe(true);
    },
  );
});

/** Adds a block to a file with the text, updates the block, and removes it. Returns the final text. */
async function addAndRemoveBlock(text: string): Promise<string> {
  using harness = openHarness({ claudeMd: true });
  harness.write('CLAUDE.md', text);
  for (const title of ['First', 'Second']) {
    harness.remember(title, 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toContain(title);
  }
  harness.options.claudeMd = false;
  await harness.update();
  return harness.read('CLAUDE.md');
}
