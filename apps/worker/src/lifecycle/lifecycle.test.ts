import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { noopLogger } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { dataPaths, loadSettings } from '@claude-mem/settings';
import { StorageError } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, type TestHome } from '../testing/start-test-worker.js';
import { acquireInstanceLock } from './acquire-instance-lock.js';
import { chooseSocket } from './choose-socket.js';
import { createLiveSettings } from './create-live-settings.js';
import { createTeardown } from './create-teardown.js';
import { openWithRetry } from './open-with-retry.js';
import { prepareDataDir } from './prepare-data-dir.js';
import { loadWorkerToken } from './worker-token.js';

const userId = process.getuid?.() ?? 0;
let home: TestHome;
beforeEach(() => (home = createTestHome()));
afterEach(() => home[Symbol.dispose]());

describe('prepareDataDir', () => {
  it('B071: removes the access of other users from existing folders', () => {
    mkdirSync(home.paths.spoolDir, { recursive: true });
    chmodSync(home.paths.dataDir, 0o755);
    chmodSync(home.paths.spoolDir, 0o777);
    prepareDataDir(home.paths);
    for (const folder of [home.paths.dataDir, home.paths.spoolDir, home.paths.logsDir, home.paths.backupsDir])
      expect(statSync(folder).mode & 0o777, folder).toBe(0o700);
  });

  it('reports what to do when the data folder is a file', () => {
    writeFileSync(home.paths.dataDir, '');
    expect(() => prepareDataDir(home.paths)).toThrow(/CLAUDE_MEM_DATA_DIR/);
  });
});

describe('a folder at the path of a file', () => {
  it.each(['tokenFile', 'stateFile', 'socket', 'socketPointer', 'lockFile'] as const)(
    'is reported and not changed: %s',
    (name) => {
      mkdirSync(join(home.paths[name], 'mine'), { recursive: true });
      expect(() => prepareDataDir(home.paths)).toThrow(
        `${home.paths[name]} is a folder where claude-mem keeps a file of its own. Move it away`,
      );
      expect(existsSync(join(home.paths[name], 'mine'))).toBe(true);
    },
  );
});

describe('acquireInstanceLock', () => {
  it('gives the lock to one process at a time, and leaves no journal file', () => {
    prepareDataDir(home.paths);
    const first = acquireInstanceLock(home.paths.lockFile);
    expect(first.kind).toBe('acquired');
    expect(acquireInstanceLock(home.paths.lockFile).kind).toBe('taken');
    expect(existsSync(`${home.paths.lockFile}-journal`)).toBe(false);
    if (first.kind === 'acquired') first.release();
    const second = acquireInstanceLock(home.paths.lockFile);
    expect(second.kind).toBe('acquired');
    if (second.kind === 'acquired') second.release();
  });

  it('does not use an existing file with other content as a lock', () => {
    prepareDataDir(home.paths);
    writeFileSync(home.paths.lockFile, 'x'.repeat(5_000));
    expect(acquireInstanceLock(home.paths.lockFile).kind).toBe('unavailable');
  });
});

describe('chooseSocket', () => {
  it('returns a path in the data folder when the path is short enough', () => {
    prepareDataDir(home.paths);
    expect(chooseSocket(home.paths, { userId })).toEqual({ kind: 'path', path: home.paths.socket });
  });

  it('returns a path in a private folder when the path is too long, and writes a pointer file', () => {
    const paths = dataPaths(join(home.home, 'x'.repeat(90)));
    prepareDataDir(paths);
    const sharedDir = join(home.root, 't');
    mkdirSync(sharedDir);
    const choice = chooseSocket(paths, { userId, sharedDir });
    expect(choice).toMatchObject({ kind: 'path' });
    const path = choice.kind === 'path' ? choice.path : '';
    expect(readFileSync(paths.socketPointer, 'utf8').trim()).toBe(path);
    expect(statSync(join(sharedDir, `claude-mem-${userId}`)).mode & 0o777).toBe(0o700);
  });

  it('returns no path when another user could have prepared the folder', () => {
    const paths = dataPaths(join(home.home, 'x'.repeat(90)));
    prepareDataDir(paths);
    const folder = join(home.root, `claude-mem-${userId}`);
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    expect(chooseSocket(paths, { userId, sharedDir: home.root })).toMatchObject({ kind: 'none' });
    rmSync(folder, { recursive: true });
    mkdirSync(join(home.root, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(home.root, 'elsewhere'), folder);
    expect(chooseSocket(paths, { userId, sharedDir: home.root })).toMatchObject({ kind: 'none' });
    expect(chooseSocket(paths, { userId: userId + 1, sharedDir: join(home.root, 'none') })).toMatchObject({
      kind: 'none',
    });
  });
});

describe('loadWorkerToken', () => {
  it('creates the token once, readable only by its owner, and keeps it', () => {
    prepareDataDir(home.paths);
    const token = loadWorkerToken(home.paths.tokenFile);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(home.paths.tokenFile).mode & 0o777).toBe(0o600);
    chmodSync(home.paths.tokenFile, 0o644);
    expect(loadWorkerToken(home.paths.tokenFile)).toBe(token);
    expect(statSync(home.paths.tokenFile).mode & 0o777).toBe(0o600);
  });

  it('replaces a file that contains no valid token', () => {
    prepareDataDir(home.paths);
    writeFileSync(home.paths.tokenFile, 'short\n');
    expect(loadWorkerToken(home.paths.tokenFile)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('openWithRetry', () => {
  it('B004: waits until a lock is released, and reports each failed attempt', async () => {
    const clock = createFixedClock();
    const notice: [string, boolean][] = [];
    let attempts = 0;
    const opening = openWithRetry({
      async open() {
        attempts += 1;
        if (attempts < 3) throw new StorageError('storage/busy', 'another process keeps it locked');
        return 'open';
      },
      onFailure: (reason, isPassing) => notice.push([reason, isPassing]),
      clock,
      log: noopLogger,
      signal: new AbortController().signal,
    });
    while (attempts < 3) await clock.advance(100);
    await expect(opening).resolves.toBe('open');
    expect(notice).toEqual([
      ['storage/busy: another process keeps it locked', true],
      ['storage/busy: another process keeps it locked', true],
    ]);
  });

  it('B007: stops waiting when the worker is stopped', async () => {
    const clock = createFixedClock();
    const stop = new AbortController();
    const opening = openWithRetry({
      open: async () => Promise.reject(new StorageError('storage/newer-schema', 'newer')),
      onFailure: () => {},
      clock,
      log: noopLogger,
      signal: stop.signal,
    });
    stop.abort();
    await expect(opening).rejects.toBe(stop.signal.reason);
  });
});

describe('createTeardown', () => {
  it('B007: runs all steps in reverse order when a step fails', async () => {
    const done: string[] = [];
    const teardown = createTeardown({ log: noopLogger });
    teardown.add('first', () => void done.push('first'));
    teardown.add('broken', () => {
      throw new Error('not listening');
    });
    teardown.add('last', async () => void done.push('last'));
    await teardown.run();
    await teardown.run();
    expect(done).toEqual(['last', 'first']);
  });
});

describe('createLiveSettings', () => {
  it('B072: keeps the excluded projects when the settings file becomes invalid', () => {
    const clock = createFixedClock();
    const env = { CLAUDE_MEM_DATA_DIR: home.paths.dataDir };
    prepareDataDir(home.paths);
    writeFileSync(home.paths.settingsFile, '{"CLAUDE_MEM_EXCLUDED_PROJECTS": "/secret/**"}');
    const live = createLiveSettings({ load: () => loadSettings({ env, home: home.home }), clock });
    writeFileSync(home.paths.settingsFile, '{ broken');
    live.refresh();
    expect(live.current().excludedProjects).toEqual(['/secret/**']);
    expect(live.loaded().problems.join()).toContain('not valid JSON');
    writeFileSync(home.paths.settingsFile, '{}');
    live.refresh();
    expect(live.current().excludedProjects).toEqual([]);
    expect(live.loaded().problems).toEqual([]);
  });

  it('applies changes of the file, and resolves the waits for a changed property', async () => {
    const clock = createFixedClock();
    const env = { CLAUDE_MEM_DATA_DIR: home.paths.dataDir };
    prepareDataDir(home.paths);
    const live = createLiveSettings({ load: () => loadSettings({ env, home: home.home }), clock });
    const stop = new AbortController();
    let isNotified = false;
    const changed = live.changed(['provider'], stop).then(() => (isNotified = true));
    writeFileSync(home.paths.settingsFile, '{"CLAUDE_MEM_CONTEXT_TOKENS": 300}');
    live.refresh();
    await clock.advance(0);
    expect([live.current().contextTokens, isNotified]).toEqual([300, false]);
    writeFileSync(home.paths.settingsFile, '{"CLAUDE_MEM_PROVIDER": "claude"}');
    await clock.advance(1_000);
    expect(live.current()).toMatchObject({ provider: 'claude', contextTokens: 1200 });
    await changed;
    expect(isNotified).toBe(true);
  });
});
