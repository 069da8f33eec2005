import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const DAY_S = 24 * 60 * 60;

it(
  'keeps the chunks of the previous build for one day after the next build, even when they are older',
  { timeout: 30_000 },
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cm-bundle-'));
    const chunks = path.join(folder, 'dist', 'chunks');
    const build = (word: string) => {
      writeFileSync(path.join(folder, 'later.mjs'), `export const word = '${word}';`);
      writeFileSync(path.join(folder, 'main.mjs'), "console.log((await import('./later.mjs')).word);");
      const [program, outfile] = [
        path.join(import.meta.dirname, 'bundle.mjs'),
        path.join(folder, 'dist', 'main.js'),
      ];
      execFileSync(process.execPath, [program, path.join(folder, 'main.mjs'), outfile, '--split']);
      return readdirSync(chunks).filter((name) => name.endsWith('.js'));
    };
    const age = (days: number) => {
      const then = Date.now() / 1000 - days * DAY_S;
      for (const name of readdirSync(chunks)) utimesSync(path.join(chunks, name), then, then);
    };
    try {
      const first = build('first');
      age(7);
      expect(build('second')).toEqual(expect.arrayContaining(first));
      age(2);
      expect(build('second')).not.toEqual(expect.arrayContaining(first));
      const second = readdirSync(chunks);
      expect(second).toEqual([expect.stringMatching(/\.js$/)]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it(
  'writes an ASCII bundle with the same behaviour, and fails when the source cannot be written in ASCII',
  { timeout: 30_000 },
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cm-bundle-'));
    const [entry, outfile] = [path.join(folder, 'main.mjs'), path.join(folder, 'dist', 'main.js')];
    const build = (source: string) => {
      writeFileSync(entry, source);
      execFileSync(process.execPath, [path.join(import.meta.dirname, 'bundle.mjs'), entry, outfile], {
        stdio: 'pipe',
      });
      return readFileSync(outfile);
    };
    const source = [
      "const texts = ['a：1', '…', '🐛x', 'е', `${'ü'}`];",
      'console.log(texts.map((text) => [/[:：]/.test(text), /^…$/.test(text), /^[🐛é]x$/u.test(text), /🐛|е/.test(text), text]));',
    ].join('\n');
    const run = (file: string) => execFileSync(process.execPath, [file], { encoding: 'utf8' });
    try {
      const bundle = build(source);
      expect(bundle.findIndex((byte) => byte > 127)).toBe(-1);
      expect(run(outfile)).toBe(run(entry));
      expect(run(entry)).toContain('true');
      expect(() => build('console.log(String.raw`ü`);')).toThrow('ASCII');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
