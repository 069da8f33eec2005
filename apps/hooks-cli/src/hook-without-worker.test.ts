import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { bySize } from '@claude-mem/core/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { startFakeWorker } from './testing/fake-worker.js';
import {
  holdStartupLock,
  EVENTS,
  kill,
  MAIN_RUNNERS,
  PAYLOAD,
  RUNNERS,
  SILENT,
  until,
} from './testing/hook-home.js';
import { createInstallation, fire, type HookRunner } from './testing/hook-program.js';
import { useHook } from './testing/use-hook.js';

/** The answer of the substitute worker. */
const ANSWER = '{"from":"stand-in"}\n';

const installation = await createInstallation();
afterAll(() => installation[Symbol.asyncDispose]());

describe.each(RUNNERS)('the hook under %s', (name) => {
  const isMain = MAIN_RUNNERS.includes(name);
  const { isFound, isShell, home, run, deliver } = useHook(installation, name);

  describe.skipIf(!isFound)('without a worker', () => {
    it('B006: starts one worker when many sessions start at the same time, and each gets its context', async () => {
      const count = bySize({ quick: 8, full: 20 });
      const runs = await Promise.all(Array.from({ length: count }, () => deliver('SessionStart')));
      expect(runs.filter(({ exit, stderr }) => exit !== 0 || stderr !== '')).toEqual([]);
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
      expect(runs.map(({ stdout }) => stdout.toString())).toEqual(Array(count).fill(ANSWER));
      expect(home.spool()).toEqual([]);
    });

    it.runIf(isMain)('starts a worker when no process has the stored process id', async () => {
      mkdirSync(home.dataDir);
      for (const content of ['999999999\n', '', 'x', '-1']) {
        writeFileSync(join(home.dataDir, 'worker.pid'), content);
        rmSync(join(home.dataDir, 'starting'), { recursive: true, force: true });
        const before = home.starts().length;
        await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
        await until(() => home.starts().length === before + 1, 'the start');
      }
    });

    it.runIf(isMain && isShell && existsSync('/proc/self/stat'))(
      'starts a worker when the last one is dead but still in the process list',
      async () => {
        // the child ends after `exec` replaced the shell with a program that does not wait for its child
        const parent = spawn('/bin/sh', ['-c', 'cat <&3 & echo $!; exec sleep 60 3<&-'], {
          stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
        });
        const stat = (pid: unknown) => readFileSync(`/proc/${String(pid).trim()}/stat`, 'utf8');
        try {
          const [pid] = (await once(parent.stdout as Readable, 'data')) as [Buffer];
          await until(() => stat(parent.pid).includes('(sleep)'), 'the replaced shell');
          (parent.stdio[3] as Writable).end();
          await until(() => stat(pid).includes(') Z '), 'a zombie');
          mkdirSync(home.dataDir);
          writeFileSync(join(home.dataDir, 'worker.pid'), String(pid));
          await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
          await until(() => home.starts().length > 0, 'the start');
        } finally {
          parent.kill('SIGKILL');
        }
      },
    );

    it.runIf(isMain)('does not wait for the worker when the event is not a session start', async () => {
      // a hook that waited would print the answer of this worker
      expect(await deliver('PostToolUse')).toMatchObject(SILENT);
      expect(home.spool()).toEqual([expect.stringMatching(/\.(event|json)$/)]);
      await until(() => home.starts().length > 0, 'the start');
      // S03: the environment of a hook can be that of any project
      expect(home.starts()[0].args).toEqual(['--settings-file-only']);
    });

    it.runIf(isMain).each(['FileRead', 'UserPromptSubmit', 'SessionStart'])(
      'B001: keeps the event of %s and starts no worker when the worker never answers',
      async (event) => {
        await using _worker = await startFakeWorker(home.socket, () => undefined);
        expect(await run(event)).toMatchObject(SILENT);
        expect(home.spool()).toEqual([expect.stringMatching(new RegExp(`${event}.*\\.json$`))]);
        expect(home.starts()).toEqual([]);
        expect(existsSync(join(home.dataDir, 'starting'))).toBe(false);
      },
    );

    it.runIf(isMain)(
      'B017, B018: starts the worker once and stays silent when the worker crashes',
      async () => {
        const env = { ...home.env, STAND_IN: 'crash' };
        for (const event of EVENTS) expect(await run(event, PAYLOAD, { env }), event).toMatchObject(SILENT);
        await until(() => home.starts().length > 0, 'the start');
        expect(home.starts()).toHaveLength(1);
        expect(home.spool()).toHaveLength(EVENTS.length);
      },
    );

    it.runIf(isMain && isShell)('B018: keeps the events and stays silent when Node cannot run', async () => {
      const env = home.env;
      const node = join(home.root, 'node');
      writeFileSync(node, '#!/bin/sh\nexit 127\n', { mode: 0o755 });
      mkdirSync(home.dataDir);
      writeFileSync(join(home.dataDir, 'node.path'), `${node}\n`);
      for (let round = 0; round < 3; round += 1)
        expect(await run('Stop', PAYLOAD, { env })).toMatchObject(SILENT);
      expect(home.spool()).toHaveLength(3);
      expect(home.starts()).toEqual([]);
      // the startup lock delays the next attempt for 30 s
      expect(existsSync(join(home.dataDir, 'starting'))).toBe(true);
    });

    it.runIf(isMain)('starts the worker again when the last start is 30 s old or in the future', async () => {
      for (const seconds of [-31, 3_600]) {
        const before = home.starts().length;
        holdStartupLock(home);
        const then = Date.now() / 1000 + seconds;
        utimesSync(join(home.dataDir, 'starting'), then, then);
        await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
        await until(() => home.starts().length === before + 1, 'the second start');
      }
      await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
      expect(home.starts()).toHaveLength(2);
    });

    it.runIf(isMain)('starts the worker when the startup lock is a file', async () => {
      holdStartupLock(home);
      rmSync(join(home.dataDir, 'starting'), { recursive: true });
      writeFileSync(join(home.dataDir, 'starting'), '');
      const then = Date.now() / 1000 - 31;
      utimesSync(join(home.dataDir, 'starting'), then, then);
      for (let round = 0; round < 2; round += 1)
        await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
    });

    it.runIf(isMain)('starts the worker when the startup lock is a broken link', async () => {
      const lock = join(home.dataDir, 'starting');
      const env = { ...home.env, STAND_IN: 'crash' };
      mkdirSync(home.dataDir);
      symlinkSync(join(home.root, 'nowhere'), lock);
      for (let round = 0; round < 2; round += 1) await run('Stop', PAYLOAD, { env });
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
    });

    it.runIf(isMain)('starts the worker when the startup lock cannot be removed', async () => {
      holdStartupLock(home);
      writeFileSync(join(home.dataDir, 'starting', 'kept'), '');
      const then = Date.now() / 1000 - 31;
      utimesSync(join(home.dataDir, 'starting'), then, then);
      for (let round = 0; round < 2; round += 1)
        await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
      await until(() => home.starts().length > 0, 'the start');
      expect(home.starts()).toHaveLength(1);
    });

    it.runIf(isMain)('starts a worker without the session, variables and files of the host', async () => {
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

    it.runIf(isMain)('B035, B037: starts the worker when folders have unusual names', async () => {
      await using other = installation.copyTo(`Jürgen's "repo" $HOME & (проект) アプリ;x`);
      const odd = other.runners.find((one) => one.name === name) as HookRunner;
      const dataDir = join(home.root, `da ta's & $(x) "мем"`);
      const env = { ...home.env, CLAUDE_MEM_DATA_DIR: dataDir };
      const call = ['claude-code', 'SessionStart'] as const;
      const cwd = join(home.home, 'work');
      mkdirSync(cwd);
      const result = await fire(odd, call, PAYLOAD, { env, cwd, hasLongTimeout: true });
      expect(result).toMatchObject({ exit: 0, stdout: Buffer.from(ANSWER), stderr: '' });
      expect(readdirSync(join(dataDir, 'spool'))).toEqual([]);
      kill(JSON.parse(readFileSync(join(dataDir, 'starts.jsonl'), 'utf8')).pid);
    });
  });
});

function parentOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
}
