import { WorkerClientError, type WorkerClientErrorCode } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { createMemoryQuestions } from './create-memory-questions.js';
import type { MemoryReader } from './memory-reader.js';

/** A reader that only knows its projects. */
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
  const memory = createMemoryQuestions({
    worker: readerOf('worker', problem),
    database: readerOf('database'),
    isOtherVersion: async () => isOther,
  });
  return memory.ask(async (reader) => (await reader.projects())[0]?.name);
}

describe('questions to a memory', () => {
  it('go to the worker', async () => {
    expect(await ask(undefined)).toEqual({ value: 'worker', without: null });
  });

  it.each<[string, Error, string]>([
    ['is away', refused('worker-client/away'), 'is not running'],
    ['is starting', refused('worker-client/not-ready'), 'not ready'],
    ['is a stranger', refused('worker-client/bad-reply', { status: 200 }), 'another program'],
    ['takes no such long question', refused('worker-client/bad-reply', { status: 431 }), 'too long'],
    ['has a fault', refused('worker-client/refused', { status: 500 }), 'failed to answer'],
    ['answers in another form', new TypeError('x is not iterable'), 'another version'],
  ])('go to the database where the worker %s, which is said', async (_, problem, reason) => {
    expect(await ask(problem)).toEqual({ value: 'database', without: expect.stringContaining(reason) });
  });

  it('are refused as the worker refused them, unless it is of another version', async () => {
    const problem = refused('worker-client/refused', { status: 400 });
    await expect(ask(problem)).rejects.toBe(problem);
    expect(await ask(problem, { isOther: true })).toMatchObject({ value: 'database' });
  });
});
