import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labsWith } from './__fixtures__/open-lab.js';
import { CONTEXT_FILE_KINDS, removeContextFiles } from './index.js';

const openLab = labsWith({ searchPath: process.env['PATH'] ?? '' });

describe('a block that comes back', { timeout: 60_000 }, () => {
  /** In a file that git has, stashed away while somebody works. */
  async function stashed() {
    const lab = openLab({ claudeMd: true });
    lab.write('CLAUDE.md', 'Rules.\n');
    lab.git('add', '-A');
    lab.git('commit', '-qm', 'Rules');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    lab.git('stash', '-q');
    await lab.look();
    expect(lab.files.report(lab.root)).toMatchObject([{ state: 'away' }]);
    return lab;
  }

  it('is kept again, without what was forgotten meanwhile', async () => {
    using lab = await stashed();
    lab.remembered.pop();
    lab.remember('Second', 'src/cart.ts');
    lab.git('stash', 'pop', '-q');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toMatch(/^Rules\.\n\n<claude-mem-context>\n[^]*Second/);
    expect(lab.read('CLAUDE.md')).not.toContain('First');
    expect(lab.files.report(lab.root)).toMatchObject([{ state: 'kept', records: 1 }]);
    lab.wishes.claudeMd = false;
    await lab.look();
    expect(lab.git('status', '--porcelain')).toBe('');
  });

  it('goes when there is nothing to tell any more, or a person had all taken out', async () => {
    using lab = await stashed();
    const { remembered } = lab;
    const first = remembered.splice(0);
    lab.git('stash', 'pop', '-q');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toBe('Rules.\n');
    remembered.push(...first);
    await lab.files.restore(lab.root);
    lab.git('stash', '-q');
    await lab.files.remove(lab.root);
    lab.git('stash', 'pop', '-q');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toBe('Rules.\n');
  });

  it('in a file of ours is nothing that git shows', async () => {
    using lab = openLab({ claudeMd: true });
    const exclude = lab.read('.git/info/exclude');
    lab.remember('First', 'src/cart.ts');
    await lab.look();
    const text = lab.read('CLAUDE.md');
    rmSync(join(lab.root, 'CLAUDE.md'));
    await lab.look();
    lab.write('CLAUDE.md', text);
    lab.remember('Second', 'src/cart.ts');
    await lab.look();
    expect(lab.read('CLAUDE.md')).toContain('Second');
    expect(lab.git('status', '--porcelain')).toBe('');
    await lab.files.remove(lab.root);
    expect([lab.has('CLAUDE.md'), lab.read('.git/info/exclude')]).toEqual([false, exclude]);
  });

  it('goes with an uninstallation', async () => {
    using lab = await stashed();
    lab.git('stash', 'pop', '-q');
    const { removed } = removeContextFiles({ ledgerFile: lab.ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(removed).toEqual([join(lab.root, 'CLAUDE.md')]);
    expect(lab.read('CLAUDE.md')).toBe('Rules.\n');
  });

  it('is left alone when it is not ours and all was taken out here', async () => {
    using lab = await stashed();
    await lab.files.remove(lab.root);
    const theirs = 'Rules.\n\n<claude-mem-context>\nof a colleague\n</claude-mem-context>\n';
    lab.write('CLAUDE.md', theirs);
    await lab.look();
    removeContextFiles({ ledgerFile: lab.ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(lab.read('CLAUDE.md')).toBe(theirs);
  });
});
