import { WorkerClientError, type WorkerClientErrorCode } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { createFallbackReader } from './create-fallback-reader.js';
import type { MemoryReader } from './memory-reader.js';

/** Creates a reader that only supports `projects`. */
function readerOf(name: string, problem?: Error): MemoryReader {
  const projects = async () => {
    if (problem) throw problem;
    return [{ id: 1, key: name, name, observations: 0 }];
  };
  return { projects } as unknown as MemoryReader;
}

const refused = (code: WorkerClientErrorCode, data: Record<string, unknown> = {}) =>
  new WorkerClientError(code, 'refused', { data });

function ask(problem: Error | undefined, { isOther = false } = {}) {
  const memory = createFallbackReader({
    worker: readerOf('worker', problem),
    database: readerOf('database'),
    isOtherVersion: async () => isOther,
  });
  return memory.read(async (reader) => (await reader.projects())[0]?.name);
}

describe('createFallbackReader', () => {
  it('reads through the worker when it answers', async () => {
    expect(await ask(undefined)).toEqual({ value: 'worker', fallbackReason: null });
  });

  it.each<[string, Error, string]>([
    ['is not running', refused('worker-client/away'), 'is not running'],
    ['is starting', refused('worker-client/not-ready'), 'not ready'],
    ['is another program', refused('worker-client/bad-reply', { status: 200 }), 'another program'],
    ['rejects a long request', refused('worker-client/bad-reply', { status: 431 }), 'too long'],
    ['fails', refused('worker-client/refused', { status: 500 }), 'failed to answer'],
    ['sends an invalid response', new TypeError('x is not iterable'), 'another version'],
  ])('reads from the database with a reason when the worker %s', async (_, problem, reason) => {
    expect(await ask(problem)).toEqual({
      value: 'database',
      fallbackReason: expect.stringContaining(reason),
    });
  });

  it('returns the error of the worker unless the worker has another version', async () => {
    const problem = refused('worker-client/refused', { status: 400 });
    await expect(ask(problem)).rejects.toBe(problem);
    expect(await ask(problem, { isOther: true })).toMatchObject({ value: 'database' });
  });
});
