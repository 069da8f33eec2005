import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inLockedFolder } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, spend, type TestHome } from './testing/run-inside.js';
import { writeTrouble } from './write-trouble.js';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
  mkdirSync(home.dataDir, { mode: 0o700 });
});
afterEach(() => home[Symbol.dispose]());

describe('what keeps new events out', () => {
  it('is nothing where there is room, or no folder yet', () => {
    expect(writeTrouble(home.dataDir, 2 ** 30)).toBeNull();
    expect(writeTrouble(join(home.dataDir, 'not there'), 0)).toBeNull();
  });

  it('is a disk that is soon full', () => {
    expect(writeTrouble(home.dataDir, 12.5 * 2 ** 20)).toMatchObject({
      isNow: false,
      what: expect.stringContaining('has only 12 MiB left'),
    });
  });
});

describe.skipIf(process.platform === 'win32')('a data directory that cannot be written', () => {
  beforeEach(() => chmodSync(dirname(home.dataDir), 0o711));
  const runLocked = (...argv: string[]) => inLockedFolder(home.dataDir, () => home.run(argv));

  it('is one too where not even what is in it can be seen', async () => {
    const trouble = await inLockedFolder(home.dataDir, () => {
      chmodSync(home.dataDir, 0o400);
      return writeTrouble(home.dataDir);
    });
    expect(trouble).toMatchObject({ isNow: true, what: expect.stringContaining('(EACCES)') });
  });

  it('is told too where it is only the folder that hooks write to', async () => {
    const spoolDir = join(home.dataDir, 'spool');
    mkdirSync(spoolDir);
    // as in the locked folder
    if (process.geteuid?.() === 0) chownSync(home.dataDir, 65_534, 65_534);
    const run = (...argv: string[]) => inLockedFolder(spoolDir, () => home.run(argv));
    expect((await run('status')).stdout).toContain(`note      Nothing can be written in ${spoolDir}`);
    expect((await run('doctor')).stdout).toMatch(
      /fail {2}data directory {2}Nothing can be written in .*spool/,
    );
  });

  it('is told by status and doctor, with what is in the memory all the same', async () => {
    await spend(home.dataDir, []);
    const status = await runLocked('status');
    expect(status.stdout).toContain('memory    0 observations');
    expect(status.stdout).toContain(`note      Nothing can be written in ${home.dataDir}`);
    const { stdout } = await runLocked('doctor');
    expect(stdout).toMatch(/fail {2}data directory {2}Nothing can be written/);
    expect(stdout).toMatch(/ok {4}database {8}0 observations/);
  });
});
