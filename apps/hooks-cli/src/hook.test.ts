import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ok,
  splitEnvelope,
  startFakeWorker,
  status,
  type FakeAnswer,
  type FakeWorker,
} from './testing/fake-worker.js';
import {
  closeGate,
  createHome,
  EVENTS,
  KEPT_EVENTS,
  kill,
  PAYLOAD,
  RUNNERS,
  SILENT,
  until,
} from './testing/hook-home.js';
import { createInstallation, fire, type HookRunner, type RunOptions } from './testing/hook-program.js';

const installation = await createInstallation();
afterAll(() => installation[Symbol.asyncDispose]());

describe.each(RUNNERS)('the hook under %s', { timeout: 60_000 }, (name) => {
  const found = installation.runners.find((runner) => runner.name === name);
  const runner = found as HookRunner;
  const isShell = found?.isShell ?? false;
  const usesCurl = found?.usesCurl ?? false;
  let home: ReturnType<typeof createHome>;
  const run = (event: string, payload: string | Uint8Array = PAYLOAD, options: Partial<RunOptions> = {}) =>
    fire(runner, ['claude-code', event], payload, { env: home.env, ...options });

  beforeEach(() => void (home = createHome()));
  afterEach(() => home.remove());

  /** Events of hooks that gave up on the worker, as they do where the machine is busy. */
  let late: Set<string | undefined>;
  beforeEach(() => void (late = new Set()));
  /** As `run`, again where the hook gave up: what is kept then is taken away, and a worker that it starts ends at once. */
  const runInTime: typeof run = async (event, payload, options) => {
    for (let attempt = 1; ; attempt += 1) {
      const env = { ...(options?.env ?? home.env), STAND_IN: 'crash' };
      const result = await run(event, payload, { ...options, env });
      const kept = home.spool().map((file) => join(home.dataDir, 'spool', file));
      if (kept.length === 0 || attempt === 8) return result;
      for (const file of kept) {
        late.add(splitEnvelope(readFileSync(file)).lines['event-id']);
        rmSync(file);
      }
    }
  };
  /** What came from hooks that did not give up. */
  const receivedBy = ({ received }: FakeWorker) =>
    received
      .map((event) => ({ ...event, ...splitEnvelope(event.body) }))
      .filter(({ lines }) => !late.has(lines['event-id']));

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
        const result = await runInTime(event);
        expect(result).toMatchObject({ exit: 0, stderr: '' });
        expect(result.stdout.toString()).toBe(answers[event] ?? '');
      }
      await expect
        .poll(() => receivedBy(worker).map(({ path }) => path))
        .toEqual(EVENTS.map((event) => `/api/hooks/claude-code/${event}`));
      for (const { payload, type } of receivedBy(worker)) {
        expect(payload.toString()).toBe(PAYLOAD);
        expect(type).toBe('application/x-claude-mem-hook');
      }
      expect(home.spool()).toEqual([]);
      if (late.size === 0) expect(home.starts()).toEqual([]);
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
      for (const input of inputs) expect(await runInTime('UserPromptSubmit', input)).toMatchObject(SILENT);
      const payloads = receivedBy(worker).map(({ payload }) => payload);
      expect(payloads).toEqual(inputs.map((input) => Buffer.from(input)));
    });

    it('hands over 5 MB', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const payload = JSON.stringify({ tool_response: 'x\n"\\é'.repeat(1_000_000) });
      expect(await runInTime('PostToolUse', payload)).toMatchObject({
        exit: 0,
        stdout: Buffer.from('{}'),
        stderr: '',
      });
      expect(receivedBy(worker).map((event) => event.payload.equals(Buffer.from(payload)))).toEqual([true]);
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
      await runInTime('Stop', PAYLOAD, {
        env: { ...env, CLAUDE_PROJECT_DIR: folder, GEMINI_PROJECT_DIR: '/other' },
      });
      await runInTime('Stop', PAYLOAD, { env: { ...env, CURSOR_PROJECT_DIR: '/cursor' } });
      const forging = { ...home.env, CLAUDE_PROJECT_DIR: '/a\nevent-id: forged\n\n{}' };
      await runInTime('Stop', PAYLOAD, { env: forging });
      const received = receivedBy(worker);
      const [first, second, third] = received.map(({ lines }) => lines);
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
      expect(received[2]?.payload.toString()).toBe(PAYLOAD);
    });

    it('B112: no proxy, curl setting or name look-up comes between it and the socket', async () => {
      await using worker = await startFakeWorker(home.socket, ok('here'));
      writeFileSync(join(home.home, '.curlrc'), 'url = "http://127.0.0.1:9/"\nfail\noutput = "/dev/null"\n');
      const proxy = 'http://127.0.0.1:9';
      const env = { ...home.env, http_proxy: proxy, HTTP_PROXY: proxy, ALL_PROXY: proxy, all_proxy: proxy };
      expect((await runInTime('Stop', PAYLOAD, { env })).stdout.toString()).toBe('here');
      expect(receivedBy(worker)).toHaveLength(1);
    });

    it('follows the pointer where the data directory is too deep for a socket', async () => {
      const socket = join(home.root, 'short.sock');
      mkdirSync(home.dataDir);
      writeFileSync(join(home.dataDir, 'worker.sock.path'), `${socket}\n`);
      await using worker = await startFakeWorker(socket, ok('by pointer'));
      expect((await runInTime('Stop')).stdout.toString()).toBe('by pointer');
      expect(receivedBy(worker)).toHaveLength(1);
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
      expect(await run('PostToolUse')).toMatchObject(SILENT);
      const [file, ...more] = home.spool();
      expect(more).toEqual([]);
      expect(file).toMatch(/^claude-code\.PostToolUse\..+\.json$/);
      const kept = readFileSync(join(home.dataDir, 'spool', file ?? ''));
      expect(kept.equals(worker.received[0]?.body ?? Buffer.alloc(0))).toBe(true);
      expect(home.starts()).toEqual([]);
    });

    it('waits at a session start for a worker that is not ready yet', async () => {
      // of each session until one is in time
      const asked = new Map<string | undefined, number>();
      await using worker = await startFakeWorker(home.socket, (event, response) => {
        const id = splitEnvelope(event.body).lines['event-id'];
        asked.set(id, (asked.get(id) ?? 0) + 1);
        return asked.get(id)! < 3 ? status(503)(event, response) : ok('ready now')(event, response);
      });
      const result = await runInTime('SessionStart');
      expect(result.stdout.toString()).toBe('ready now');
      expect(receivedBy(worker)).toHaveLength(3);
      expect(new Set(receivedBy(worker).map(({ body }) => body.toString())).size).toBe(1);
      expect(home.spool()).toEqual([]);
    });

    it('B001: is not held up by a worker that accepts and never answers', async () => {
      await using worker = await startFakeWorker(home.socket, () => undefined);
      const took: number[] = [];
      for (const event of ['SessionStart', 'PostToolUse', 'SessionStart']) {
        const result = await run(event, PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
        expect(result).toMatchObject(SILENT);
        took.push(result.ms);
      }
      expect(Math.min(...took)).toBeLessThan(2_000);
      expect(worker.received).toHaveLength(3);
      expect(home.spool().filter((file) => file.endsWith('.json'))).toHaveLength(3);
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
    });

    it('B114: does not need stdin to be closed', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const took: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const result = await runInTime('PostToolUse', PAYLOAD, { keepStdinOpen: true });
        expect(result).toMatchObject({ exit: 0, stdout: Buffer.from('{}'), stderr: '' });
        took.push(result.ms);
      }
      expect(Math.min(...took)).toBeLessThan(2_000);
      const payloads = receivedBy(worker).map(({ payload }) => payload.toString());
      expect(payloads).toEqual([PAYLOAD, PAYLOAD, PAYLOAD]);
    });
  });

  describe.skipIf(!found)('with a host on a busy machine', () => {
    it('B114: waits for an event that is not there within the first second', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const result = await run('PostToolUse', PAYLOAD, { writeAfterMs: 1_400 });
      expect(result).toMatchObject({ exit: 0, stdout: Buffer.from('{}'), stderr: '' });
      expect(splitEnvelope(worker.received[0]?.body ?? Buffer.alloc(0)).payload.toString()).toBe(PAYLOAD);
    });

    it('B114: does not wait for ever for one that never comes', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const result = await run('PostToolUse', '', { keepStdinOpen: true });
      expect(result).toMatchObject({ exit: 0, stderr: '' });
      expect(worker.received).toHaveLength(1);
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
      // one of several: other programs on the machine may hold up the start of a worker
      for (let round = 0; round < 8; round += 1) {
        const result = await run('SessionStart', PAYLOAD, { env: { ...home.env, STAND_IN_DELAY: '50' } });
        if (round === 7 || result.stdout.length > 0) {
          expect(result.stdout.toString()).toBe('{"from":"stand-in"}\n');
          expect(home.spool()).toEqual([]);
          return;
        }
        home.remove();
        home = createHome();
      }
    });

    it('does not wait for the worker after any other event', async () => {
      const took: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const result = await run('PostToolUse', PAYLOAD, { env: { ...home.env, STAND_IN_DELAY: '7000' } });
        expect(result).toMatchObject(SILENT);
        took.push(result.ms);
      }
      expect(Math.min(...took)).toBeLessThan(1_000);
      expect(home.spool()).toEqual(Array(3).fill(expect.stringMatching(/\.json$/)));
    });

    it('a question about a file starts no worker, waits for none and is not kept', async () => {
      // the quickest of three: another program on the machine may hold up one of them
      const quickest = async () => {
        const took: number[] = [];
        for (let round = 0; round < 3; round += 1) {
          const result = await run('PreToolUse');
          expect(result).toMatchObject(SILENT);
          took.push(result.ms);
        }
        return Math.min(...took);
      };
      const away = await quickest();
      await using worker = await startFakeWorker(home.socket, () => undefined);
      expect((await quickest()) - away).toBeLessThan(700);
      await expect.poll(() => worker.received).toHaveLength(3);
      expect(home.spool()).toEqual([]);
      expect(home.starts()).toEqual([]);
      expect(existsSync(join(home.dataDir, 'starting'))).toBe(false);
    });

    it('B017, B018: a worker that cannot start costs one attempt, no exit code and little time', async () => {
      const env = { ...home.env, STAND_IN: 'crash' };
      const took: number[] = [];
      for (const event of EVENTS) {
        const result = await run(event, PAYLOAD, { env });
        expect(result, event).toMatchObject(SILENT);
        took.push(result.ms);
      }
      expect(took.toSorted((a, b) => a - b)[3]).toBeLessThan(2_000);
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
      expect(home.spool()).toHaveLength(KEPT_EVENTS.length);
    });

    it('B018: a runtime that is not there is not looked for again and again', async () => {
      const env = { ...home.env, CLAUDE_MEM_NODE: join(home.root, 'no-such-node') };
      const took: number[] = [];
      for (let round = 0; round < 10; round += 1) {
        const result = await run('Stop', PAYLOAD, { env });
        expect(result).toMatchObject(SILENT);
        took.push(result.ms);
      }
      expect(took.toSorted((a, b) => a - b)[5]).toBeLessThan(1_000);
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

    it('nor does a link in its place, nor one that stops its renewal', async () => {
      const gate = join(home.dataDir, 'starting');
      const env = { ...home.env, STAND_IN: 'crash' };
      mkdirSync(home.dataDir);
      symlinkSync(join(home.root, 'nowhere'), gate);
      for (let round = 0; round < 2; round += 1) await run('Stop', PAYLOAD, { env });
      await until(() => home.starts().length > 0, 'the start');
      const then = Date.now() / 1000 - 31;
      utimesSync(gate, then, then);
      symlinkSync(join(home.root, 'nowhere'), `${gate}.renewing`);
      lutimesSync(`${gate}.renewing`, then, then);
      for (let round = 0; round < 3; round += 1) await run('Stop', PAYLOAD, { env });
      await until(() => home.starts().length > 1, 'the second start');
      expect(home.starts()).toHaveLength(2);
    });

    it.runIf(isShell && name !== 'busybox')(
      'nor does a folder of another user, and its log says so',
      async () => {
        closeGate(home);
        const then = Date.now() / 1000 - 31;
        writeFileSync(join(home.dataDir, 'starting', 'kept'), '');
        utimesSync(join(home.dataDir, 'starting'), then, then);
        const bin = join(home.root, 'shims');
        mkdirSync(bin);
        writeFileSync(join(bin, 'touch'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
        const env = { ...home.env, PATH: `${bin}:${home.env['PATH']}`, STAND_IN: 'crash' };
        for (let round = 0; round < 2; round += 1) await run('Stop', PAYLOAD, { env });
        await until(() => home.starts().length > 0, 'the start');
        expect(home.starts()).toHaveLength(1);
        const log = readFileSync(join(home.dataDir, 'logs', 'worker-start.log'), 'utf8');
        expect(log).toBe(
          `What lay at ${home.dataDir}/starting kept hooks from starting a worker: it was taken away.\n`,
        );
      },
    );

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

    it.skipIf(!isShell || usesCurl || !existsSync('/bin/bash'))(
      'starts a worker that holds no lock of a script around the host, whatever its number',
      async () => {
        const lock = join(home.root, 'lock');
        const locked = {
          ...runner,
          command: '/bin/bash',
          args: ['-c', 'exec 9>"$0" 10>"$0" 200>"$0"; exec "$@"', lock, runner.command, ...runner.args],
        };
        await fire(locked, ['claude-code', 'PostToolUse'], PAYLOAD, { env: home.env });
        await until(() => home.starts().length > 0, 'the start');
        expect(home.starts()[0].files.filter(([, file]: [number, string]) => file === lock)).toEqual([]);
      },
    );

    it('B035, B037: lives in folders with any name', async () => {
      const other = await createInstallation(`Jürgen's "repo" $HOME & (проект) アプリ;x`);
      const odd = other.runners.find((one) => one.name === name) as HookRunner;
      const dataDir = join(home.root, `da ta's & $(x) "мем"`);
      const env = { ...home.env, CLAUDE_MEM_DATA_DIR: dataDir };
      const start = () => fire(odd, ['claude-code', 'SessionStart'], PAYLOAD, { env, cwd: home.home });
      let result = await start();
      let kept = 0;
      // on a busy machine the worker is ready only for a later one
      for (; kept < 5 && result.stdout.length === 0; kept += 1) result = await start();
      expect(result).toMatchObject({ exit: 0, stdout: Buffer.from('{"from":"stand-in"}\n'), stderr: '' });
      expect(readdirSync(join(dataDir, 'spool'))).toHaveLength(kept);
      kill(JSON.parse(readFileSync(join(dataDir, 'starts.jsonl'), 'utf8')).pid);
      await other[Symbol.asyncDispose]();
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
