import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ok, startFakeWorker } from './testing/fake-worker.js';
import { holdStartupLock, MAIN_RUNNERS, PAYLOAD, SILENT, until } from './testing/hook-home.js';
import { createInstallation } from './testing/hook-program.js';
import { useHook } from './testing/use-hook.js';

const installation = await createInstallation();
afterAll(() => installation[Symbol.asyncDispose]());

describe.each(MAIN_RUNNERS)('the hook under %s', (name) => {
  const { isFound, isShell, home, run } = useHook(installation, name);

  describe.skipIf(!isFound)('in an environment that a cloned repository sets', () => {
    const clone = () => join(home.root, 'home', 'work', 'clone');
    /** Creates a data directory in the clone that names a program, without a running worker. */
    const prepare = (dataDir: string) => {
      mkdirSync(join(dataDir, 'spool'), { recursive: true });
      const file = join(clone(), 'run');
      writeFileSync(file, `#!/bin/sh\ntouch '${join(home.root, 'executed')}'\n`, { mode: 0o755 });
      for (const name of ['node.path', 'worker.path']) writeFileSync(join(dataDir, name), `${file}\n`);
    };
    const expectRefusal = async (dataDir: string, env: Record<string, string>, cwd = clone()) => {
      const before = readdirSync(dataDir, { recursive: true });
      for (const event of ['SessionStart', 'Stop']) {
        const { exit, stdout, stderr } = await run(event, PAYLOAD, {
          env: { PATH: home.env.PATH, ...env },
          cwd,
        });
        expect([exit, stderr]).toEqual([0, '']);
        expect(stdout.toString()).toMatch(
          event === 'Stop' ? /^$/ : /"systemMessage":"claude-mem cannot store/,
        );
      }
      expect(readdirSync(dataDir, { recursive: true })).toEqual(before);
      expect(existsSync(join(home.root, 'executed'))).toBe(false);
      expect(home.starts()).toEqual([]);
    };
    const HOME = () => home.home;
    beforeEach(() => mkdirSync(clone(), { recursive: true }));

    it('S04: runs no program that a variable names', async () => {
      prepare(join(clone(), '.mem'));
      const env = { ...home.env, STAND_IN: 'crash', CLAUDE_MEM_NODE: join(clone(), 'run') };
      await run('SessionStart', PAYLOAD, { env });
      await until(() => home.starts().length > 0, 'the start');
      expect(existsSync(join(home.root, 'executed'))).toBe(false);
    });

    it('S04: does nothing when the data directory depends on the process or is relative', async () => {
      const dataDir = join(clone(), '.mem');
      prepare(dataDir);
      for (const asked of [
        '/proc/self/cwd/.mem',
        '//proc/self/cwd/.mem',
        '/./proc/self/cwd/.mem',
        `${clone()}/../clone/.mem`,
        '~/../../../../../../../../proc/self/cwd/.mem',
        'work/clone/.mem',
        '.mem',
      ])
        await expectRefusal(dataDir, { HOME: HOME(), CLAUDE_MEM_DATA_DIR: asked });
    });

    it('S04: does nothing when the data directory is a drive letter on a system without drives', async () => {
      for (const name of ['c:', 'c:/mem']) {
        prepare(join(clone(), name));
        await expectRefusal(join(clone(), name), { HOME: HOME(), CLAUDE_MEM_DATA_DIR: name });
      }
    });

    it('S04: does nothing when the home folder is relative or inside the project', async () => {
      const dataDir = join(clone(), '.claude-mem');
      prepare(dataDir);
      for (const folder of ['.', clone(), '/proc/self/cwd']) await expectRefusal(dataDir, { HOME: folder });
      const own = join(home.root, 'own');
      mkdirSync(own);
      await expectRefusal(own, { HOME: clone(), CLAUDE_MEM_DATA_DIR: own });
    });

    it('S04: does nothing when the data directory is inside the project, also through a link', async () => {
      const link = join(home.root, 'link');
      symlinkSync(clone(), link);
      const dataDir = join(clone(), '.mem');
      prepare(dataDir);
      const inner = join(clone(), 'src');
      const own = join(home.root, 'own');
      for (const folder of [inner, own]) mkdirSync(folder);
      for (const asked of [dataDir, join(link, '.mem'), dataDir.replace(HOME(), '~')]) {
        const env = { HOME: HOME(), CLAUDE_MEM_DATA_DIR: asked };
        await expectRefusal(dataDir, env);
        await expectRefusal(dataDir, { ...env, CLAUDE_PROJECT_DIR: clone() }, inner);
      }
      mkdirSync(join(clone(), '.git'));
      await expectRefusal(dataDir, { HOME: HOME(), CLAUDE_MEM_DATA_DIR: dataDir }, inner);
      await expectRefusal(clone(), { HOME: HOME(), CLAUDE_MEM_DATA_DIR: join(clone(), 'new') });
      prepare(clone());
      await expectRefusal(clone(), { HOME: HOME(), CLAUDE_MEM_DATA_DIR: clone() }, inner);
      await expectRefusal(own, { HOME: clone(), CLAUDE_MEM_DATA_DIR: own }, inner);
    });

    it('ignores a process id that is a named pipe', async () => {
      mkdirSync(home.dataDir);
      execFileSync('mkfifo', [join(home.dataDir, 'worker.pid')]);
      await run('Stop', PAYLOAD, { env: { ...home.env, STAND_IN: 'crash' } });
      await until(() => home.starts().length > 0, 'the start');
    });

    it.skipIf(process.getuid?.() !== 0)(
      'S04: does nothing when the data directory belongs to another user',
      async () => {
        const shared = join(home.root, 'shared');
        prepare(shared);
        chownSync(shared, 65_534, 65_534);
        await expectRefusal(shared, { HOME: HOME(), CLAUDE_MEM_DATA_DIR: shared });
      },
    );

    it.skipIf(!isShell || process.getuid?.() !== 0)(
      'S02: sends nothing to a socket in a folder of another user',
      async () => {
        const shared = join(home.root, 'shared');
        await using worker = await startFakeWorker(join(shared, 'x.sock'), ok('from another user'));
        for (const file of [shared, join(shared, 'x.sock')]) chownSync(file, 65_534, 65_534);
        holdStartupLock(home);
        writeFileSync(join(home.dataDir, 'worker.sock.path'), `${join(shared, 'x.sock')}\n`);
        expect(await run('UserPromptSubmit')).toMatchObject(SILENT);
        expect(worker.received).toEqual([]);
        expect(home.spool()).toHaveLength(1);
      },
    );
  });
});
