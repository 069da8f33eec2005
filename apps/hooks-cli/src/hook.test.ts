import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bySize } from '@claude-mem/core/testing';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ok,
  splitEnvelope,
  startFakeWorker,
  status,
  type FakeAnswer,
  type FakeWorker,
} from './testing/fake-worker.js';
import {
  holdStartupLock,
  EVENTS,
  MAIN_RUNNERS,
  markAlive,
  PAYLOAD,
  QUESTIONS,
  RUNNERS,
  SILENT,
  turnOnFailureRecall,
} from './testing/hook-home.js';
import { createInstallation, fire, type RunOptions } from './testing/hook-program.js';
import { useHook } from './testing/use-hook.js';

const installation = await createInstallation();
afterAll(() => installation[Symbol.asyncDispose]());

describe.each(RUNNERS)('the hook under %s', (name) => {
  const isMain = MAIN_RUNNERS.includes(name);
  const { isFound, isShell, runner, home, run, deliver } = useHook(installation, name);
  /** The envelopes in the spool, oldest first. */
  const storedEvents = () =>
    home.spool().map((file) => splitEnvelope(readFileSync(join(home.dataDir, 'spool', file))));
  /** Starts a host that can leave stdin open. */
  const deliverFromCursor = (payload: string, options: Partial<RunOptions>) =>
    fire(runner, ['cursor', 'beforeSubmitPrompt'], payload, {
      env: home.env,
      hasLongTimeout: true,
      ...options,
    });
  const eventsOf = ({ received }: FakeWorker) =>
    received.map((event) => ({ ...event, ...splitEnvelope(event.body) }));

  describe.skipIf(!isFound)('with a worker', () => {
    it.runIf(isMain && isShell)(
      'P003: delivers a large event completely when curl starts slowly',
      async () => {
        await using worker = await startFakeWorker(home.socket);
        const slow = join(home.root, 'slow');
        mkdirSync(slow);
        writeFileSync(join(slow, 'curl'), '#!/bin/sh\nsleep 1.3\nPATH=${PATH#*:} exec curl "$@"\n', {
          mode: 0o755,
        });
        const payload = `{"session_id":"s-1","text":"${'0123456789'.repeat(40_000)}"}\n`;
        const env = { ...home.env, PATH: `${slow}:${home.env.PATH}` };
        expect(await deliver('UserPromptSubmit', payload, { env })).toMatchObject({ exit: 0, stderr: '' });
        expect(worker.received).toHaveLength(1);
        expect(splitEnvelope(worker.received[0]!.body).payload.toString()).toBe(payload);
      },
    );

    it('B020, B022: passes the exact bytes both ways and keeps a spool file only for a file read when the host uses the answer', async () => {
      const answers: Record<string, string> = {
        SessionStart: `{"hookSpecificOutput":{"additionalContext":"${'ü 漢 🐛 200 '.repeat(800)}"}}`,
        UserPromptSubmit: 'two line ends\n\n',
        FileRead: '200',
      };
      await using worker = await startFakeWorker(home.socket, (event, response) =>
        response.end(answers[event.path.split('/').pop() ?? ''] ?? ''),
      );
      for (const event of QUESTIONS) {
        const result = await deliver(event);
        expect(result).toMatchObject({ exit: 0, stderr: '' });
        expect(result.stdout.toString()).toBe(answers[event] ?? '');
      }
      expect(eventsOf(worker).map(({ path }) => path)).toEqual(
        QUESTIONS.map((event) => `/api/hooks/claude-code/${event}`),
      );
      for (const { payload, type } of eventsOf(worker)) {
        expect(payload.toString()).toBe(PAYLOAD);
        expect(type).toBe('application/x-claude-mem-hook');
      }
      expect(home.spool()).toEqual([expect.stringMatching(/^claude-code\.FileRead\..*\.json$/)]);
      expect(home.starts()).toEqual([]);
    });

    it('writes every other event to the spool, sends nothing and starts no worker when one is alive', async () => {
      await using worker = await startFakeWorker(home.socket);
      markAlive(home);
      const events = EVENTS.filter((event) => !QUESTIONS.includes(event));
      for (const event of events) expect(await run(event)).toMatchObject(SILENT);
      expect(home.spool().map((file) => file.split('.')[1])).toEqual(expect.arrayContaining(events));
      for (const file of home.spool())
        expect(file).toMatch(/^claude-code\.\w+\.\d+-[-0-9a-z]+\.(event|json)$/);
      for (const { payload } of storedEvents()) expect(payload.toString()).toBe(PAYLOAD);
      expect(storedEvents()).toHaveLength(events.length);
      expect([worker.received, home.starts()]).toEqual([[], []]);
      expect(existsSync(join(home.dataDir, 'starting'))).toBe(false);
    });

    it('requests a response to the result of a tool and keeps its event when failure recall is on', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{"answer":200}'));
      markAlive(home);
      turnOnFailureRecall(home);
      const asked = { PostToolUse: 'ToolResult', PostToolUseFailure: 'ToolFailure' };
      for (const [event, name] of Object.entries(asked)) {
        expect((await deliver(event)).stdout.toString()).toBe('{"answer":200}');
        expect(worker.received.at(-1)?.path).toBe(`/api/hooks/claude-code/${name}`);
      }
      expect(
        home
          .spool()
          .map((file) => file.split('.')[1])
          .sort(),
      ).toEqual(['ToolFailure', 'ToolResult']);
      expect(home.spool().every((file) => file.endsWith('.json'))).toBe(true);
      expect(await run('Stop')).toMatchObject(SILENT);
      expect(worker.received).toHaveLength(2);
    });

    it.runIf(isMain)('B115: delivers the bytes of stdin unchanged when they are not valid JSON', async () => {
      await using worker = await startFakeWorker(home.socket);
      const bytes = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));
      const inputs = [
        '',
        '{"session_id":"abc","cwd":',
        '[]',
        'null',
        '\ufeff{}',
        bytes,
        'no line ending',
        '\n\n{}\r\n',
      ];
      for (const input of inputs) expect(await deliver('UserPromptSubmit', input)).toMatchObject(SILENT);
      const payloads = eventsOf(worker).map(({ payload }) => payload);
      expect(payloads).toEqual(inputs.map((input) => Buffer.from(input)));
    });

    it.runIf(isMain)('stores and delivers 5 MB', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      markAlive(home);
      const payload = JSON.stringify({ tool_response: 'x\n"\\é'.repeat(1_000_000) });
      await run('PostToolUse', payload);
      expect(storedEvents().map((event) => event.payload.equals(Buffer.from(payload)))).toEqual([true]);
      const result = await deliver('UserPromptSubmit', payload);
      expect(result).toMatchObject({ exit: 0, stdout: Buffer.from('{}'), stderr: '' });
      expect(eventsOf(worker).map((event) => event.payload.equals(Buffer.from(payload)))).toEqual([true]);
    });

    it.runIf(isMain)('B138: stores each event once when many hooks run at the same time', async () => {
      holdStartupLock(home);
      const count = bySize({ quick: 20, full: 100 });
      const runs = await Promise.all(
        Array.from({ length: count }, (_, index) => run('PostToolUse', `{"tool_use_id":"${index}"}`)),
      );
      expect(runs.filter(({ exit, stderr }) => exit !== 0 || stderr !== '')).toEqual([]);
      const ids = new Set(storedEvents().map(({ lines }) => lines['event-id']));
      const payloads = new Set(storedEvents().map(({ payload }) => payload.toString()));
      expect([ids.size, payloads.size]).toEqual([count, count]);
    });

    it.runIf(isMain)('sends the variables of the host, one per line', async () => {
      await using worker = await startFakeWorker(home.socket);
      const folder = `/srv/Jürgen's "repo" $HOME & (проект) アプリ`;
      const env = { ...home.env, CLAUDE_CODE_ENTRYPOINT: 'cli', CURSOR_VERSION: '3.2' };
      await deliver('UserPromptSubmit', PAYLOAD, {
        env: { ...env, CLAUDE_PROJECT_DIR: folder, GEMINI_PROJECT_DIR: '/other' },
      });
      await deliver('UserPromptSubmit', PAYLOAD, { env: { ...env, CURSOR_PROJECT_DIR: '/cursor' } });
      const forging = { ...home.env, CLAUDE_PROJECT_DIR: '/a\nevent-id: forged\n\n{}' };
      await deliver('UserPromptSubmit', PAYLOAD, { env: forging });
      const received = eventsOf(worker);
      const [first, second, third] = received.map(({ lines }) => lines);
      expect(first).toMatchObject({
        host: 'claude-code',
        event: 'UserPromptSubmit',
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

    it.runIf(isMain)('B112: reaches the socket when proxies and a curl configuration are set', async () => {
      await using worker = await startFakeWorker(home.socket, ok('here'));
      writeFileSync(join(home.home, '.curlrc'), 'url = "http://127.0.0.1:9/"\nfail\noutput = "/dev/null"\n');
      const proxy = 'http://127.0.0.1:9';
      const env = { ...home.env, http_proxy: proxy, HTTP_PROXY: proxy, ALL_PROXY: proxy, all_proxy: proxy };
      expect((await deliver('UserPromptSubmit', PAYLOAD, { env })).stdout.toString()).toBe('here');
      expect(eventsOf(worker)).toHaveLength(1);
    });

    it.runIf(isMain)(
      'follows the pointer file when the path of the data directory is too long for a socket',
      async () => {
        const socket = join(home.root, 'short.sock');
        mkdirSync(home.dataDir);
        writeFileSync(join(home.dataDir, 'worker.sock.path'), `${socket}\n`);
        await using worker = await startFakeWorker(socket, ok('by pointer'));
        expect((await deliver('UserPromptSubmit')).stdout.toString()).toBe('by pointer');
        expect(eventsOf(worker)).toHaveLength(1);
      },
    );

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
      ['an incomplete answer', cut],
    ];
    it.runIf(isMain).each(refusals)(
      'prints nothing and keeps the event when the worker sends %s',
      async (_, answer) => {
        // after an incomplete answer, the hook would start another worker
        if (answer === cut) holdStartupLock(home);
        await using worker = await startFakeWorker(home.socket, answer);
        expect(await deliver('UserPromptSubmit')).toMatchObject(SILENT);
        const [file, ...more] = home.spool();
        expect(more).toEqual([]);
        expect(file).toMatch(/^claude-code\.UserPromptSubmit\..+\.json$/);
        const kept = readFileSync(join(home.dataDir, 'spool', file ?? ''));
        expect(kept.equals(worker.received[0]?.body ?? Buffer.alloc(0))).toBe(true);
        expect(home.starts()).toEqual([]);
        if (answer !== cut) expect(existsSync(join(home.dataDir, 'starting'))).toBe(false);
      },
    );

    it.runIf(isMain)('sends the same session start again when the worker is not ready', async () => {
      let requests = 0;
      await using worker = await startFakeWorker(home.socket, (event, response) => {
        requests += 1;
        return requests < 3 ? status(503)(event, response) : ok('ready now')(event, response);
      });
      const result = await deliver('SessionStart');
      expect(result.stdout.toString()).toBe('ready now');
      expect(eventsOf(worker)).toHaveLength(3);
      expect(new Set(eventsOf(worker).map(({ body }) => body.toString())).size).toBe(1);
      expect(home.spool()).toEqual([]);
      expect(home.starts()).toEqual([]);
      expect(existsSync(join(home.dataDir, 'starting'))).toBe(false);
    });

    it.runIf(isMain)('B114: delivers the event when stdin stays open', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const result = await deliverFromCursor(PAYLOAD, { keepStdinOpen: true });
      expect(result).toMatchObject({ exit: 0, stdout: Buffer.from('{}'), stderr: '' });
      expect(eventsOf(worker).map(({ payload }) => payload.toString())).toEqual([PAYLOAD]);
    });

    it.runIf(isMain)('B114: delivers an event that the host writes after more than one second', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const result = await deliverFromCursor(PAYLOAD, { writeAfterMs: 1_200 });
      expect(result).toMatchObject({ exit: 0, stdout: Buffer.from('{}'), stderr: '' });
      expect(eventsOf(worker).map(({ payload }) => payload.toString())).toEqual([PAYLOAD]);
    });

    // read-stdin.test.ts covers the Node hook
    it.runIf(isMain && isShell)('B114: ends when stdin stays open and empty', async () => {
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      const result = await deliverFromCursor('', { keepStdinOpen: true });
      expect(result).toMatchObject({ exit: 0, stderr: '' });
      expect(worker.received).toHaveLength(1);
    });
  });
});

describe('hook.sh', () => {
  const text = readFileSync(join(import.meta.dirname, 'hook.sh'), 'utf8');

  it('B039: has no carriage return, even when Git converts line endings at checkout', () => {
    expect(text).not.toContain('\r');
    expect(readFileSync(join(import.meta.dirname, '../../../.gitattributes'), 'utf8')).toMatch(
      /^\*(?:\.sh)? .*\beol=lf$/m,
    );
  });

  it('does nothing when half of the file is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cm-half-'));
    const half = join(folder, 'hook.sh');
    writeFileSync(half, text.slice(0, Math.floor(text.length / 2)));
    chmodSync(half, 0o755);
    const runner = {
      name: 'sh',
      isShell: true,
      command: '/bin/sh',
      args: [half],
      longTimeoutArgs: [],
    };
    const { stdout } = await fire(runner, ['claude-code', 'Stop'], '{}', {
      env: { PATH: '/usr/bin:/bin', HOME: folder },
    });
    expect(stdout).toHaveLength(0);
    expect(readdirSync(folder)).toEqual(['hook.sh']);
    rmSync(folder, { recursive: true });
  });
});
