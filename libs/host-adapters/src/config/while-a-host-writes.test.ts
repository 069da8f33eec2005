import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NOTHING, type ConfigPart } from './config-part.js';
import { createInstaller } from './create-installer.js';

const OURS = 'ours\n';
const options = { home: '/', hookScript: '/hook.sh' };

let folder: string;
let writesLeft: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-writes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fileNamed = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(fileNamed(name), 'utf8');

/** A file to which a host adds a line after each read, as long as it has lines left. */
function part(name: string): ConfigPart {
  const hostWrites = () => {
    if (name !== 'busy' || writesLeft === 0) return;
    writesLeft -= 1;
    writeFileSync(fileNamed(name), `line ${writesLeft}\n`, { flag: 'a' });
  };
  return {
    fileOf: () => fileNamed(name),
    add(text) {
      hostWrites();
      return { text: `${text}${OURS}` };
    },
    remove(text) {
      if (!text?.includes(OURS)) return { text, own: NOTHING };
      hostWrites();
      return { text: text.replace(OURS, ''), own: { ...NOTHING, events: ['Stop'] } };
    },
  };
}

const installer = createInstaller([part('quiet'), part('busy')]);

it('keeps what a host writes during install and uninstall', async () => {
  for (const name of ['quiet', 'busy']) writeFileSync(fileNamed(name), 'theirs\n');
  writesLeft = 2;
  await installer.install(options);
  expect(read('busy')).toBe('theirs\nline 1\nline 0\nours\n');
  writesLeft = 2;
  await installer.uninstall(options);
  expect(read('busy')).toBe('theirs\nline 1\nline 0\nline 1\nline 0\n');
  expect(read('quiet')).toBe('theirs\n');
});

it('keeps all text of a file that changes constantly, and rolls back the other files', async () => {
  for (const name of ['quiet', 'busy']) writeFileSync(fileNamed(name), 'theirs\n');
  writesLeft = 1000;
  await expect(installer.install(options)).rejects.toMatchObject({ code: 'host-adapters/changed-config' });
  expect(read('quiet')).toBe('theirs\n');
  expect(read('busy').split('\n')).toHaveLength(1002 - writesLeft);

  writesLeft = 0;
  await installer.install(options);
  writesLeft = 1000;
  expect((await installer.uninstall(options)).map(({ change }) => change)).toEqual(['removed', 'refused']);
  expect(read('busy')).toContain(OURS);
});
