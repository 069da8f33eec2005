import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bySize } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawnQuiet } from './spawn-quiet.js';
import { installProgram, runProgram } from './testing/installed-program.js';
import { createProgramActions, waitFor } from './testing/program-actions.js';
import { createProgramHome, type ProgramHome } from './testing/run-inside.js';

let test: ProgramHome;
let root: string;
let home: string;
let project: string;
let dataDir: string;
let env: Record<string, string>;

beforeEach(() => void ({ root, home, project, dataDir, env } = test = createProgramHome()));
afterEach(() => test[Symbol.asyncDispose]());

const { run, runProcess, status, hook, waitForSpool } = createProgramActions(() => test);

describe('the worker', () => {
  it('starts once when several commands start it, restarts and stops', async () => {
    const starts = await Promise.all([1, 2, 3].map(() => runProcess(['start'])));
    expect(starts.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    const { worker } = await status();
    expect(worker).toMatchObject({ state: 'ready', reason: null });
    for (const { stdout } of starts) expect(stdout).toContain(`process ${worker.pid}`);
    expect((await run('start')).stdout).toContain('is already running');
    const restarted = await run('restart');
    expect(restarted.stdout).toContain('is ready');
    expect((await status()).worker.pid).not.toBe(worker.pid);
    expect(await run('stop')).toMatchObject({ exit: 0, stdout: 'The worker is stopped.\n' });
    expect((await status()).worker.state).toBe('away');
    expect(await run('stop')).toMatchObject({ exit: 0, stdout: 'The worker is not running.\n' });
    const left = readdirSync(dataDir);
    expect(left.filter((name) => ['worker.sock', 'worker.json', 'starting'].includes(name))).toEqual([]);
  });

  it('B071: creates files that only their owner can read', async () => {
    const umask = process.umask(0o022);
    await runProcess(['start']);
    process.umask(umask);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const open = files.filter((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o077);
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('B002: keeps another process running when worker.json contains its id', async () => {
    const stranger = spawnQuiet('sleep', ['600'], { stdio: 'ignore' });
    mkdirSync(dataDir);
    writeFileSync(
      join(dataDir, 'worker.json'),
      JSON.stringify({ pid: stranger.pid, port: 1, socket: null, version: '0', startedAtEpoch: 1 }),
    );
    expect(await run('stop')).toMatchObject({ exit: 1, stderr: expect.stringContaining('was not stopped') });
    expect(await run('start')).toMatchObject({ exit: 0 });
    expect((await status()).worker.pid).not.toBe(stranger.pid);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    stranger.kill('SIGKILL');
  });

  it('B018: reports why the worker does not start', async () => {
    await using broken = installProgram('broken');
    writeFileSync(join(broken.root, 'worker/dist/main.js'), 'throw new Error("the module is garbage")');
    expect(await runProcess(['start'], broken.dist)).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('the module is garbage'),
    });
    rmSync(join(broken.root, 'worker'), { recursive: true });
    expect(await runProcess(['start'], broken.dist)).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('Install'),
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'B006: starts once when many hooks run at the same time',
    async () => {
      const runs = await Promise.all(
        Array.from({ length: bySize({ quick: 8, full: 20 }) }, () =>
          hook('SessionStart', { source: 'startup' }),
        ),
      );
      expect(runs.filter(({ exit, stderr }) => exit !== 0 || stderr !== '')).toEqual([]);
      await waitFor(async () => (await status()).worker.state === 'ready');
      const { pid } = (await status()).worker;
      // a hook that times out may start another process, which finds the running worker and exits
      await expect
        .poll(() => readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && holdsLock(entry)))
        .toEqual([String(pid)]);
    },
  );

  function holdsLock(pid: string): boolean {
    const path = `/proc/${pid}/environ`;
    const isGone = (error: unknown) =>
      ['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
    try {
      return (
        readFileSync(path, 'utf8').includes(`CLAUDE_MEM_DATA_DIR=${dataDir}\0`) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js')
      );
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }
});

describe('install and uninstall', () => {
  const settingsFile = () => join(home, '.claude', 'settings.json');
  const commandsIn = (file: string) => {
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
      hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
    };
    return Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  };

  it('B034: leave only the memory after uninstall, and nothing after --purge', async () => {
    const before =
      '{\n    "model": "opus",   "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}\n';
    mkdirSync(join(home, '.claude'));
    writeFileSync(settingsFile(), before);
    expect(await run('install', '--host', 'claude-code', '--hooks-only')).toMatchObject({
      exit: 0,
      stderr: '',
    });
    expect((await run('install', '--host', 'claude-code')).stdout).toContain('already');
    await run('start');
    const { pid } = (await status()).worker;
    expect(await run('uninstall', '--host', 'claude-code')).toMatchObject({ exit: 0, stderr: '' });
    expect(readFileSync(settingsFile(), 'utf8')).toBe(before);
    expect(existsSync(`/proc/${pid}/fd/0`)).toBe(false);
    expect(existsSync(join(dataDir, 'claude-mem.db'))).toBe(true);
    expect(readdirSync(home, { recursive: true }).toSorted()).toEqual(
      ['.claude', '.claude/settings.json', 'work', 'work/demo'].toSorted(),
    );
    await run('uninstall', '--host', 'claude-code', '--purge', '--yes');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('B166: set a time limit in seconds for every hook', async () => {
    await run('install', '--host', 'claude-code');
    const hooks = commandsIn(settingsFile());
    expect(hooks.length).toBeGreaterThanOrEqual(6);
    for (const { timeout } of hooks) expect(timeout >= 1 && timeout <= 120).toBe(true);
  });

  it('B035: run the installed commands when folders have unusual names', async () => {
    await using odd = installProgram(`Jo's "tools" & (more) $HOME`);
    env['HOME'] = home = join(root, `O'Brien & (co) "x"`);
    mkdirSync(home);
    expect(await runProcess(['install', '--host', 'claude-code'], odd.dist)).toMatchObject({ exit: 0 });
    await run('start');
    for (const { command } of commandsIn(settingsFile())) {
      const { CLAUDE_MEM_DATA_DIR: _, ...bare } = env;
      const result = await runProgram('/bin/sh', ['-c', command], {
        env: bare,
        cwd: project,
        input: JSON.stringify({ session_id: 'odd', cwd: project, prompt: 'x', source: 'startup' }),
      });
      expect(result, command).toMatchObject({ exit: 0, stderr: '' });
    }
    await waitForSpool();
    expect((await status()).memory?.sessions).toBe(1);
    expect(existsSync(join(home, '.claude-mem'))).toBe(false);
    await run('stop');
  });

  it('write to the file of --settings or --project, and reject an invalid file', async () => {
    const other = join(root, 'conf', 'settings.json');
    expect(await run('install', '--host', 'claude-code', '--settings', other)).toMatchObject({ exit: 0 });
    expect(commandsIn(other).length).toBeGreaterThan(0);
    await run('install', '--host', 'claude-code', '--project', '.');
    expect(commandsIn(join(project, '.claude', 'settings.json')).length).toBeGreaterThan(0);
    writeFileSync(other, '{"hooks": [');
    expect(await run('install', '--host', 'claude-code', '--settings', other)).toMatchObject({ exit: 1 });
    expect(readFileSync(other, 'utf8')).toBe('{"hooks": [');
    expect(existsSync(settingsFile())).toBe(false);
  });
});
