import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepPrograms, keptPrograms } from './keep-programs.js';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'keep-programs-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(file: string, text: string) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

it.each([
  ['an empty file', (file: string) => writeFileSync(file, '')],
  ['a missing file', (file: string) => rmSync(file)],
  ['a missing folder', (file: string) => rmSync(dirname(file), { recursive: true })],
])('replaces an incomplete copy of the programs with %s', async (_, damage) => {
  const from = {
    'hooks-cli': join(base, 'plugin', 'hooks-cli'),
    worker: join(base, 'plugin', 'worker'),
    'mcp-server': join(base, 'plugin', 'mcp-server'),
  };
  for (const folder of Object.values(from)) {
    write(join(folder, 'package.json'), '{ "version": "1.2.3" }');
    write(join(folder, 'dist', 'main.js'), 'the program');
    write(join(folder, 'dist', 'chunks', 'part.js'), 'its part');
  }
  const dataDir = join(base, 'data');
  await keepPrograms(dataDir, from);
  const kept = join(keptPrograms(dataDir).worker, 'dist');
  damage(join(kept, 'chunks', 'part.js'));
  await Promise.all([keepPrograms(dataDir, from), keepPrograms(dataDir, from)]);
  expect(readFileSync(join(kept, 'chunks', 'part.js'), 'utf8')).toBe('its part');
  expect(readFileSync(join(kept, 'main.js'), 'utf8')).toBe('the program');
  const names = readdirSync(join(dataDir, 'programs')).sort();
  expect(names).toEqual([expect.stringMatching(/^1\.2\.3-[0-9a-f]{12}$/), 'current']);
});
