import { describe, expect, it } from 'vitest';
import { runProgram } from './run-hook.js';
import { createTempHome } from './temp-home.js';

describe('runProgram', () => {
  it('returns the exit code and the output, and passes no variable of the test environment', async () => {
    await using home = await createTempHome();
    const run = await runProgram('sh', ['-c', 'cat; echo "$NODE_OPTIONS$HOME" >&2; exit 3'], {
      input: 'hello',
      env: home.env,
      cwd: home.project,
    });
    expect(run).toMatchObject({ exit: 3, stdout: 'hello', stderr: `${home.home}\n` });
  });

  it('kills the program and its children at the timeout', async () => {
    await using home = await createTempHome();
    const run = await runProgram('sh', ['-c', 'sleep 30 & sleep 30'], {
      env: home.env,
      cwd: home.project,
      timeoutMs: 100,
    });
    expect(run.exit).toBe('SIGKILL');
    expect(run.ms).toBeLessThan(5_000);
  });

  it('returns when the program exits, even if its stdin is still open', async () => {
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
