import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ok, splitEnvelope, startFakeWorker } from './testing/fake-worker.js';
import { holdStartupLock, EVENTS, MAIN_RUNNERS, PAYLOAD, SILENT, until } from './testing/hook-home.js';
import { createInstallation, fire, type HookRunner } from './testing/hook-program.js';
import { useHook } from './testing/use-hook.js';

const installation = await createInstallation();
afterAll(() => installation[Symbol.asyncDispose]());

describe.each(MAIN_RUNNERS)('the hook under %s in unusual environments', (name) => {
  const { isFound, isShell, runner, home, run, deliver } = useHook(installation, name);
  /** Runs the hook with a changed script. */
  const withScript = (
    name: string,
    change: (text: string) => string,
    args: readonly string[] = runner.args,
  ): HookRunner => {
    const script = args.at(-1) ?? '';
    const changed = join(dirname(script), `${name}-${runner.name}.sh`);
    writeFileSync(changed, change(readFileSync(script, 'utf8')));
    return { ...runner, args: [...args.slice(0, -1), changed], longTimeoutArgs: [] };
  };
  describe.skipIf(!isFound)('with every runner', () => {
    it('B113: writes to no folder except the data directory', async () => {
      holdStartupLock(home);
      for (const event of EVENTS) await run(event);
      expect(readdirSync(home.home)).toEqual([]);
      expect(home.spool()).toHaveLength(EVENTS.length);
    });

    it('finds the data directory when it is not set or begins with a tilde', async () => {
      const { CLAUDE_MEM_DATA_DIR: _, ...rest } = home.env;
      for (const [asked, folder] of [
        [undefined, '.claude-mem'],
        ['~/mem', 'mem'],
      ] as const) {
        await run('Stop', PAYLOAD, {
          env: { ...rest, STAND_IN: 'crash', ...(asked && { CLAUDE_MEM_DATA_DIR: asked }) },
        });
        expect(readdirSync(join(home.home, folder, 'spool')), folder).toHaveLength(1);
      }
      expect(readdirSync(home.home).toSorted()).toEqual(['.claude-mem', 'mem']);
    });

    it('B071: creates files and folders that only their owner can read', async () => {
      const { CLAUDE_MEM_DATA_DIR: _, ...env } = home.env;
      const umask = process.umask(0o022);
      await run('Stop', PAYLOAD, { env: { ...env, STAND_IN: 'crash' } });
      process.umask(umask);
      const dataDir = join(home.home, '.claude-mem');
      const modeOf = (...path: string[]) => statSync(join(dataDir, ...path)).mode & 0o777;
      expect([modeOf(), modeOf('spool'), modeOf('starting')]).toEqual([0o700, 0o700, 0o700]);
      const [file = ''] = readdirSync(join(dataDir, 'spool'));
      expect(modeOf('spool', file)).toBe(0o600);
    });

    it('reports at the start of a session that the data directory cannot be written', async () => {
      writeFileSync(join(home.root, 'file'), '');
      mkdirSync(join(home.root, 'used'));
      writeFileSync(join(home.root, 'used', 'spool'), '');
      const { HOME: _home, CLAUDE_MEM_DATA_DIR: _dir, ...bare } = home.env;
      const usual = '~/.claude-mem';
      const cases: [shown: string, env: Record<string, string>][] = [
        [usual, bare],
        [usual, { ...bare, HOME: join(home.root, 'file') }],
        ...[join(home.root, 'file', 'x'), join(home.root, 'used'), '/proc/claude-mem'].map(
          (folder): [string, Record<string, string>] => [
            folder,
            { ...home.env, CLAUDE_MEM_DATA_DIR: folder },
          ],
        ),
        ...['a "b"', String.raw`a\b`, 'a\nb', 'a\u007fb'].map((name): [string, Record<string, string>] => [
          'its data directory',
          { ...home.env, CLAUDE_MEM_DATA_DIR: join(home.root, 'file', name) },
        ]),
      ];
      for (const [shown, env] of cases) {
        const message = {
          systemMessage: `claude-mem cannot store events in ${shown}. Run: claude-mem doctor`,
        };
        const { exit, stdout, stderr } = await run('SessionStart', PAYLOAD, { env });
        expect([exit, JSON.parse(stdout.toString()), stderr]).toEqual([0, message, '']);
        expect(await run('Stop', PAYLOAD, { env })).toMatchObject(SILENT);
        expect(await fire(runner, ['cursor', 'sessionStart'], PAYLOAD, { env })).toMatchObject(SILENT);
      }
      expect(readdirSync(home.root).toSorted()).toEqual(['file', 'home', 'used']);
    });

    it('reads the event of the host when the data directory is refused', async () => {
      const status = join(home.root, 'status');
      const writeOf = `{ cat; echo $? >'${status}'; } | "$@"`;
      const piped = {
        ...runner,
        command: '/bin/sh',
        args: ['-c', writeOf, 'sh', runner.command, ...runner.args],
      };
      const env = { ...home.env, CLAUDE_MEM_DATA_DIR: '/proc/claude-mem' };
      for (const host of ['claude-code', 'cursor']) {
        expect(await fire(piped, [host, 'Stop'], `${' '.repeat(2 ** 20)}{}`, { env })).toMatchObject(SILENT);
        expect(readFileSync(status, 'utf8')).toBe('0\n');
      }
    });

    it('does nothing when the observer calls it or claude-mem is disabled', async () => {
      const off = [
        { CLAUDE_MEM_OBSERVER: '1' },
        { CLAUDE_MEM_ENABLED: 'false' },
        { CLAUDE_MEM_ENABLED: '0' },
        { CLAUDE_MEM_ENABLED: 'False' },
      ];
      for (const more of off)
        expect(await run('SessionStart', PAYLOAD, { env: { ...home.env, ...more } })).toMatchObject(SILENT);
      expect(existsSync(home.dataDir)).toBe(false);
    });

    it('S03: starts the worker without variables that change how Node starts', async () => {
      const env = {
        NODE_V8_COVERAGE: join(home.root, 'coverage'),
        NODE_COMPILE_CACHE: join(home.root, 'cache'),
        OPENSSL_MODULES: '/nowhere',
        OTHER: 'a\nexport NODE_X=1 node= data worker log',
      };
      await run('Stop', PAYLOAD, { env: { ...home.env, ...env } });
      await until(() => home.starts().length > 0, 'the start');
      const [{ env: inherited }] = home.starts();
      expect(inherited).toMatchObject({ HOME: home.home, CLAUDE_MEM_DATA_DIR: home.dataDir });
      expect(Object.keys(inherited).filter((name) => /^(NODE|OPENSSL)_/.test(name))).toEqual([]);
    });

    it('B114: limits the size of the spool file when stdin never ends', async () => {
      holdStartupLock(home);
      const result = await run('Stop', Buffer.alloc(80 * 2 ** 20, 'x'), { keepStdinOpen: true });
      expect(result).toMatchObject(SILENT);
      const [file = ''] = home.spool();
      expect(statSync(join(home.dataDir, 'spool', file)).size).toBeLessThan(70 * 2 ** 20);
    });

    it('builds no path from its arguments', async () => {
      holdStartupLock(home);
      const work = join(home.root, 'work');
      mkdirSync(work);
      const calls: [string, string][] = [
        ['../../x', 'Stop'],
        ['claude-code', 'a/../../b'],
        ['', ''],
        ['a b', '$(touch x)'],
        ['h', 'e'.repeat(300)],
      ];
      for (const call of calls)
        expect(await fire(runner, call, PAYLOAD, { env: home.env, cwd: work })).toMatchObject(SILENT);
      expect(
        home
          .spool()
          .map((file) => file.split('.').slice(0, 2).join('.'))
          .toSorted(),
      ).toEqual(
        ['claude-code.unknown', 'h.unknown', 'unknown.Stop', 'unknown.unknown', 'unknown.unknown'].toSorted(),
      );
      expect(readdirSync(work)).toEqual([]);
    });
  });

  describe.skipIf(!isShell)('with the option unless-installed', () => {
    const runPlugin = (event: string, env: Record<string, string> = {}) =>
      fire(runner, ['claude-code', event, 'unless-installed'], PAYLOAD, {
        env: { ...home.env, ...env },
        hasLongTimeout: true,
      });

    it('B138, S08: does nothing when settings that the installer listed contain the claude-mem hook for the event', async () => {
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
      const event = 'UserPromptSubmit';
      const hookOf = (name: string, mark = 'claude-mem hook', path = script) =>
        `CLAUDE_MEM_DATA_DIR='/d' sh '${path}' claude-code ${name} 2>/dev/null || true # ${mark}`;
      const write = (file: string, ...commands: string[]) => {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify({ hooks: commands.map((command) => ({ command })) }));
      };
      const list = (...files: string[]) =>
        writeFileSync(join(home.dataDir, 'installed-hooks'), files.map((file) => `${file}\n`).join(''));
      writeFileSync(script, '');
      list(...Object.values(settings));

      for (const file of [settings.user, settings.project, settings.local]) {
        write(file, 'echo hello', hookOf(event), hookOf('SessionEnd'));
        expect(await runPlugin(event, env)).toMatchObject(SILENT);
        rmSync(file);
      }
      expect(worker.received).toEqual([]);
      expect(home.spool()).toEqual([]);

      const passes = async (more: Record<string, string> = {}) =>
        expect((await runPlugin(event, { ...env, ...more })).stdout.toString()).toBe('of the plugin');
      await passes();
      write(settings.user, hookOf('SessionEnd'), hookOf(event, 'another hook'));
      await passes();
      write(settings.user, hookOf(event, 'claude-mem hook', join(home.root, 'gone.sh')));
      await passes();
      write(settings.user, hookOf(event));
      write(settings.elsewhere);
      await passes({ CLAUDE_CONFIG_DIR: dirname(settings.elsewhere) });
      // an installed hook does not read the settings
      expect((await deliver(event)).stdout.toString()).toBe('of the plugin');
      write(settings.project, hookOf(event));
      list(settings.elsewhere);
      await passes();
      rmSync(join(home.dataDir, 'installed-hooks'));
      await passes();
    });

    it('delivers the event when a settings file is a named pipe', async () => {
      await using _worker = await startFakeWorker(home.socket, ok('of the plugin'));
      const file = join(home.home, '.claude', 'settings.json');
      mkdirSync(dirname(file), { recursive: true });
      execFileSync('mkfifo', [file]);
      writeFileSync(join(home.dataDir, 'installed-hooks'), `${file}\n`);
      expect((await runPlugin('UserPromptSubmit')).stdout.toString()).toBe('of the plugin');
    });
  });

  describe.skipIf(!isShell)('with missing programs', () => {
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

    it('B114: delivers the event without the timeout program, even when stdin stays open', async () => {
      const env = withOnly(...basics, 'curl');
      await using worker = await startFakeWorker(home.socket, ok('{}'));
      for (const keepStdinOpen of [false, true])
        expect(
          await fire(runner, ['cursor', 'beforeSubmitPrompt'], PAYLOAD, {
            env,
            keepStdinOpen,
            hasLongTimeout: true,
          }),
        ).toMatchObject({
          exit: 0,
          stdout: Buffer.from('{}'),
          stderr: '',
        });
      const payloads = worker.received.map(({ body }) => splitEnvelope(body).payload.toString());
      expect(payloads).toEqual([PAYLOAD, PAYLOAD]);
    });

    it('sends the event with node when curl is missing', async () => {
      const env = withOnly(...basics, 'timeout', 'node');
      await using worker = await startFakeWorker(home.socket, ok('by node\n'));
      expect((await deliver('UserPromptSubmit', PAYLOAD, { env })).stdout.toString()).toBe('by node\n');
      expect(splitEnvelope(worker.received[0]?.body ?? Buffer.alloc(0)).payload.toString()).toBe(PAYLOAD);
      expect(home.spool()).toEqual([]);
    });

    it('starts the worker in its own session with the stored path of node when setsid is missing', async () => {
      const env = withOnly(...basics, 'timeout', 'curl');
      mkdirSync(home.dataDir);
      writeFileSync(join(home.dataDir, 'node.path'), `${process.execPath}\n`);
      await run('PostToolUse', PAYLOAD, { env });
      await until(() => home.starts().length > 0, 'the start');
      const [start] = home.starts();
      expect(start.session).toBe(start.pid);
    });

    it('starts the worker when the start log is a named pipe', async () => {
      const log = join(home.dataDir, 'logs', 'worker-start.log');
      mkdirSync(dirname(log), { recursive: true });
      execFileSync('mkfifo', [log]);
      expect(await run('PostToolUse')).toMatchObject(SILENT);
      await until(() => home.starts().length > 0, 'the start');
    });

    it('ends silently when the disk is full', async () => {
      const limited = {
        ...runner,
        command: '/bin/sh',
        args: ['-c', 'ulimit -f 16; exec "$@"', 'sh', runner.command, ...runner.args],
      };
      holdStartupLock(home);
      const payload = JSON.stringify({ text: 'x'.repeat(100_000) });
      const result = await fire(limited, ['claude-code', 'Stop'], payload, { env: home.env });
      expect(result).toMatchObject(SILENT);
    });

    it('keeps the event when the host terminates the hook', async () => {
      await using worker = await startFakeWorker(home.socket, () => undefined);
      const after = until(() => worker.received.length > 0, 'the event');
      const result = await run('UserPromptSubmit', PAYLOAD, { signal: { name: 'SIGTERM', after } });
      expect(result).toMatchObject(SILENT);
      expect(home.spool()).toEqual([expect.stringMatching(/\.json$/)]);
    });

    it('B018: exits with 0 and keeps the event when the shell fails', async () => {
      const clock = join(home.root, 'uptime');
      writeFileSync(clock, '1)2.34 5.67\n');
      const broken = withScript('bad-clock', (text) => text.replaceAll('</proc/uptime', `<${clock}`));
      holdStartupLock(home);
      const call = ['claude-code', 'UserPromptSubmit'] as const;
      expect(await fire(broken, call, PAYLOAD, { env: home.env })).toMatchObject(SILENT);
      expect(home.spool()).toEqual([expect.stringMatching(/\.json$/)]);
    });

    it('times out and keeps the event when no clock can be read', async () => {
      const old = withScript('no-clock', (text) => text.replaceAll('/proc/', '/nowhere/'));
      const env = { ...home.env, STAND_IN_DELAY: '100000' };
      expect(await fire(old, ['claude-code', 'SessionStart'], PAYLOAD, { env })).toMatchObject(SILENT);
      const kept = expect.stringMatching(/^claude-code\.SessionStart\.\d+-\d+\.json$/);
      expect(home.spool()).toEqual([kept]);
      await until(() => home.starts().length > 0, 'the start');
    });
  });
});
