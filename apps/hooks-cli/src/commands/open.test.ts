import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgramHome, type ProgramHome } from '../testing/run-inside.js';

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{32}/;

describe('claude-mem open', () => {
  let home: ProgramHome;
  beforeAll(() => {
    home = createProgramHome();
    const bin = join(home.root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\nprintf "%s" "$1" > "$HOME/opened"\nexit "$OPENS"\n', {
      mode: 0o755,
    });
    home.env['PATH'] = `${bin}:${home.env['PATH'] ?? ''}`;
  });
  afterAll(() => home[Symbol.asyncDispose]());

  /** Runs the command with additional environment variables. */
  const run = async (env: Record<string, string>, ...args: string[]) => {
    const before = { ...home.env };
    Object.assign(home.env, { OPENS: '0' }, env);
    const result = await home.run(...args);
    for (const name of Object.keys(home.env)) if (!(name in before)) delete home.env[name];
    return result;
  };
  const opened = () => {
    const file = join(home.home, 'opened');
    const address = existsSync(file) ? readFileSync(file, 'utf8') : null;
    rmSync(file, { force: true });
    return address;
  };

  it('starts the worker and prints only a sign-in address with --print', async () => {
    const { exit, stdout, stderr } = await run({ DISPLAY: ':0' }, 'open', '--print');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${ADDRESS.source}\n$`));
    expect(opened()).toBeNull();
    const answer = await fetch(stdout.trim(), { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('set-cookie')).toMatch(/^claude_mem_\d+=/);
  });

  it.runIf(process.platform === 'linux')(
    'opens the address in the browser when there is a display',
    async () => {
      const { exit, stdout } = await run({ DISPLAY: ':0' }, 'open');
      expect(exit).toBe(0);
      expect(stdout).toContain('opens in your browser');
      expect(opened()).toBe(ADDRESS.exec(stdout)?.[0]);
    },
  );

  it('prints the address when there is no display or no browser opens', async () => {
    for (const env of [{}, { DISPLAY: ':0', OPENS: '3' }] as Record<string, string>[]) {
      const { exit, stdout, stderr } = await run(env, 'open');
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      expect(stdout).toMatch(/^Open this address in your browser:/);
      expect(stdout).toMatch(ADDRESS);
      opened();
    }
  });

  it('prints a tunnel command over SSH', async () => {
    const { stdout } = await run({ DISPLAY: ':0', SSH_CONNECTION: '192.0.2.1 5000 192.0.2.2 22' }, 'open');
    expect(opened()).toBeNull();
    const port = new URL(ADDRESS.exec(stdout)?.[0] ?? '').port;
    expect(stdout).toContain(`ssh -N -L ${port}:127.0.0.1:${port} HOST`);
  });
});
