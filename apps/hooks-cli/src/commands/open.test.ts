import {
  mkdirSync,
  mkdtempSync,
  existsSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installProgram, runProgram } from '../testing/installed-program.js';

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{32}/;

describe('claude-mem open', { timeout: 60_000 }, () => {
  let program: Awaited<ReturnType<typeof installProgram>>;
  let root: string;
  beforeAll(async () => {
    program = await installProgram();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-open-')));
    mkdirSync(join(root, 'bin'));
    writeFileSync(
      join(root, 'bin', 'xdg-open'),
      '#!/bin/sh\nprintf "%s" "$1" > "$HOME/opened"\nexit "$OPENS"\n',
      {
        mode: 0o755,
      },
    );
  }, 60_000);
  afterAll(async () => {
    await run({}, 'stop');
    await program[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });

  const run = (env: Record<string, string>, ...args: string[]) =>
    runProgram(process.execPath, [join(program.dist, 'claude-mem.js'), ...args], {
      env: {
        PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
        HOME: root,
        CLAUDE_MEM_DATA_DIR: join(root, 'data'),
        CLAUDE_MEM_WORKER_PORT: '0',
        CLAUDE_MEM_EMBEDDER: 'none',
        OPENS: '0',
        ...env,
      },
      cwd: root,
      input: '',
    });
  const opened = () => {
    const file = join(root, 'opened');
    const address = existsSync(file) ? readFileSync(file, 'utf8') : null;
    rmSync(file, { force: true });
    return address;
  };

  it('starts the worker and prints an address that signs in, and nothing else', async () => {
    const { exit, stdout, stderr } = await run({ DISPLAY: ':0' }, 'open', '--print');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${ADDRESS.source}\n$`));
    expect(opened()).toBeNull();
    const answer = await fetch(stdout.trim(), { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('set-cookie')).toMatch(/^claude_mem_\d+=/);
  });

  it.runIf(process.platform === 'linux')('hands it to the desktop', async () => {
    const { exit, stdout } = await run({ DISPLAY: ':0' }, 'open');
    expect(exit).toBe(0);
    expect(stdout).toContain('opens in your browser');
    expect(opened()).toBe(ADDRESS.exec(stdout)?.[0]);
  });

  it('prints it where there is no screen, or nothing takes it', async () => {
    for (const env of [{}, { DISPLAY: ':0', OPENS: '3' }] as Record<string, string>[]) {
      const { exit, stdout, stderr } = await run(env, 'open');
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      expect(stdout).toMatch(/^Open this in your browser:/);
      expect(stdout).toMatch(ADDRESS);
      opened();
    }
  });

  it('opens nothing over ssh, and says how to get there', async () => {
    const { stdout } = await run({ DISPLAY: ':0', SSH_CONNECTION: '192.0.2.1 5000 192.0.2.2 22' }, 'open');
    expect(opened()).toBeNull();
    const port = new URL(ADDRESS.exec(stdout)?.[0] ?? '').port;
    expect(stdout).toContain(`ssh -N -L ${port}:127.0.0.1:${port} HOST`);
  });
});
