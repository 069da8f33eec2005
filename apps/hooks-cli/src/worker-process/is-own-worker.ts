import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import type { DataPaths } from '@claude-mem/settings';
import { hasOpenFile } from '@claude-mem/worker-protocol/local';
import { spawnQuiet } from '../spawn-quiet.js';

/**
 * Whether the process is certainly the worker of this data directory. Process ids are reused, and another process must never be
 * killed. On Linux, the worker has the lock file open. On other systems, its command line is compared.
 */
export async function isOwnWorker(pid: number, paths: DataPaths): Promise<boolean> {
  if (!isProcessAlive(pid)) return false;
  if (process.platform === 'linux') return hasOpenFile(pid, paths.lockFile);
  return /\bworker[/\\]dist[/\\]main\.js\b/.test(await readCommandLine(pid));
}

function readCommandLine(pid: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const child = spawnQuiet('ps', ['-o', 'command=', '-p', String(pid)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(text));
  });
}
