import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import type { DataPaths } from '@claude-mem/settings';
import { hasOpenFile } from '@claude-mem/worker-protocol/local';
import { spawnQuiet } from '../spawn-quiet.js';

/**
 * True only when that process is surely the worker of this data directory: numbers are given out again, and a stranger
 * must never be ended. On Linux it holds the lock file open; elsewhere its command line has to say so.
 */
export async function isOwnWorker(pid: number, paths: DataPaths): Promise<boolean> {
  if (!isProcessAlive(pid)) return false;
  if (process.platform === 'linux') return hasOpenFile(pid, paths.lockFile);
  return /\bworker[/\\]dist[/\\]main\.js\b/.test(await commandOf(pid));
}

function commandOf(pid: number): Promise<string> {
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
