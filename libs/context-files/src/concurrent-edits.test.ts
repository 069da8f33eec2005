import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, type Clock } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { openHarness } from './__fixtures__/open-harness.js';

describe('edits of a user while claude-mem writes', { timeout: 60_000 }, () => {
  it('waits for edits of many files at the same time', async () => {
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
        // the wait after a write is long enough for all files; the wait before a write, which collects turns, is shortened
        await Promise.race([together, systemClock.sleep(ms < 200 ? ms * 20 : ms / 10, options)]);
        waiting -= 1;
      },
    };
    using harness = openHarness({ claudeMdFolders: true }, { clock });
    for (const folder of folders) {
      harness.write(`${folder}/CLAUDE.md`, 'Rules.\n');
      harness.write(`${folder}/a.ts`, 'export {};\n');
      harness.remember(`Changed ${folder}`, `${folder}/a.ts`);
    }
    await harness.update();
    for (const folder of folders)
      expect(harness.read(`${folder}/CLAUDE.md`)).toContain('<claude-mem-context>');
    expect(most).toBe(folders.length);
  });

  it('reports a file that is saved repeatedly', async () => {
    const now = Date.now();
    const clock: Clock = { now: () => now, sleep: (ms, options) => systemClock.sleep(ms / 100, options) };
    using harness = openHarness({ claudeMd: true }, { clock });
    harness.remember('The tax is rounded up', 'src/cart.ts');
    harness.write('CLAUDE.md', 'Rules.\n');
    utimesSync(join(harness.root, 'CLAUDE.md'), now / 1_000 - 0.1, now / 1_000 - 0.1);
    await harness.update();
    expect(harness.files.problems()).toEqual([
      `The context file ${join(harness.root, 'CLAUDE.md')} was skipped: another program saves it repeatedly.`,
    ]);
    expect(harness.warnings).toEqual(['Skipped a context file']);
  });
  it.each(['in place', 'by renaming'])(
    'B157: keeps every line and writes one block when a user saves continuously %s',
    async (how) => {
      using harness = openHarness({ claudeMd: true }, { clock: systemClock });
      const path = join(harness.root, 'CLAUDE.md');
      const linesOf = (file: string) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line.startsWith('line '));
      harness.write('CLAUDE.md', 'line 0\n');
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
        harness.remember(`Turn ${turn}`, 'src/cart.ts');
        harness.files.wake(harness.root);
        await expect.poll(() => linesOf(path).length).toBeGreaterThan(15 * turn);
      }
      await person;
      await harness.update();
      const text = harness.read('CLAUDE.md');
      expect(linesOf(path)).toEqual(Array.from({ length: 61 }, (_, line) => `line ${line}`));
      expect(text.match(/<claude-mem-context>/g)).toHaveLength(1);
      expect(text).toContain('Turn 3');
      expect(readdirSync(harness.root).sort()).toEqual(['.git', 'CLAUDE.md', 'src']);
    },
  );

  it('writes once when several turns end in quick succession', async () => {
    using harness = openHarness({ claudeMd: true });
    for (let turn = 0; turn < 20; turn += 1) {
      harness.remember(`Turn ${turn}`, 'src/cart.ts');
      harness.files.wake(harness.root);
    }
    await harness.files.settled();
    const { ino } = statSync(join(harness.root, 'CLAUDE.md'));
    expect(harness.read('CLAUDE.md')).toContain('Turn 19');
    await harness.update();
    expect(statSync(join(harness.root, 'CLAUDE.md')).ino).toBe(ino);
  });
});
