import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inLockedFolder } from '@claude-mem/core/testing';
import { loadSettings } from '@claude-mem/settings';
import { loadDriver } from '@claude-mem/storage/driver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HealthDetail } from '@claude-mem/worker-protocol';
import type { CheckContext } from './doctor/check.js';
import { workerCheck } from './doctor/worker.js';
import { listMemoryObstacles } from './list-memory-obstacles.js';
import { createTestHome, type TestHome } from './testing/run-inside.js';

let test: TestHome;
beforeEach(() => {
  test = createTestHome();
  chmodSync(dirname(test.dataDir), 0o711);
});
afterEach(() => test[Symbol.dispose]());

interface CheckResult {
  title: string;
  state: string;
  detail: string;
}

async function diagnose() {
  const { exit, stdout } = await test.run(['doctor', '--json']);
  const results = JSON.parse(stdout) as CheckResult[];
  return { exit, of: (title: string) => results.find((result) => result.title === title) };
}

const FOREIGN_NAME = /another program that is also named claude-mem/;
const putOtherPlugin = () => {
  mkdirSync(join(test.home, '.claude'));
  writeFileSync(
    join(test.home, '.claude', 'settings.json'),
    JSON.stringify({ enabledPlugins: { 'claude-mem@thedotmack': true } }),
  );
};
function putOtherDatabase() {
  mkdirSync(test.dataDir, { mode: 0o700 });
  const database = loadDriver().open(join(test.dataDir, 'claude-mem.db'), {});
  database.exec('CREATE TABLE schema_versions (id INTEGER); CREATE TABLE sdk_sessions (id INTEGER)');
  database.close();
}

describe('a data folder that cannot store events', () => {
  it.skipIf(process.platform === 'win32')(
    'R09: fails the data folder and the round trip when the folder cannot be created',
    async () => {
      const { exit, of } = await inLockedFolder(dirname(test.dataDir), diagnose);
      expect(exit).toBe(1);
      expect(of('data directory')).toMatchObject({
        state: 'fail',
        detail: `${test.dataDir} cannot be created (EACCES): all events are lost.`,
      });
      expect(of('round trip')).toMatchObject({
        state: 'fail',
        detail: expect.stringContaining('no event can be stored') as string,
      });
      const { stdout } = await inLockedFolder(dirname(test.dataDir), () => test.run(['status']));
      expect(stdout).toContain(`note      ${test.dataDir} cannot be created (EACCES)`);
    },
  );

  it.each([
    ['a file', () => writeFileSync(test.dataDir, ''), 'EEXIST'],
    ['a link to nowhere', () => symlinkSync(join(test.root, 'nowhere'), test.dataDir), 'EEXIST'],
    ['below a file', () => void (test.env['CLAUDE_MEM_DATA_DIR'] = join(blocker(), 'a', 'b')), 'ENOTDIR'],
  ])('R09: fails the data folder and the round trip when the folder is %s', async (_kind, prepare, code) => {
    prepare();
    const { of } = await diagnose();
    expect(of('data directory')).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining(code) as string,
    });
    expect(of('round trip')?.state).toBe('fail');
    rmSync(test.dataDir, { force: true });
  });

  it('R09 R10: fails the database and the round trip when the database belongs to the other claude-mem', async () => {
    putOtherDatabase();
    const { exit, of } = await diagnose();
    expect(exit).toBe(1);
    for (const title of ['database', 'round trip'])
      expect(of(title)).toMatchObject({
        state: 'fail',
        detail: expect.stringMatching(FOREIGN_NAME) as string,
      });
  });
});

it('R09: reports no obstacle when the worker replaces the database file', async () => {
  mkdirSync(test.dataDir, { mode: 0o700 });
  writeFileSync(join(test.root, 'hooks-cli', 'dist', 'hook.sh'), '');
  for (const content of ['', 'this is no database']) {
    writeFileSync(join(test.dataDir, 'claude-mem.db'), content);
    const { exit, stderr } = await test.run(['install', '--host', 'cursor', '--hooks-only']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  }
});

it('reports once that a starting worker waits for a valid settings.json', async () => {
  mkdirSync(test.dataDir, { mode: 0o700 });
  const file = join(test.dataDir, 'settings.json');
  writeFileSync(file, '{ broken', { mode: 0o600 });
  const problem =
    `${file} is not valid JSON. Until the file can be used, a running worker keeps its last valid settings. ` +
    'A worker that starts stores no events: they wait in the spool.';
  const { of } = await diagnose();
  expect(of('settings')).toMatchObject({ state: 'warn', detail: problem });
  expect(of('round trip')?.detail).toBe(`not tried, because no event can be stored: ${problem}`);

  const loaded = loadSettings({ env: test.env, home: test.home });
  expect(listMemoryObstacles({ loaded })).toMatchObject([{ message: problem }]);
  const health = { ready: true } as HealthDetail;
  expect(listMemoryObstacles({ loaded, health })).toEqual([]);
  const starting = { loaded, health: { ready: false, reason: problem } } as unknown as CheckContext;
  expect(await workerCheck.run(starting)).toEqual({
    state: 'fail',
    detail: 'running but not ready: settings.json cannot be used',
    fix: `Repair ${file} or move it to another folder.`,
  });
});

describe('remains of the other claude-mem', () => {
  it('R10: are reported by status and install, which does not claim that sessions are remembered', async () => {
    putOtherDatabase();
    writeFileSync(join(test.dataDir, 'settings.json'), '{"CLAUDE_MEM_CONTEXT_OBSERVATIONS":"50"}');
    const status = await test.run(['status']);
    expect(status.stdout).toMatch(/settings\.json belongs to another program that is also named claude-mem/);
    expect(status.stdout).toMatch(
      /claude-mem\.db is not a claude-mem database, but a database of another program that is also named/,
    );

    writeFileSync(join(test.root, 'hooks-cli', 'dist', 'hook.sh'), '');
    const install = await test.run(['install', '--host', 'cursor', '--hooks-only']);
    expect(install.exit).toBe(1);
    expect(install.stderr).toMatch(FOREIGN_NAME);
    expect(install.stderr).toContain('No events are stored yet.');
    expect(install.stdout).not.toContain('are remembered');
  });

  it('R10: are reported by status, doctor and install when the other plugin is enabled', async () => {
    putOtherPlugin();
    const disable = 'claude plugin disable claude-mem@thedotmack';
    expect((await test.run(['status'])).stdout).toContain(disable);
    expect((await test.run(['doctor'])).stdout).toContain(disable);
    writeFileSync(join(test.root, 'hooks-cli', 'dist', 'hook.sh'), '');
    const install = await test.run(['install', '--host', 'claude-code', '--hooks-only']);
    expect(install.stderr).toContain(disable);
  });
});

function blocker(): string {
  const file = join(test.root, 'blocker');
  writeFileSync(file, '');
  return file;
}
