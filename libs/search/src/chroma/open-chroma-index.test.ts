import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeVectorIndex } from '../testing/describe-vector-index.js';
import { NO_BINDINGS, realBindings, startRealServer } from './__fixtures__/real-server.js';
import { openChromaIndex } from './open-chroma-index.js';

describe.skipIf(realBindings === null)(realBindings === null ? NO_BINDINGS : 'chroma', () => {
  let server: Awaited<ReturnType<typeof startRealServer>>;
  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const options = (model: string = randomUUID()) => ({ url: server.url, model, queryLimitMs: 20_000 });

  describeVectorIndex('chroma', {
    capabilities: { isExact: false },
    open: async () => {
      const chosen = options();
      let index = openChromaIndex(chosen);
      return {
        index,
        reopen: async () => {
          await index.close();
          index = openChromaIndex(chosen);
          return index;
        },
        [Symbol.asyncDispose]: async () => {
          await index.close();
          await openChromaIndex(chosen).clear();
        },
      };
    },
  });

  it('placeholder', () => expect(1).toBe(1));
});
