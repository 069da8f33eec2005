import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inLockedFolder } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, spend, type TestHome } from './testing/run-inside.js';
import { findWriteProblem } from './find-write-problem.js';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
  mkdirSync(home.dataDir, { mode: 0o700 });
});
afterEach(() => home[Symbol.dispose]());

describe('findWriteProblem', () => {
  it('returns null when the disk has enough space or the folder does not exist yet', () => {
    expect(findWriteProblem(home.dataDir, 2 ** 30)).toBeNull();
    expect(findWriteProblem(join(home.dataDir, 'not there'), 0)).toBeNull();
  });

  it('returns a problem when the disk is almost full', () => {
    expect(findWriteProblem(home.dataDir, 12.5 * 2 ** 20)).toMatchObject({
      isBlocking: false,
      message: expect.stringContaining('has only 12 MiB left'),
    });
  });
});

describe.skipIf(process.platform === 'win32')('a data directory that cannot be written', () => {
  beforeEach(() => chmodSync(dirname(home.dataDir), 0o711));
  const runLocked = (...argv: string[]) => inLockedFolder(home.dataDir, () => home.run(argv));

  it('is reported when the folder cannot be listed', async () => {
    const problem = await inLockedFolder(home.dataDir, () => {
      chmodSync(home.dataDir, 0o400);
      return findWriteProblem(home.dataDir);
    });
    expect(problem).toMatchObject({ isBlocking: true, message: expect.stringContaining('(EACCES)') });
  });

  it('is reported by status and doctor when only the spool folder cannot be written', async () => {
    const spoolDir = join(home.dataDir, 'spool');
    mkdirSync(spoolDir);
    // inLockedFolder locks with the same owner
    if (process.geteuid?.() === 0) chownSync(home.dataDir, 65_534, 65_534);
    const run = (...argv: string[]) => inLockedFolder(spoolDir, () => home.run(argv));
    expect((await run('status')).stdout).toContain(`note      Nothing can be written in ${spoolDir}`);
    expect((await run('doctor')).stdout).toMatch(
      /fail {2}data directory {2}Nothing can be written in .*spool/,
    );
  });

  it('is reported by status and doctor, which still count the stored records', async () => {
    await spend(home.dataDir, []);
    const status = await runLocked('status');
    expect(status.stdout).toContain('memory    0 observations');
    expect(status.stdout).toContain(`note      Nothing can be written in ${home.dataDir}`);
    const { stdout } = await runLocked('doctor');
    expect(stdout).toMatch(/fail {2}data directory {2}Nothing can be written/);
    expect(stdout).toMatch(/ok {4}database {8}0 observations/);
  });
});
