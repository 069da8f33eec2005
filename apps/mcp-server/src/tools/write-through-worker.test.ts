import { WorkerClientError, type WorkerClient } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { writeThroughWorker } from './write-through-worker.js';

const worker = {} as WorkerClient;
const forever = () => new Promise<never>(() => undefined);
const away = (code: string) =>
  new WorkerClientError('worker-client/away', 'away', { cause: Object.assign(new Error('away'), { code }) });

describe('a write through the worker', () => {
  it('returns the result when the worker answers', async () => {
    const checkWorker = async () => ({}) as never;
    await expect(
      writeThroughWorker({ worker, checkWorker: checkWorker }, async () => 'written'),
    ).resolves.toBe('written');
  });

  it('waits for a slow write when the worker answers other requests', async () => {
    const write = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return 'written';
    };
    const checkWorker = async () => ({}) as never;
    await expect(writeThroughWorker({ worker, checkWorker: checkWorker }, write)).resolves.toBe('written');
  });

  it('fails and suggests a restart when the worker does not respond', async () => {
    const checkWorker = () => Promise.reject(away('ETIMEDOUT'));
    await expect(writeThroughWorker({ worker, checkWorker: checkWorker }, forever)).rejects.toThrow(
      /claude-mem restart/,
    );
  });

  it('fails and suggests a start when no worker runs', async () => {
    const write = () => Promise.reject(away('ENOENT'));
    await expect(writeThroughWorker({ worker, checkWorker: forever }, write)).rejects.toThrow(
      /claude-mem start/,
    );
  });
});
