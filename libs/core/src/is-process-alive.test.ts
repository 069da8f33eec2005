import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isProcessAlive } from './is-process-alive.js';

it('is true for a running process and false for an unused id', () => {
  expect(isProcessAlive(process.pid)).toBe(true);
  expect(isProcessAlive(999_999_999)).toBe(false);
});

it.runIf(process.platform === 'linux')(
  'R25: is false for a killed process that its parent has not collected',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      expect(isProcessAlive(pid)).toBe(true);
      // Until then, the parent is a shell that would collect the process.
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isProcessAlive(pid)).toBe(false);
      expect(process.kill(pid, 0)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
