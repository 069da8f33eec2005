import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '@claude-mem/settings';
import { createLocalWorkerLink } from '@claude-mem/worker-protocol/local';
import { expect, it } from 'vitest';
import { spawnQuiet } from '../spawn-quiet.js';
import { createTestHome } from '../testing/run-inside.js';
import { stopAndWait } from './stop-and-wait.js';

it.skipIf(process.platform !== 'linux')(
  'kills the worker when it does not answer and ignores SIGTERM',
  async () => {
    using home = createTestHome();
    const loaded = loadSettings({ env: home.env, home: home.home });
    mkdirSync(home.dataDir);
    // the process that has the lock file open counts as the worker
    const script = `trap '' TERM; echo ready; exec sleep 600`;
    const child = spawnQuiet('sh', ['-c', `exec 9>"$0"; ${script}`, loaded.paths.lockFile], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout!, 'data');
    writeFileSync(
      join(home.dataDir, 'worker.json'),
      JSON.stringify({ pid: child.pid, port: 1, socket: null, version: '0', startedAtEpoch: 1 }),
    );
    const worker = createLocalWorkerLink(loaded.paths);
    const ended = once(child, 'exit');
    expect(await stopAndWait({ loaded, worker }, { timeoutMs: 500 })).toEqual({
      kind: 'stopped',
      pid: child.pid,
      how: 'SIGKILL',
    });
    expect(await ended).toEqual([null, 'SIGKILL']);
  },
);
