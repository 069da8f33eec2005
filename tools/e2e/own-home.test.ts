import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createTempHome, runProgram, workspacePaths } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';

describe('the tests themselves', () => {
  it('B033: suites of libraries and apps leave a home alone and never use the default port', async () => {
    await using home = await createTempHome();
    mkdirSync(path.join(home.home, '.claude'));
    writeFileSync(path.join(home.home, '.claude', 'settings.json'), '{ "theme": "dark" }\n');
    const before = everythingIn(home.home);
    const vitest = path.join(workspacePaths.root, 'node_modules', 'vitest', 'vitest.mjs');
    const { CLAUDE_MEM_DATA_DIR: _dataDir, CLAUDE_MEM_WORKER_PORT: _port, ...env } = home.env;
    const suites = ['settings', 'host-adapters', 'hooks-cli'].flatMap((name) => [
      '--project',
      `@claude-mem/${name}`,
    ]);
    const wasTaken = await isDefaultPortTaken();
    const seen: boolean[] = [];
    const watch = setInterval(() => void isDefaultPortTaken().then((taken) => seen.push(taken)), 250);
    const run = await runProgram(
      process.execPath,
      [vitest, 'run', '--root', workspacePaths.root, '--reporter', 'dot', ...suites],
      { cwd: workspacePaths.root, env, timeoutMs: 110_000 },
    );
    clearInterval(watch);
    expect(run.exit, run.stdout.slice(-4_000) + run.stderr.slice(-2_000)).toBe(0);
    expect(everythingIn(home.home)).toEqual(before);
    expect(seen.length).toBeGreaterThan(0);
    if (!wasTaken) expect(seen).not.toContain(true);
  }, 120_000);
});

const everythingIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted();

function isDefaultPortTaken(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: 37_777 });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
