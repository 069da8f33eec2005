import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bySize, isFullRun } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from './commands/index.js';
import type { Status } from './commands/status.js';
import { spawnQuiet } from './spawn-quiet.js';
import { startFakeWorker } from './testing/fake-worker.js';
import { closeGate } from './testing/hook-home.js';
import { BUILT_PROGRAM, installProgram, runProgram, withRoundScores } from './testing/installed-program.js';
import { createProgramHome, type ProgramHome } from './testing/run-inside.js';

let test: ProgramHome;
let root: string;
let home: string;
let project: string;
let dataDir: string;
let env: Record<string, string>;

beforeEach(() => void ({ root, home, project, dataDir, env } = test = createProgramHome()));
afterEach(() => test[Symbol.asyncDispose]());

const run = (...args: string[]) => test.run(...args);
/** Runs the built program as a process. */
const runProcess = (args: readonly string[], dist = BUILT_PROGRAM) =>
  runProgram(process.execPath, [join(dist, 'claude-mem.js'), ...args], { env, cwd: project });

const status = async () => JSON.parse((await run('status', '--json')).stdout) as Status;
const hook = (event: string, payload: object) =>
  runProgram('sh', [join(BUILT_PROGRAM, 'hook.sh'), 'claude-code', event], {
    env: { ...env, CLAUDE_PROJECT_DIR: project },
    cwd: project,
    input: `${JSON.stringify({ session_id: 's-1', cwd: project, hook_event_name: event, ...payload })}\n`,
  });
/** A hook that times out on a busy worker leaves its event in the spool. */
const waitForSpool = () => waitFor(async () => (await status()).spool.waiting === 0);

async function rememberOneTurn() {
  await hook('UserPromptSubmit', { prompt: 'Raise the limit' });
  await hook('PostToolUse', EDIT());
  await hook('Stop', {
    last_assistant_message: 'I raised the upload limit to 2 in a.ts because uploads failed.',
  });
  await waitFor(async () => {
    const { queue, memory } = await status();
    return queue?.pending === 0 && queue.processing === 0 && (memory?.observations ?? 0) > 0;
  });
}

const EDIT = () => ({
  tool_name: 'Edit',
  tool_use_id: 'toolu_1',
  tool_input: { file_path: join(project, 'a.ts'), old_string: 'limit = 1', new_string: 'limit = 2' },
  tool_response: { filePath: join(project, 'a.ts'), oldString: 'limit = 1', newString: 'limit = 2' },
});

async function waitFor(condition: () => Promise<boolean>) {
  for (const deadline = Date.now() + 50_000; !(await condition());) {
    if (Date.now() > deadline) throw new Error('waited 50 s for a condition');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the command line', () => {
  it.skipIf(process.platform === 'win32')('works when the current folder was deleted', async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    closeGate({ dataDir });
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

  it('reports in one line a data directory that cannot be used', async () => {
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
    [['pin', 'P3'], /^P3 is a prompt, no observation \(#12\)\. .*: claude-mem show P3$/m],
    [['queue', 'burn'], /list, retry and drop/],
    [['queue', 'drop'], /ids or --parked/],
    [['queue', 'drop', '1'], /needs --yes/],
    [['install'], /Which host/],
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

  it('B113, B033: writes to no folder except --data-dir', async () => {
    const other = join(root, 'elsewhere');
    await runProcess(['--data-dir', other, 'start']);
    for (const args of [['status'], ['search', 'x'], ['settings'], ['logs'], ['stop']])
      await run('--data-dir', other, ...args);
    expect(existsSync(dataDir)).toBe(false);
    expect(readdirSync(home)).toEqual(['work']);
    expect(readdirSync(other)).toContain('claude-mem.db');
  });
});

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

  it('B002: leaves another process alone when worker.json contains its id', async () => {
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

describe('the memory', () => {
  it('returns the same records with and without the worker', async () => {
    // the full run includes the semantic search
    if (isFullRun) delete env['CLAUDE_MEM_EMBEDDER'];
    await run('start');
    await rememberOneTurn();
    expect(await run('reindex')).toMatchObject({ exit: 0, stderr: '' });
    // the time limit of a search may end before the model is loaded
    const search = async (...args: string[]) => {
      let answer = await run('search', ...args);
      for (
        let again = 0;
        again < 5 && /vectors took too long/.test(answer.stdout + answer.stderr);
        again += 1
      )
        answer = await run('search', ...args);
      return answer;
    };
    const askAll = async () => [
      await search('upload', 'limit'),
      await search('limit', '--project', 'demo', '--json'),
      await run('show', '#1'),
      await run('show', '1', 's1', 'P1,#1', '--json'),
      await run('show', 'S1', 'P1'),
      await run('queue', '--json'),
      await run('usage', '--json'),
    ];
    const ask = async () => (await askAll()).map(withRoundScores);
    const online = await ask();
    expect(online.map(({ exit, stderr }) => [exit, stderr])).toEqual(online.map(() => [0, '']));
    expect(online[0]?.stdout).toMatch(/^#1 .* change .*limit/);
    expect(online[2]?.stdout).toMatch(/^.*, project demo, session 1, turn 1$/m);
    expect(online[4]?.stdout).toMatch(
      /^S1 summary: .*\n.*, project demo, session 1, turn 1\n[^]*\n\nP1 prompt\n.*, project demo, session 1, turn 1\n\nRaise the limit\n$/,
    );
    const preview = await run('context', '--preview');
    expect(preview.stdout).toContain('<claude-mem-context>');
    const history = await run('context', '--file', 'a.ts');
    expect(history).toMatchObject({ exit: 0, stderr: expect.stringContaining(': 1 record, about') });
    expect(history.stdout).toContain('recorded about `a.ts`');
    const recall = await run('context', '--prompt', 'why did uploads fail at the limit?');
    expect(recall.stderr).toContain('CLAUDE_MEM_RECALL_ON_PROMPT is off');
    const before = await status();
    await run('stop');
    expect(await ask()).toEqual(online);
    expect((await status()).memory?.observations).toBe(before.memory?.observations);
    expect((await run('status')).stdout).toMatch(/^memory .* 1 session, 1 project, /m);
    expect(await run('show', '1', '77')).toMatchObject({ exit: 1, stderr: 'Not found: #77\n' });
    expect(await run('show', '1', 'P77')).toMatchObject({ exit: 1, stderr: 'Not found: P77\n' });
    expect(await run('show', '77')).toEqual({ exit: 1, stdout: '', stderr: 'Not found: #77\n' });
    expect(await run('search', 'x', '--project', 'other')).toMatchObject({ exit: 1 });
  });

  it('reports once in status and once in doctor why the observer is paused', async () => {
    env['CLAUDE_MEM_PROVIDER'] = 'gemini';
    await run('start');
    await waitFor(async () => (await status()).observer.state === 'paused');
    const { observer, notices } = await status();
    expect(observer).toMatchObject({ provider: 'gemini', problem: expect.stringContaining('has no key') });
    expect(notices).toEqual([observer.problem]);
    const shown = await run('status');
    expect(shown.stdout.match(/has no key/g)).toHaveLength(1);
    const examined = await run('doctor');
    expect(examined.stdout.match(/has no key/g)).toHaveLength(1);
    expect(examined.stdout).toContain('→ Run: claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY');
  });

  it('B138: stores one event when several processes send it', async () => {
    await run('start');
    await hook('UserPromptSubmit', { prompt: 'Raise the limit' });
    const runs = await Promise.all(
      Array.from({ length: bySize({ quick: 5, full: 10 }) }, () => hook('PostToolUse', EDIT())),
    );
    expect(runs.filter(({ exit, stderr }) => exit !== 0 || stderr !== '')).toEqual([]);
    await waitForSpool();
    const items = JSON.parse((await run('queue', '--json')).stdout) as unknown[];
    expect(items).toHaveLength(1);
    expect(await run('queue', 'drop', '1', '--yes')).toMatchObject({ exit: 0, stdout: '1 dropped.\n' });
    expect((await run('queue')).stdout).toBe('The queue is empty.\n');
    expect((await run('queue', 'retry', '--parked')).stdout).toBe('0 will be retried.\n');
  });

  it('stores events of the hook commands and always exits with 0', async () => {
    await run('start');
    const event = (payload: object) => JSON.stringify({ session_id: 's-2', cwd: project, ...payload });
    const calls: [string[], string][] = [
      [['context'], event({ hook_event_name: 'SessionStart', source: 'startup' })],
      [['new'], event({ prompt: 'Hello' })],
      [['save'], event(EDIT())],
      [['summary', '--host', 'claude-code'], event({ last_assistant_message: 'Done.' })],
      [['hook', 'claude-code', 'SessionEnd'], event({ reason: 'other' })],
      [['hook', 'claude-code', 'UserPromptSubmit'], '{"session_id":"abc","cwd":'],
      [['hook', 'claude-code', 'UserPromptSubmit'], ''],
      [['hook'], '{}'],
      [['hook', '--wrong'], '{}'],
    ];
    for (const [args, input] of calls)
      expect(await test.runWithInput(input, ...args), args.join(' ')).toMatchObject({ exit: 0, stderr: '' });
    await waitForSpool();
    expect((await status()).memory).toMatchObject({ sessions: 1, prompts: 1 });
  });

  it('does not keep an event when the worker reads it from the spool without answering', async () => {
    const spool = join(dataDir, 'spool');
    mkdirSync(join(dataDir, 'starting'), { recursive: true });
    await using worker = await startFakeWorker(join(dataDir, 'worker.sock'), () => {
      for (const name of readdirSync(spool)) rmSync(join(spool, name));
    });
    const event = JSON.stringify({ session_id: 's-2', cwd: project, hook_event_name: 'SessionStart' });
    expect(await test.runWithInput(event, 'context')).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(worker.received).toHaveLength(1);
    expect(readdirSync(spool)).toEqual([]);
  });
});

describe('install and uninstall', () => {
  const settingsFile = () => join(home, '.claude', 'settings.json');
  const commandsIn = (file: string) => {
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
      hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
    };
    return Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  };

  it('B034: leaves only the memory after uninstall and nothing after --purge', async () => {
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

  it('B166: sets a time limit in seconds for every hook', async () => {
    await run('install', '--host', 'claude-code');
    const hooks = commandsIn(settingsFile());
    expect(hooks.length).toBeGreaterThanOrEqual(6);
    for (const { timeout } of hooks) expect(timeout >= 1 && timeout <= 120).toBe(true);
  });

  it('B035: runs the installed commands when folders have unusual names', async () => {
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

  it('writes to the file of --settings or --project and rejects an invalid file', async () => {
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

  it('asks for a restart when the worker reads the setting only at its start', async () => {
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
    const findings = JSON.parse(stdout) as { title: string; state: string; detail: string; fix?: string }[];
    const of = (title: string) => findings.find((finding) => finding.title === title);
    expect(of('hooks')).toMatchObject({ state: 'fail', detail: expect.stringContaining(script) });
    expect(of('database')).toMatchObject({ state: 'fail' });
    expect(of('settings')).toMatchObject({ state: 'warn' });
    expect(of('data directory')).toMatchObject({ state: 'warn' });
    expect(of('worker')).toMatchObject({ state: 'warn' });
    expect(of('spool')).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('1 event waiting'),
    });
    for (const { state, fix } of findings) expect(state === 'ok' || Boolean(fix)).toBe(true);
  });
});
