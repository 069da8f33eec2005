import { noopLogger } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../ports/embedder.js';
import { createBreaker } from './breaker.js';
import { createQueryVectors } from './query-vectors.js';

function open(answer: (text: string) => Promise<Float32Array>) {
  const asked: string[] = [];
  const clock = createFixedClock();
  const embedder: Embedder = {
    model: 'test',
    embed: async (texts) => {
      asked.push(...texts);
      return Promise.all(texts.map(answer));
    },
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const breaker = createBreaker({ name: 'embedder', clock, logger: noopLogger, timeoutMs: 60_000 });
  return { asked, clock, vectorOf: createQueryVectors(embedder, breaker) };
}

describe('query vectors', () => {
  it('are computed once, also for simultaneous requests', async () => {
    const { asked, vectorOf } = open(async () => new Float32Array([1, 0]));
    const [first, second] = await Promise.all([vectorOf('a'), vectorOf('a')]);
    expect(first).toBe(second);
    expect(await vectorOf('a')).toBe(first);
    expect(asked).toEqual(['a']);
  });

  it('are cached for the last 256 queries', async () => {
    const { asked, vectorOf } = open(async () => new Float32Array([1]));
    for (let number = 0; number < 257; number += 1) await vectorOf(`query ${number}`);
    await vectorOf('query 1');
    await vectorOf('query 0');
    expect(asked.filter((text) => text === 'query 1')).toHaveLength(1);
    expect(asked.filter((text) => text === 'query 0')).toHaveLength(2);
  });

  it('are not requested during the pause after a failure, and are requested again afterwards', async () => {
    let isBroken = true;
    const { asked, clock, vectorOf } = open(async () => {
      if (isBroken) throw new Error('no weights');
      return new Float32Array([1]);
    });
    await expect(vectorOf('a')).rejects.toThrow('no weights');
    await expect(vectorOf('a')).rejects.toMatchObject({ code: 'search/embedder-unavailable' });
    expect(asked).toHaveLength(1);
    isBroken = false;
    await clock.advance(1_000);
    await expect(vectorOf('a')).resolves.toHaveLength(1);
  });

  it.each([[new Float32Array([NaN])], [undefined as unknown as Float32Array]])(
    'are rejected when they are invalid (%s)',
    async (vector) => {
      await expect(open(async () => vector).vectorOf('a')).rejects.toMatchObject({
        code: 'search/embedder-unavailable',
      });
    },
  );

  it('are computed from the beginning of a very long text, without splitting a character', async () => {
    const { asked, vectorOf } = open(async () => new Float32Array([1]));
    await vectorOf(`a${'🙂'.repeat(5_000)}`);
    expect(asked[0]?.length).toBeLessThanOrEqual(2_000);
    expect(asked[0]?.isWellFormed()).toBe(true);
  });
});
