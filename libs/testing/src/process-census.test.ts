import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import { describe, expect, it } from 'vitest';
import { descendantsOf, processesOf } from './process-census.js';
import { createTempHome } from './temp-home.js';
import { waitFor } from './poll.js';

const sleeper = (env: Record<string, string>) =>
  spawn('sh', ['-c', 'trap "" TERM; sleep 60 & wait'], { env, stdio: 'ignore' });

describe.skipIf(process.platform !== 'linux')('process census', () => {
  it('finds the process that was started for a data directory, and its children', async () => {
    await using home = await createTempHome();
    const child = sleeper(home.env);
    const pid = child.pid ?? 0;
    await waitFor(() => descendantsOf(pid).length === 1, { what: 'the grandchild' });
    expect(processesOf(home.dataDir).map((process) => process.pid)).toContain(pid);
    expect(processesOf(home.dataDir)).toHaveLength(2);
    expect(processesOf(`${home.dataDir}-other`)).toEqual([]);
  });

  it('finds a process that runs in the data directory without its environment', async () => {
    await using home = await createTempHome();
    const folder = path.join(home.dataDir, 'observer');
    mkdirSync(folder, { recursive: true });
    const child = spawn('sleep', ['60'], { env: {}, cwd: folder, stdio: 'ignore' });
    await waitFor(() => processesOf(home.dataDir).some(({ pid }) => pid === child.pid), {
      what: 'the child',
    });
    expect(processesOf(path.join(home.home, 'other'))).toEqual([]);
  });

  it('kills all processes when the home folder is disposed', async () => {
    const started: number[] = [];
    {
      await using home = await createTempHome();
      started.push(sleeper(home.env).pid ?? 0);
      expect(started.map(isProcessAlive)).toEqual([true]);
    }
    expect(started.map(isProcessAlive)).toEqual([false]);
  });
});
