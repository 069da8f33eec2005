import { readFileSync } from 'node:fs';
import type { DataPaths } from '@claude-mem/settings';
import { hasOpenFile } from '@claude-mem/worker-protocol/local';
import { spawnQuiet } from '../spawn-quiet.js';

/** True while a process of this number runs; one that has ended and was not collected yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return true;
    throw error;
  }
}

/**
 * True only when that process is surely the worker of this data directory: numbers are given out again, and a stranger
 * must never be ended. On Linux it holds the lock file open; elsewhere its command line has to say so.
 */
export async function isOwnWorker(pid: number, paths: DataPaths): Promise<boolean> {
  if (!isAlive(pid)) return false;
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
