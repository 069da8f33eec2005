import { describe, expect, it } from 'vitest';
import { runProgram } from './run-hook.js';
import { createTempHome } from './temp-home.js';

describe('running a program', () => {
  it('gives its exit code, its output and nothing of our environment', async () => {
    await using home = await createTempHome();
    const run = await runProgram('sh', ['-c', 'cat; echo "$NODE_OPTIONS$HOME" >&2; exit 3'], {
      input: 'hello',
      env: home.env,
      cwd: home.project,
    });
    expect(run).toMatchObject({ exit: 3, stdout: 'hello', stderr: `${home.home}\n` });
  });

  it('kills it and all it started when it takes too long', async () => {
    await using home = await createTempHome();
    const run = await runProgram('sh', ['-c', 'sleep 30 & sleep 30'], {
      env: home.env,
      cwd: home.project,
      timeoutMs: 100,
    });
    expect(run.exit).toBe('SIGKILL');
    expect(run.ms).toBeLessThan(5_000);
  });

  it('ends with the program although its stdin is left open', async () => {
    await using home = await createTempHome();
    const run = await runProgram('sh', ['-c', 'head -c 2'], {
      input: 'ok and more',
      env: home.env,
      cwd: home.project,
      keepStdinOpen: true,
    });
    expect(run).toMatchObject({ exit: 0, stdout: 'ok' });
  });
});
