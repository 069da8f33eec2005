import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installProgram } from '../testing/installed-program.js';
import { createProgramHome } from '../testing/run-inside.js';

it.skipIf(process.platform === 'win32')(
  'doctor stores an event that the hook leaves in the spool, and starts no second worker',
  async () => {
    await using program = installProgram();
    await using home = createProgramHome(program.dist);
    const started = join(home.root, 'started');
    const node = join(home.root, 'node');
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
    const { stdout } = await home.run('doctor');
    expect(stdout).toMatch(/^ok {4}round trip {6}an event was stored/m);
    expect(existsSync(started)).toBe(false);
  },
);
