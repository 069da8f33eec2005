import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installProgram, runProgram } from '../testing/installed-program.js';

it.skipIf(process.platform === 'win32')(
  'takes in an event that came too late for the hook, and leaves no second worker behind',
  { timeout: 90_000 },
  async () => {
    await using program = await installProgram();
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-trip-')));
    const started = join(root, 'started');
    const node = join(root, 'node');
    writeFileSync(node, `#!/bin/sh\n: >'${started}'\n`, { mode: 0o755 });
    const hook = join(program.dist, 'hook.sh');
    renameSync(hook, join(program.dist, 'real-hook.sh'));
    writeFileSync(
      hook,
      [
        `pid=$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' "$CLAUDE_MEM_DATA_DIR/worker.json")`,
        'kill -STOP "$pid"',
        `CLAUDE_MEM_NODE='${node}' sh "\${0%/*}/real-hook.sh" "$@"`,
        'kill -CONT "$pid"',
      ].join('\n'),
    );
    const env = { PATH: process.env['PATH'] ?? '', HOME: root, CLAUDE_MEM_DATA_DIR: join(root, 'data') };
    mkdirSync(env.CLAUDE_MEM_DATA_DIR);
    const args = [join(program.dist, 'claude-mem.js'), 'doctor'];
    const { stdout } = await runProgram(process.execPath, args, { env, cwd: root });
    expect(stdout).toMatch(/^ok {4}round trip {6}an event was stored/m);
    expect(existsSync(started)).toBe(false);
    rmSync(root, { recursive: true, force: true });
  },
);
