import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from './commands/index.js';
import { spawnQuiet } from './spawn-quiet.js';
import { holdStartupLock } from './testing/hook-home.js';
import { BUILT_PROGRAM, runProgram } from './testing/installed-program.js';
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

const { run, runProcess, status, rememberOneTurn } = createProgramActions(() => test);

describe('the command line', () => {
  it.skipIf(process.platform === 'win32')('works when the current folder is deleted', async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    holdStartupLock({ dataDir });
    const command = [process.execPath, join(BUILT_PROGRAM, 'claude-mem.js')];
    const runGone = (args: readonly string[], input = '') =>
      runProgram('/bin/sh', ['-c', script, 'sh', ...command, ...args], { env, cwd: project, input });
    const start = '{"hook_event_name":"SessionStart","session_id":"s","cwd":"/nowhere"}';
    expect(await runGone(['hook', 'claude-code', 'SessionStart'], start)).toMatchObject({ exit: 0 });
    expect(await runGone(['settings'])).toMatchObject({ exit: 0, stderr: '' });
  });

  it.skipIf(process.platform === 'win32')('reports a full disk', async () => {
    const command = [process.execPath, join(BUILT_PROGRAM, 'claude-mem.js'), 'start'];
    const { exit, stderr } = await runProgram('/bin/sh', ['-c', 'ulimit -f 0; "$@"', 'sh', ...command], {
      env,
      cwd: project,
    });
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^EFBIG: .*\. Free disk space, or use another --data-dir\.\n$/);
  });

  it('lists every command and explains each', async () => {
    const { stdout, exit, stderr } = await run('help');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    for (const { name, summary } of COMMANDS) expect(stdout).toContain(`  ${name.padEnd(9)}  ${summary}`);
    expect((await run('--help')).stdout).toBe(stdout);
    const ofQueue = await run('queue', '--help');
    expect(ofQueue.stdout).toContain('--parked');
    expect((await run('help', 'queue')).stdout).toBe(ofQueue.stdout);
  });

  it('reports a data directory that cannot be used in one line', async () => {
    const { exit, stderr } = await run('start', '--data-dir', '/dev/null/x');
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^.*ENOTDIR.*another --data-dir\.\n$/);
  });

  it('S04: fails and names the reason when the data directory is inside the project', async () => {
    env['CLAUDE_MEM_DATA_DIR'] = join(project, '.mem');
    expect(await run('status')).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/^The data folder .*\.mem .* it is inside the project .*\n$/),
    });
    expect(await run('hook', 'claude-code', 'Stop')).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    env['CLAUDE_MEM_DATA_DIR'] = dataDir;
  });

  it('writes a launcher to the data directory when the worker starts', async () => {
    await run('start');
    const launcher = join(dataDir, 'bin', 'claude-mem');
    const launched = await runProgram('sh', [launcher, 'version'], { env, cwd: project });
    expect(launched.stdout).toBe((await run('version')).stdout);
  });

  it('rejects a launcher when CLAUDE_MEM_DATA_DIR names another folder', async () => {
    await run('start');
    const launch = (asked: string, ...args: string[]) =>
      runProgram(join(dataDir, 'bin', 'claude-mem'), args, {
        env: { ...env, CLAUDE_MEM_DATA_DIR: asked },
        cwd: project,
      });
    const other = join(root, 'other');
    const set = ['settings', 'set', 'CLAUDE_MEM_CONTEXT_TOKENS', '900'];
    expect(await launch(other, ...set)).toEqual({
      exit: 2,
      stdout: '',
      stderr: `This command belongs to the data folder ${dataDir}, but CLAUDE_MEM_DATA_DIR is ${other}. Add --data-dir ${other}, or run ${join(other, 'bin', 'claude-mem')}.\n`,
    });
    expect(await launch(other, ...set, '--data-dir', other)).toMatchObject({ exit: 0, stderr: '' });
    expect(readdirSync(other)).toContain('settings.json');
    symlinkSync(dataDir, join(root, 'link'));
    for (const same of ['', dataDir, join(root, 'link')])
      expect(await launch(same, 'status')).toMatchObject({ exit: 0 });
    expect(await launch(other, 'hook', 'claude-code', 'Stop')).toMatchObject({ exit: 0, stderr: '' });
  });

  it('B030: prints the version of its package', async () => {
    const { version } = JSON.parse(readFileSync(join(BUILT_PROGRAM, '..', 'package.json'), 'utf8'));
    expect((await runProcess(['--version'])).stdout).toBe(`${version}\n`);
    expect((await run('version')).stdout).toBe(`${version}\n`);
  });

  const wrong: [string[], RegExp][] = [
    [['serch', 'x'], /"serch".*Did you mean "search"/],
    [['search', '--limt', '3', 'x'], /--limt.*Did you mean "--limit"/],
    [['search'], /needs WORDS/],
    [['search', 'x', '--limit', 'many'], /--limit needs a whole number/],
    [['search', 'x', '--limit'], /limit.*missing\. See: /],
    [['search', 'x', '--project', 'a', '--project', 'b'], /--project can be given only once/],
    [['start', 'now'], /does not take "now"/],
    [['show', 'abc'], /"abc" is not an id/],
    [['pin', 'P3'], /^P3 is a prompt, not an observation \(such as #12\)\. .*: claude-mem show P3$/m],
    [['queue', 'burn'], /list, retry and drop/],
    [['queue', 'drop'], /ids or --parked/],
    [['queue', 'drop', '1'], /needs --yes/],
    [['install'], /Select a host/],
    [['install', '--host', 'emacs'], /"emacs" is not supported/],
    [['settings', 'set', 'CLAUDE_MEM_PROVIDR', 'local'], /Did you mean CLAUDE_MEM_PROVIDER/],
    [['settings', 'set', 'CLAUDE_MEM_WORKER_PORT', 'ninety'], /must be/],
    [['uninstall', '--host', 'claude-code', '--purge'], /needs --yes/],
  ];
  it.each(wrong)('rejects %j with exit code 2 and a suggestion', async (args, message) => {
    const result = await run(...args);
    expect(result).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(result.stderr).not.toMatch(/\n {4}at /);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('exits with 3 when a command needs the worker and it is not running', async () => {
    for (const args of [['status'], ['context', '--preview'], ['queue', 'retry', '--parked']])
      expect(await run(...args)).toMatchObject({ exit: 3 });
    expect(await run('search', 'x')).toMatchObject({ exit: 0, stdout: 'Nothing found.\n', stderr: '' });
    expect(await run('queue')).toMatchObject({ exit: 0, stdout: 'The queue is empty.\n', stderr: '' });
  });

  it('B113, B033: writes only to the folder of --data-dir', async () => {
    const other = join(root, 'elsewhere');
    await runProcess(['--data-dir', other, 'start']);
    for (const args of [['status'], ['search', 'x'], ['settings'], ['logs'], ['stop']])
      await run('--data-dir', other, ...args);
    expect(existsSync(dataDir)).toBe(false);
    expect(readdirSync(home)).toEqual(['work']);
    expect(readdirSync(other)).toContain('claude-mem.db');
  });
});

describe('settings, logs and doctor', () => {
  it('shows, sets and unsets a setting and keeps unknown keys', async () => {
    mkdirSync(dataDir);
    const file = join(dataDir, 'settings.json');
    writeFileSync(file, '\ufeff{ "MINE": 1 }');
    expect((await run('settings', 'get', 'CLAUDE_MEM_BATCH_MAX_SIZE')).stdout).toBe('20\n');
    const set = await run('settings', 'set', 'CLAUDE_MEM_BATCH_MAX_SIZE', '7');
    expect(set).toMatchObject({ exit: 0, stdout: expect.not.stringContaining('restart') });
    expect((await run('settings', 'get', 'CLAUDE_MEM_BATCH_MAX_SIZE')).stdout).toBe('7\n');
    expect((await run('settings')).stdout).toMatch(/CLAUDE_MEM_BATCH_MAX_SIZE +7 {2}\(file\)/);
    await run('settings', 'unset', 'CLAUDE_MEM_BATCH_MAX_SIZE');
    expect(JSON.parse(readFileSync(file, 'utf8').replace('\ufeff', ''))).toEqual({ MINE: 1 });
  });

  it('asks for a restart when the worker reads the setting only at startup', async () => {
    expect((await run('settings', 'set', 'CLAUDE_MEM_LOG_LEVEL', 'debug')).stdout).toContain('restart');
  });

  it('shows the end of the log by level, and follows it', async () => {
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
    const file = join(dataDir, 'logs', 'worker-2026-01-02.log');
    const line = (level: string, msg: string) =>
      `${JSON.stringify({ level, time: '2026-01-02T03:04:05.678Z', msg })}\n`;
    writeFileSync(
      file,
      line('info', 'one') + line('warn', 'two \u001b[31m') + 'not json\n' + line('debug', 'three'),
    );
    expect((await run('logs', '-n', '2')).stdout).toBe('not json\n2026-01-02T03:04:05.678 debug three\n');
    expect((await run('logs', '--level', 'warn')).stdout).toBe(
      '2026-01-02T03:04:05.678 warn  two [31m\nnot json\n',
    );
    const following = spawnQuiet(
      process.execPath,
      [join(BUILT_PROGRAM, 'claude-mem.js'), 'logs', '-f', '-n', '0'],
      {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let seen = '';
    following.stdout?.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    await waitFor(async () => {
      if (!seen) appendFileSync(file, line('error', 'four'));
      return seen.includes('four');
    });
    following.kill();
  });

  it('exits with 0 when the reader closes the pipe', async () => {
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
    const file = join(dataDir, 'logs', 'worker-2026-01-02.log');
    const more = setInterval(() => appendFileSync(file, '{"level":"info","msg":"more"}\n'), 50);
    const command = `"${process.execPath}" "${join(BUILT_PROGRAM, 'claude-mem.js')}" logs -f`;
    const script = `{ ${command}; echo "ended with $?" >&2; } | head -n 1`;
    const piped = await runProgram('/bin/sh', ['-c', script], { env, cwd: project });
    clearInterval(more);
    expect(piped).toEqual({ exit: 0, stdout: 'info  more\n', stderr: 'ended with 0\n' });
  });

  it('finds no problem in a healthy installation', async () => {
    await run('install', '--host', 'claude-code');
    await run('start');
    await rememberOneTurn();
    const { exit, stdout, stderr } = await run('doctor');
    expect({ exit, stderr }, stdout).toEqual({ exit: 0, stderr: '' });
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !/^(?:ok {4}| {22}The worker uses )/.test(line))).toEqual([]);
    for (const word of ['node', 'SQLite module', 'database', 'hooks', 'worker', 'round trip'])
      expect(stdout).toContain(word);
    expect((await status()).memory?.sessions).toBe(1);
  });

  it('suggests a fix for every problem it finds', async () => {
    const script = join(root, 'gone', 'hook.sh');
    mkdirSync(join(home, '.claude'));
    const command = `sh '${script}' claude-code Stop 2>/dev/null || true # claude-mem hook`;
    writeFileSync(
      join(home, '.claude', 'settings.json'),
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }),
    );
    mkdirSync(join(dataDir, 'spool'), { recursive: true, mode: 0o755 });
    writeFileSync(join(dataDir, 'spool', 'claude-code.Stop.1.json'), '{}');
    writeFileSync(join(dataDir, 'claude-mem.db'), 'this is no database');
    writeFileSync(join(dataDir, 'settings.json'), '{broken');
    const { exit, stdout } = await run('doctor', '--json');
    expect(exit).toBe(1);
    const results = JSON.parse(stdout) as { title: string; state: string; detail: string; fix?: string }[];
    const of = (title: string) => results.find((result) => result.title === title);
    expect(of('hooks')).toMatchObject({ state: 'fail', detail: expect.stringContaining(script) });
    expect(of('database')).toMatchObject({ state: 'fail' });
    expect(of('settings')).toMatchObject({ state: 'warn' });
    expect(of('data directory')).toMatchObject({ state: 'warn' });
    expect(of('worker')).toMatchObject({ state: 'warn' });
    expect(of('spool')).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('1 event waiting'),
    });
    for (const { state, fix } of results) expect(state === 'ok' || Boolean(fix)).toBe(true);
  });
});
