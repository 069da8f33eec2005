import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok, splitEnvelope, startFakeWorker, status, type FakeAnswer } from './testing/fake-worker.js';
import {
  createInstallation,
  fire,
  HOOK_SHELLS,
  type HookRunner,
  type RunOptions,
} from './testing/hook-program.js';

const PAYLOAD = '{"session_id":"s-1","cwd":"/srv/app","hook_event_name":"PostToolUse","tool_name":"Read"}\n';
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SessionEnd',
];
/** Those that are kept when no worker takes them. */
const KEPT_EVENTS = EVENTS.filter((event) => event !== 'PreToolUse');
const RUNNERS = [...HOOK_SHELLS.map(({ name }) => name), 'node'];

const installation = await createInstallation();
afterAll(() => installation[Symbol.asyncDispose]());

/** An empty home and data directory for one test. */
function createHome(name = 'home') {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-home-')));
  const home = join(root, name);
  const dataDir = join(root, 'data');
  mkdirSync(home);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, CLAUDE_MEM_DATA_DIR: dataDir };
  const spool = () => (existsSync(join(dataDir, 'spool')) ? readdirSync(join(dataDir, 'spool')) : []);
  const starts = () =>
    existsSync(join(dataDir, 'starts.jsonl'))
      ? readFileSync(join(dataDir, 'starts.jsonl'), 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  const remove = () => {
    for (const { pid } of starts()) kill(pid);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  return { root, home, dataDir, socket: join(dataDir, 'worker.sock'), env, spool, starts, remove };
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Closes the start gate, so that a test without a worker starts none. */
const closeGate = (home: { dataDir: string }) =>
  mkdirSync(join(home.dataDir, 'starting'), { recursive: true });

async function until(condition: () => boolean, what: string) {
  for (const deadline = Date.now() + 8_000; !condition();) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe.each(RUNNERS)('the hook under %s', { timeout: 60_000 }, (name) => {
  const found = installation.runners.find((runner) => runner.name === name);
  const runner = found as HookRunner;
  const isShell = found?.isShell ?? false;
  const usesCurl = found?.usesCurl ?? false;
  /** The runner with its script changed. */
  const withScript = (name: string, change: (text: string) => string): HookRunner => {
    const script = runner.args.at(-1) ?? '';
    const changed = join(dirname(script), `${name}-${runner.name}.sh`);
    writeFileSync(changed, change(readFileSync(script, 'utf8')));
    return { ...runner, args: [...runner.args.slice(0, -1), changed] };
  };
  let home: ReturnType<typeof createHome>;
  const run = (event: string, payload: string | Uint8Array = PAYLOAD, options: Partial<RunOptions> = {}) =>
    fire(runner, ['claude-code', event], payload, { env: home.env, ...options });
  const silent = { exit: 0, stdout: Buffer.alloc(0), stderr: '' };

  beforeEach(() => void (home = createHome()));
  afterEach(() => home.remove());

  describe.skipIf(!found)('with a worker', () => {
    it.runIf(usesCurl)('P003: hands over a large event whole although curl is slow to start', async () => {
      await using worker = await startFakeWorker(home.socket);
      const slow = join(home.root, 'slow');
      mkdirSync(slow);
      writeFileSync(join(slow, 'curl'), '#!/bin/sh\nsleep 1.3\nPATH=${PATH#*:} exec curl "$@"\n', {
        mode: 0o755,
      });
      const payload = `{"session_id":"s-1","text":"${'0123456789'.repeat(40_000)}"}\n`;
      const env = { ...home.env, PATH: `${slow}:${home.env.PATH}` };
      expect(await run('PostToolUse', payload, { env })).toMatchObject({ exit: 0, stderr: '' });
      expect(worker.received).toHaveLength(1);
      expect(splitEnvelope(worker.received[0]!.body).payload.toString()).toBe(payload);
    });

    it('B020, B022: passes the exact bytes both ways and leaves nothing behind', async () => {
      const answers: Record<string, string> = {
        SessionStart: `{"hookSpecificOutput":{"additionalContext":"${'ü 漢 🐛 200 '.repeat(800)}"}}`,
        UserPromptSubmit: 'two line ends\n\n',
        Stop: '{}\n',
        SessionEnd: '200',
      };
      await using worker = await startFakeWorker(home.socket, (event, response) =>
        response.end(answers[event.path.split('/').pop() ?? ''] ?? ''),
      );
      for (const event of EVENTS) {
        const result = await run(event);
        expect(result).toMatchObject({ exit: 0, stderr: '' });
        expect(result.stdout.toString()).toBe(answers[event] ?? '');
      }
      expect(worker.received.map(({ path }) => path)).toEqual(
        EVENTS.map((event) => `/api/hooks/claude-code/${event}`),
      );
      for (const { body, type } of worker.received) {
        expect(splitEnvelope(body).payload.toString()).toBe(PAYLOAD);
        expect(type).toBe('application/x-claude-mem-hook');
      }
      expect(home.spool()).toEqual([]);
      expect(home.starts()).toEqual([]);
    });

    it('B115: hands over whatever stdin holds, byte by byte', async () => {
      await using worker = await startFakeWorker(home.socket);
      const bytes = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));
      const inputs = [
        '',
        '{"session_id":"abc","cwd":',
        '[]',
        'null',
        '\ufeff{}',
        bytes,
        'no line end',
        '\n\n{}\r\n',
      ];
      for (const input of inputs) expect(await run('UserPromptSubmit', input)).toMatchObject(silent);
      const payloads = worker.received.map(({ body }) => splitEnvelope(body).payload);
      expect(payloads).toEqual(inputs.map((input) => Buffer.from(input)));
    });

    it('hands over 5 MB', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const payload = JSON.stringify({ tool_response: 'x\n"\\é'.repeat(1_000_000) });
      expect(await run('PostToolUse', payload)).toMatchObject({
        exit: 0,
        stdout: Buffer.from('{}'),
        stderr: '',
      });
      expect(
        splitEnvelope(worker.received[0]?.body ?? Buffer.alloc(0)).payload.equals(Buffer.from(payload)),
      ).toBe(true);
      expect(home.spool()).toEqual([]);
    });

    it('B138: a hundred hooks at once are a hundred events, each once', async () => {
      closeGate(home);
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const runs = await Promise.all(
        Array.from({ length: 100 }, (_, index) => run('PostToolUse', `{"tool_use_id":"${index}"}`)),
      );
      expect(runs.filter(({ exit, stderr }) => exit !== 0 || stderr !== '')).toEqual([]);
      const kept = home.spool().map((file) => readFileSync(join(home.dataDir, 'spool', file)));
      const all = [...worker.received.map(({ body }) => body), ...kept].map(splitEnvelope);
      const ids = new Set(all.map(({ lines }) => lines['event-id']));
      const numbers = new Set(all.map(({ payload }) => payload.toString()));
      expect([ids.size, numbers.size]).toEqual([100, 100]);
    });

    it('tells the worker what the environment says, one line each', async () => {
      await using worker = await startFakeWorker(home.socket);
      const folder = `/srv/Jürgen's "repo" $HOME & (проект) アプリ`;
      const env = { ...home.env, CLAUDE_CODE_ENTRYPOINT: 'cli', CURSOR_VERSION: '3.2' };
      await run('Stop', PAYLOAD, {
        env: { ...env, CLAUDE_PROJECT_DIR: folder, GEMINI_PROJECT_DIR: '/other' },
      });
      await run('Stop', PAYLOAD, { env: { ...env, CURSOR_PROJECT_DIR: '/cursor' } });
      await run('Stop', PAYLOAD, { env: { ...home.env, CLAUDE_PROJECT_DIR: '/a\nevent-id: forged\n\n{}' } });
      const [first, second, third] = worker.received.map(({ body }) => splitEnvelope(body).lines);
      expect(first).toMatchObject({
        host: 'claude-code',
        event: 'Stop',
        'project-dir': folder,
        entrypoint: 'cli',
        'cursor-version': '3.2',
      });
      expect(second).toMatchObject({ 'project-dir': '/cursor' });
      expect(Object.keys(third ?? {})).toEqual(['host', 'event', 'event-id', 'version']);
      expect(third?.['event-id']).not.toBe('forged');
      expect(third?.['version']).toBe(isShell ? '@VERSION@' : '0.1.7');
      expect(splitEnvelope(worker.received[2]?.body ?? Buffer.alloc(0)).payload.toString()).toBe(PAYLOAD);
    });

    it('B112: no proxy, curl setting or name look-up comes between it and the socket', async () => {
      await using worker = await startFakeWorker(home.socket, ok('here'));
      writeFileSync(join(home.home, '.curlrc'), 'url = "http://127.0.0.1:9/"\nfail\noutput = "/dev/null"\n');
      const proxy = 'http://127.0.0.1:9';
      const env = { ...home.env, http_proxy: proxy, HTTP_PROXY: proxy, ALL_PROXY: proxy, all_proxy: proxy };
      expect((await run('Stop', PAYLOAD, { env })).stdout.toString()).toBe('here');
      expect(worker.received).toHaveLength(1);
    });

    it('follows the pointer where the data directory is too deep for a socket', async () => {
      const socket = join(home.root, 'short.sock');
      mkdirSync(home.dataDir);
      writeFileSync(join(home.dataDir, 'worker.sock.path'), `${socket}\n`);
      await using worker = await startFakeWorker(socket, ok('by pointer'));
      expect((await run('Stop')).stdout.toString()).toBe('by pointer');
      expect(worker.received).toHaveLength(1);
    });

    const cut: FakeAnswer = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half of an ans');
      setTimeout(() => response.destroy(), 30);
    };
    const refusals: [string, FakeAnswer][] = [
      ['413', status(413, 'too large')],
      ['500', status(500, '{"error":{}}')],
      ['503', status(503, 'starting')],
      ['302', status(302, 'elsewhere 200')],
      ['204', status(204)],
      ['an answer that breaks off', cut],
    ];
    it.each(refusals)('prints nothing and keeps the event on %s', async (_, answer) => {
      closeGate(home);
      await using worker = await startFakeWorker(home.socket, answer);
      expect(await run('PostToolUse')).toMatchObject(silent);
      const [file, ...more] = home.spool();
      expect(more).toEqual([]);
      expect(file).toMatch(/^claude-code\.PostToolUse\..+\.json$/);
      const kept = readFileSync(join(home.dataDir, 'spool', file ?? ''));
      expect(kept.equals(worker.received[0]?.body ?? Buffer.alloc(0))).toBe(true);
      expect(home.starts()).toEqual([]);
    });

    it('waits at a session start for a worker that is not ready yet', async () => {
      closeGate(home);
      let asked = 0;
      await using worker = await startFakeWorker(home.socket, (event, response) =>
        (asked += 1) < 4 ? status(503)(event, response) : ok('ready now')(event, response),
      );
      const result = await run('SessionStart');
      expect(result.stdout.toString()).toBe('ready now');
      expect(new Set(worker.received.map(({ body }) => body.toString())).size).toBe(1);
      expect(home.spool()).toEqual([]);
    });

    it('B001: is not held up by a worker that accepts and never answers', async () => {
      await using worker = await startFakeWorker(home.socket, () => undefined);
      for (const event of ['SessionStart', 'PostToolUse', 'SessionStart']) {
        const result = await run(event, PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
        expect(result).toMatchObject(silent);
        expect(result.ms).toBeLessThan(2_000);
      }
      expect(worker.received).toHaveLength(3);
      expect(home.spool().filter((file) => file.endsWith('.json'))).toHaveLength(3);
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
    });

    it('B114: does not need stdin to be closed', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const result = await run('PostToolUse', PAYLOAD, { keepStdinOpen: true });
      expect(result).toMatchObject({ exit: 0, stdout: Buffer.from('{}'), stderr: '' });
      expect(result.ms).toBeLessThan(2_000);
      expect(splitEnvelope(worker.received[0]?.body ?? Buffer.alloc(0)).payload.toString()).toBe(PAYLOAD);
    });
  });

  describe.skipIf(!found)('without a worker', () => {
    it('B006: twenty session starts at once start one worker, and each gets its context', async () => {
      const runs = await Promise.all(Array.from({ length: 20 }, () => run('SessionStart')));
      expect(runs.filter(({ exit, stderr }) => exit !== 0 || stderr !== '')).toEqual([]);
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
      const answered = runs.filter(({ stdout }) => stdout.toString() === '{"from":"stand-in"}\n').length;
      const kept = home.spool().filter((file) => file.endsWith('.json')).length;
      expect(answered + kept).toBe(20);
      expect(home.spool()).toHaveLength(kept);
    });

    it('gives the first session its context', async () => {
      const result = await run('SessionStart', PAYLOAD, { env: { ...home.env, STAND_IN_DELAY: '150' } });
      expect(result.stdout.toString()).toBe('{"from":"stand-in"}\n');
      expect(home.spool()).toEqual([]);
    });

    it('does not wait for the worker after any other event', async () => {
      const result = await run('PostToolUse', PAYLOAD, { env: { ...home.env, STAND_IN_DELAY: '100' } });
      expect(result).toMatchObject(silent);
      expect(result.ms).toBeLessThan(1_000);
      expect(home.spool()).toEqual([expect.stringMatching(/\.json$/)]);
    });

    it('a question about a file starts no worker, waits for none and is not kept', async () => {
      const away = await run('PreToolUse');
      expect(away).toMatchObject(silent);
      await using worker = await startFakeWorker(home.socket, () => undefined);
      const late = await run('PreToolUse');
      expect(late).toMatchObject(silent);
      expect(late.ms).toBeLessThan(700);
      expect(worker.received).toHaveLength(1);
      expect(home.spool()).toEqual([]);
      expect(home.starts()).toEqual([]);
      expect(existsSync(join(home.dataDir, 'starting'))).toBe(false);
    });

    it('B017, B018: a worker that cannot start costs one attempt, no exit code and little time', async () => {
      const env = { ...home.env, STAND_IN: 'crash' };
      for (const event of EVENTS) {
        const result = await run(event, PAYLOAD, { env });
        expect(result, event).toMatchObject(silent);
        expect(result.ms, event).toBeLessThan(2_000);
      }
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
      expect(home.spool()).toHaveLength(KEPT_EVENTS.length);
    });

    it('B018: a runtime that is not there is not looked for again and again', async () => {
      const env = { ...home.env, CLAUDE_MEM_NODE: join(home.root, 'no-such-node') };
      for (let round = 0; round < 10; round += 1) {
        const result = await run('Stop', PAYLOAD, { env });
        expect(result).toMatchObject(silent);
        expect(result.ms).toBeLessThan(1_000);
      }
      expect(home.spool()).toHaveLength(10);
      expect(home.starts()).toEqual([]);
    });

    it('tries again when the last start is 30 s old, also after the clock was set back', async () => {
      for (const seconds of [-31, 3_600]) {
        const before = home.starts().length;
        closeGate(home);
        const then = Date.now() / 1000 + seconds;
        utimesSync(join(home.dataDir, 'starting'), then, then);
        await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
        await until(() => home.starts().length === before + 1, 'the second start');
      }
      await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
      expect(home.starts()).toHaveLength(2);
    });

    it('a file in the place of the gate stops no start for good', async () => {
      closeGate(home);
      rmSync(join(home.dataDir, 'starting'), { recursive: true });
      writeFileSync(join(home.dataDir, 'starting'), '');
      const then = Date.now() / 1000 - 31;
      utimesSync(join(home.dataDir, 'starting'), then, then);
      for (let round = 0; round < 2; round += 1)
        await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
    });

    it('a gate that a ready worker takes away meanwhile does not come back', async () => {
      closeGate(home);
      const bin = join(home.root, 'shims');
      mkdirSync(bin);
      writeFileSync(join(bin, 'stat'), '#!/bin/sh\nrmdir "$3"\nexit 1\n', { mode: 0o755 });
      await run('Stop', PAYLOAD, {
        env: { ...home.env, PATH: `${bin}:${home.env['PATH']}`, STAND_IN: 'crash' },
      });
      expect(statSync(join(home.dataDir, 'starting'), { throwIfNoEntry: false })?.isFile()).not.toBe(true);
    });

    it('starts a worker that has nothing in common with the host', async () => {
      const env = {
        ...home.env,
        NODE_OPTIONS: '--no-warnings',
        NODE_EXTRA_CA_CERTS: '/etc/none.pem',
        CLAUDE_CODE_SESSION_ID: 's-1',
        CLAUDE_PROJECT_DIR: '/srv/app',
      };
      await run('PostToolUse', PAYLOAD, { env });
      await until(() => home.starts().length > 0, 'the start');
      const [start] = home.starts();
      expect(start.session).toBe(start.pid);
      expect(start.cwd).toBe(home.dataDir);
      expect(start.umask).toBe(0o077);
      for (const name of [
        'NODE_OPTIONS',
        'NODE_EXTRA_CA_CERTS',
        'CLAUDE_CODE_SESSION_ID',
        'CLAUDE_PROJECT_DIR',
      ])
        expect(start.env).not.toHaveProperty(name);
      expect(start.env.CLAUDE_MEM_DATA_DIR).toBe(home.dataDir);
      const inherited = (start.files as [number, string][]).filter(([, file]) =>
        /^(pipe|socket):/.test(file),
      );
      expect(inherited.filter(([fd]) => fd < 3)).toEqual([]);
      expect(statSync(join(home.dataDir, 'logs', 'worker-start.log')).mode & 0o777).toBe(0o600);
      await until(() => parentOf(start.pid) !== process.pid, 'the worker to have another parent');
    });

    it('B035, B037: lives in folders with any name', async () => {
      const other = await createInstallation(`Jürgen's "repo" $HOME & (проект) アプリ;x`);
      const odd = other.runners.find((one) => one.name === name) as HookRunner;
      const dataDir = join(home.root, `da ta's & $(x) "мем"`);
      const env = { ...home.env, CLAUDE_MEM_DATA_DIR: dataDir };
      const result = await fire(odd, ['claude-code', 'SessionStart'], PAYLOAD, { env, cwd: home.home });
      expect(result).toMatchObject({ exit: 0, stdout: Buffer.from('{"from":"stand-in"}\n'), stderr: '' });
      expect(readdirSync(join(dataDir, 'spool'))).toEqual([]);
      kill(JSON.parse(readFileSync(join(dataDir, 'starts.jsonl'), 'utf8')).pid);
      await other[Symbol.asyncDispose]();
    });
  });

  describe.skipIf(!found)('in an odd environment', () => {
    it('B113: uses the folder it was told and no other', async () => {
      closeGate(home);
      for (const event of EVENTS) await run(event);
      expect(readdirSync(home.home)).toEqual([]);
      expect(home.spool()).toHaveLength(KEPT_EVENTS.length);
    });

    it('finds its folder in the home, from a tilde and from a relative path', async () => {
      const { CLAUDE_MEM_DATA_DIR: _, ...rest } = home.env;
      for (const [asked, folder] of [
        [undefined, '.claude-mem'],
        ['~/mem', 'mem'],
        ['rel/mem', 'rel/mem'],
      ] as const) {
        await run('Stop', PAYLOAD, {
          env: { ...rest, CLAUDE_MEM_NODE: '/nowhere', ...(asked && { CLAUDE_MEM_DATA_DIR: asked }) },
        });
        expect(readdirSync(join(home.home, folder, 'spool')), folder).toHaveLength(1);
      }
      expect(readdirSync(home.home).toSorted()).toEqual(['.claude-mem', 'mem', 'rel']);
    });

    it('B071: what it writes is for its owner alone', async () => {
      const { CLAUDE_MEM_DATA_DIR: _, ...env } = home.env;
      process.umask(0o022);
      await run('Stop', PAYLOAD, { env: { ...env, CLAUDE_MEM_NODE: '/nowhere' } });
      const dataDir = join(home.home, '.claude-mem');
      const modeOf = (...path: string[]) => statSync(join(dataDir, ...path)).mode & 0o777;
      expect([modeOf(), modeOf('spool'), modeOf('starting')]).toEqual([0o700, 0o700, 0o700]);
      const [file = ''] = readdirSync(join(dataDir, 'spool'));
      expect(modeOf('spool', file)).toBe(0o600);
    });

    it('ends quietly where nothing can be written', async () => {
      writeFileSync(join(home.root, 'file'), '');
      const { HOME: _home, CLAUDE_MEM_DATA_DIR: _dir, ...bare } = home.env;
      const environments: Record<string, string>[] = [
        bare,
        { ...bare, HOME: join(home.root, 'file') },
        { ...home.env, CLAUDE_MEM_DATA_DIR: join(home.root, 'file', 'x') },
        { ...home.env, CLAUDE_MEM_DATA_DIR: '/proc/claude-mem' },
      ];
      for (const env of environments)
        for (const event of ['SessionStart', 'Stop']) {
          const result = await run(event, PAYLOAD, { env });
          expect(result).toMatchObject(silent);
          expect(result.ms).toBeLessThan(2_000);
        }
      expect(readdirSync(home.root).toSorted()).toEqual(['file', 'home']);
    });

    it('does nothing at all for the observer itself or when switched off', async () => {
      const off = [
        { CLAUDE_MEM_OBSERVER: '1' },
        { CLAUDE_MEM_ENABLED: 'false' },
        { CLAUDE_MEM_ENABLED: '0' },
        { CLAUDE_MEM_ENABLED: 'False' },
      ];
      for (const more of off)
        expect(await run('SessionStart', PAYLOAD, { env: { ...home.env, ...more } })).toMatchObject(silent);
      expect(existsSync(home.dataDir)).toBe(false);
    });

    it('makes no path of what the command line says', async () => {
      closeGate(home);
      const calls: [string, string][] = [
        ['../../x', 'Stop'],
        ['claude-code', 'a/../../b'],
        ['', ''],
        ['a b', '$(touch x)'],
        ['h', 'e'.repeat(300)],
      ];
      for (const call of calls)
        expect(await fire(runner, call, PAYLOAD, { env: home.env, cwd: home.home })).toMatchObject(silent);
      expect(
        home
          .spool()
          .map((file) => file.split('.').slice(0, 2).join('.'))
          .toSorted(),
      ).toEqual(
        ['claude-code.unknown', 'h.unknown', 'unknown.Stop', 'unknown.unknown', 'unknown.unknown'].toSorted(),
      );
      expect(readdirSync(home.home)).toEqual([]);
    });
  });

  describe.skipIf(!isShell)('as the hook of a plugin', () => {
    const runPlugin = (event: string, env: Record<string, string> = {}) =>
      fire(runner, ['claude-code', event, 'unless-installed'], PAYLOAD, { env: { ...home.env, ...env } });

    it('B138: stands back where settings have a hook of ours for this event that can run', async () => {
      await using worker = await startFakeWorker(home.socket, ok('of the plugin'));
      const project = join(home.root, `a "project"`);
      const script = join(home.root, 'hook.sh');
      const settings = {
        user: join(home.home, '.claude', 'settings.json'),
        elsewhere: join(home.root, 'config', 'settings.json'),
        project: join(project, '.claude', 'settings.json'),
        local: join(project, '.claude', 'settings.local.json'),
      };
      const env = { CLAUDE_PROJECT_DIR: project };
      const hookOf = (event: string, mark = 'claude-mem hook', path = script) =>
        `CLAUDE_MEM_DATA_DIR='/d' sh '${path}' claude-code ${event} 2>/dev/null || true # ${mark}`;
      const write = (file: string, ...commands: string[]) => {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify({ hooks: commands.map((command) => ({ command })) }));
      };
      writeFileSync(script, '');

      for (const file of [settings.user, settings.project, settings.local]) {
        write(file, 'echo hello', hookOf('Stop'), hookOf('SessionEnd'));
        expect(await runPlugin('Stop', env)).toMatchObject(silent);
        rmSync(file);
      }
      expect(worker.received).toEqual([]);
      expect(home.spool()).toEqual([]);

      const passes = async (more: Record<string, string> = {}) =>
        expect((await runPlugin('Stop', { ...env, ...more })).stdout.toString()).toBe('of the plugin');
      await passes();
      write(settings.user, hookOf('SessionEnd'), hookOf('Stop', 'another hook'));
      await passes();
      write(settings.user, hookOf('Stop', 'claude-mem hook', join(home.root, 'gone.sh')));
      await passes();
      write(settings.user, hookOf('Stop'));
      write(settings.elsewhere);
      await passes({ CLAUDE_CONFIG_DIR: dirname(settings.elsewhere) });
      // a hook that the person installed asks nobody
      expect((await run('Stop', PAYLOAD)).stdout.toString()).toBe('of the plugin');
    });
  });

  describe.skipIf(!isShell || usesCurl)('with perl', () => {
    it('B112: settings that are for the perl of others change nothing', async () => {
      await using worker = await startFakeWorker(home.socket, ok('ü 漢 🐛'));
      const payload = `{"text":"é ${'漢'.repeat(50_000)}"}`;
      const env = {
        ...home.env,
        PERL5OPT: '-MNo::Such',
        PERL5LIB: home.home,
        PERL_UNICODE: 'SDA',
        PERLIO: ':utf8',
      };
      expect(await run('Stop', payload, { env })).toMatchObject({
        exit: 0,
        stdout: Buffer.from('ü 漢 🐛'),
        stderr: '',
      });
      expect(splitEnvelope(worker.received[0]!.body).payload.toString()).toBe(payload);
      expect(home.spool()).toEqual([]);
    });

    it.each([14, 127, 255])('goes on with curl where perl cannot (%d)', async (code) => {
      await using worker = await startFakeWorker(home.socket, ok('by curl'));
      const perl = join(home.root, 'perl');
      writeFileSync(perl, `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
      const other = withScript(`perl-${code}`, (text) => text.replaceAll('/usr/bin/perl', perl));
      const result = await fire(other, ['claude-code', 'Stop'], PAYLOAD, { env: home.env });
      expect(result.stdout.toString()).toBe('by curl');
      expect(splitEnvelope(worker.received[0]!.body).payload.toString()).toBe(PAYLOAD);
    });

    it('keeps the event, once and whole, when its sender is killed after reading', async () => {
      await using worker = await startFakeWorker(home.socket, () => undefined);
      const perl = join(home.root, 'perl');
      writeFileSync(perl, `#!/bin/sh\nexec 3<&0\n/usr/bin/perl "$@" <&3 & sleep 0.3; kill -9 $!; wait $!\n`, {
        mode: 0o755,
      });
      const other = withScript('killed', (text) => text.replaceAll('/usr/bin/perl', perl));
      closeGate(home);
      expect(await fire(other, ['claude-code', 'Stop'], PAYLOAD, { env: home.env })).toMatchObject(silent);
      expect(worker.received.length).toBeLessThanOrEqual(1);
      const kept = home.spool().map((file) => readFileSync(join(home.dataDir, 'spool', file)));
      expect(kept.map((bytes) => splitEnvelope(bytes).payload.toString())).toEqual([PAYLOAD]);
    });
  });

  describe.skipIf(!isShell)('where programs are missing', () => {
    const withOnly = (...names: string[]) => {
      const folder = join(home.root, 'bin');
      mkdirSync(folder);
      for (const name of names) {
        const path = ['/usr/bin', '/bin'].map((bin) => join(bin, name)).find((file) => existsSync(file));
        symlinkSync(path ?? process.execPath, join(folder, name));
      }
      return { ...home.env, PATH: folder };
    };
    const basics = ['cat', 'mkdir', 'mv', 'rm', 'rmdir', 'tail', 'date', 'stat', 'sleep'];

    it('B114: needs no timeout program', async () => {
      const env = withOnly(...basics, 'curl');
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      expect(await run('Stop', PAYLOAD, { env })).toMatchObject({
        exit: 0,
        stdout: Buffer.from('{}'),
        stderr: '',
      });
      const open = await run('Stop', PAYLOAD, { env, keepStdinOpen: true });
      expect(open).toMatchObject({ exit: 0, stdout: Buffer.from('{}'), stderr: '' });
      expect(open.ms).toBeLessThan(2_000);
      const payloads = worker.received.map(({ body }) => splitEnvelope(body).payload.toString());
      expect(payloads).toEqual([PAYLOAD, PAYLOAD]);
    });

    it.runIf(usesCurl)('posts with node where there is no curl', async () => {
      const env = withOnly(...basics, 'timeout', 'node');
      await using worker = await startFakeWorker(home.socket, ok('by node\n'));
      expect((await run('Stop', PAYLOAD, { env })).stdout.toString()).toBe('by node\n');
      expect(splitEnvelope(worker.received[0]?.body ?? Buffer.alloc(0)).payload.toString()).toBe(PAYLOAD);
      expect(home.spool()).toEqual([]);
    });

    it.runIf(usesCurl)('keeps the event where there is neither curl nor node', async () => {
      const env = { ...withOnly(...basics, 'timeout'), CLAUDE_MEM_NODE: '/nowhere' };
      await using worker = await startFakeWorker(home.socket, ok('x'));
      expect(await run('Stop', PAYLOAD, { env })).toMatchObject(silent);
      expect(home.spool()).toEqual([expect.stringMatching(/\.json$/)]);
      expect(worker.received).toEqual([]);
    });

    it('starts the worker apart without setsid, with the node that was written down', async () => {
      const env = withOnly(...basics, 'timeout', 'curl');
      mkdirSync(home.dataDir);
      writeFileSync(join(home.dataDir, 'node.path'), `${process.execPath}\n`);
      await run('PostToolUse', PAYLOAD, { env });
      await until(() => home.starts().length > 0, 'the start');
      const [start] = home.starts();
      expect(start.session).toBe(start.pid);
    });

    it('is quiet when the disk is full, and blocks nobody', async () => {
      const limited = {
        ...runner,
        command: '/bin/sh',
        args: ['-c', 'ulimit -f 16; exec "$@"', 'sh', runner.command, ...runner.args],
      };
      closeGate(home);
      const payload = JSON.stringify({ text: 'x'.repeat(100_000) });
      const result = await fire(limited, ['claude-code', 'Stop'], payload, { env: home.env });
      expect(result).toMatchObject(silent);
    });

    it('keeps the event when the host ends it early', async () => {
      await using _worker = await startFakeWorker(home.socket, () => undefined);
      const result = await run('Stop', PAYLOAD, { signal: { name: 'SIGTERM', afterMs: 300 } });
      expect(result).toMatchObject(silent);
      expect(home.spool()).toEqual([expect.stringMatching(/\.json$/)]);
    });

    it('B018: an error of the shell itself is no exit code either, and loses nothing', async () => {
      const clock = join(home.root, 'uptime');
      writeFileSync(clock, '1)2.34 5.67\n');
      const broken = withScript('bad-clock', (text) => text.replaceAll('</proc/uptime', `<${clock}`));
      closeGate(home);
      expect(await fire(broken, ['claude-code', 'Stop'], PAYLOAD, { env: home.env })).toMatchObject(silent);
      expect(home.spool()).toEqual([expect.stringMatching(/\.json$/)]);
    });

    it('takes its time from the count of tries where there is no clock to read', async () => {
      const old = withScript('no-clock', (text) => text.replaceAll('/proc/', '/nowhere/'));
      const env = { ...home.env, STAND_IN_DELAY: '3000' };
      const result = await fire(old, ['claude-code', 'SessionStart'], PAYLOAD, { env });
      expect(result).toMatchObject(silent);
      expect(result.ms).toBeLessThan(2_000);
      expect(home.spool()).toEqual([expect.stringMatching(/^claude-code\.SessionStart\.\d+-\d+\.json$/)]);
    });
  });
});

function parentOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
}

describe('the script itself', () => {
  const text = readFileSync(join(import.meta.dirname, 'hook.sh'), 'utf8');

  it('B039: holds no carriage return, whatever the checkout does with line ends', () => {
    expect(text).not.toContain('\r');
    expect(readFileSync(join(import.meta.dirname, '../../../.gitattributes'), 'utf8')).toMatch(
      /^\*\.sh .*\beol=lf$/m,
    );
  });

  it.runIf(existsSync('/usr/bin/perl'))('holds a program that perl has nothing to say against', () => {
    const program = /^perl_program='\n([^']*)^'$/m.exec(text)?.[1] ?? '';
    const check = spawnSync('/usr/bin/perl', ['-Mstrict', '-wc', '-e', program], { encoding: 'utf8' });
    expect(program).toContain('POST');
    expect(check.stderr).toBe('-e syntax OK\n');
  });

  it('does nothing as long as it is not whole', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cm-half-'));
    const half = join(folder, 'hook.sh');
    writeFileSync(half, text.slice(0, Math.floor(text.length / 2)));
    chmodSync(half, 0o755);
    const runner = { name: 'sh', isShell: true, usesCurl: false, command: '/bin/sh', args: [half] };
    const { stdout } = await fire(runner, ['claude-code', 'Stop'], '{}', {
      env: { PATH: '/usr/bin:/bin', HOME: folder },
    });
    expect(stdout).toHaveLength(0);
    expect(readdirSync(folder)).toEqual(['hook.sh']);
    rmSync(folder, { recursive: true });
  });
});
