import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness } from './__fixtures__/open-harness.js';
import { CONTEXT_FILE_KINDS, removeContextFiles } from './index.js';

describe('a block that the user restores', { timeout: 60_000 }, () => {
  /** Starts with a block in a tracked file, and stashes the file. */
  async function stashed() {
    const harness = openHarness({ claudeMd: true });
    harness.write('CLAUDE.md', 'Rules.\n');
    harness.git('add', '-A');
    harness.git('commit', '-qm', 'Rules');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    harness.git('stash', '-q');
    await harness.update();
    expect(harness.files.report(harness.root)).toMatchObject([{ state: 'away' }]);
    return harness;
  }

  it('is updated again, without records that were deleted in the meantime', async () => {
    using harness = await stashed();
    harness.remembered.pop();
    harness.remember('Second', 'src/cart.ts');
    harness.git('stash', 'pop', '-q');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toMatch(/^Rules\.\n\n<claude-mem-context>\n[^]*Second/);
    expect(harness.read('CLAUDE.md')).not.toContain('First');
    expect(harness.files.report(harness.root)).toMatchObject([{ state: 'kept', records: 1 }]);
    harness.options.claudeMd = false;
    await harness.update();
    expect(harness.git('status', '--porcelain')).toBe('');
  });

  it('is removed when no record remains or the user removed all files', async () => {
    using harness = await stashed();
    const { remembered } = harness;
    const first = remembered.splice(0);
    harness.git('stash', 'pop', '-q');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toBe('Rules.\n');
    remembered.push(...first);
    await harness.files.restore(harness.root);
    harness.git('stash', '-q');
    await harness.files.remove(harness.root);
    harness.git('stash', 'pop', '-q');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toBe('Rules.\n');
  });

  it('is hidden from git when it is in a file of claude-mem', async () => {
    using harness = openHarness({ claudeMd: true });
    const exclude = harness.read('.git/info/exclude');
    harness.remember('First', 'src/cart.ts');
    await harness.update();
    const text = harness.read('CLAUDE.md');
    rmSync(join(harness.root, 'CLAUDE.md'));
    await harness.update();
    harness.write('CLAUDE.md', text);
    harness.remember('Second', 'src/cart.ts');
    await harness.update();
    expect(harness.read('CLAUDE.md')).toContain('Second');
    expect(harness.git('status', '--porcelain')).toBe('');
    await harness.files.remove(harness.root);
    expect([harness.has('CLAUDE.md'), harness.read('.git/info/exclude')]).toEqual([false, exclude]);
  });

  it('is removed during an uninstallation', async () => {
    using harness = await stashed();
    harness.git('stash', 'pop', '-q');
    const { removed } = removeContextFiles({ ledgerFile: harness.ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(removed).toEqual([join(harness.root, 'CLAUDE.md')]);
    expect(harness.read('CLAUDE.md')).toBe('Rules.\n');
  });

  it('is kept when claude-mem did not write it and all files were removed', async () => {
    using harness = await stashed();
    await harness.files.remove(harness.root);
    const theirs = 'Rules.\n\n<claude-mem-context>\nof a colleague\n</claude-mem-context>\n';
    harness.write('CLAUDE.md', theirs);
    await harness.update();
    removeContextFiles({ ledgerFile: harness.ledgerFile, kinds: CONTEXT_FILE_KINDS });
    expect(harness.read('CLAUDE.md')).toBe(theirs);
  });
});
