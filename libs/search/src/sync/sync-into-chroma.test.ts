import { toFacts } from '@claude-mem/core';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { openStorageReader } from '@claude-mem/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestMemory } from '../__fixtures__/open-test-memory.js';
import { NO_BINDINGS, realBindings, startRealServer } from '../chroma/__fixtures__/real-server.js';
import { openChromaIndex } from '../chroma/open-chroma-index.js';
import { openFlatIndex } from '../flat/open-flat-index.js';
import type { Embedder } from '../ports/embedder.js';
import type { VectorIndex } from '../ports/vector-index.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';
import { createVectorSync } from './create-vector-sync.js';

/** A connection to a server that the test can cut. */
async function openWay(to: string) {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  const way = { url: '', isOpen: true };
  const server = createServer((socket) => {
    if (!way.isOpen) return void socket.destroy();
    const onward = connect(Number(port), hostname);
    for (const [from, into] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(into);
      from.on('error', () => into.destroy());
      from.on('close', () => into.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  way.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    way,
    cut() {
      way.isOpen = false;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    async [Symbol.asyncDispose]() {
      this.cut();
      server.close();
      await once(server, 'close');
    },
  };
}

describe.skipIf(realBindings === null)(
  realBindings === null ? NO_BINDINGS : 'vector sync into chroma',
  () => {
    let server: Awaited<ReturnType<typeof startRealServer>>;
    beforeAll(async () => {
      server = await startRealServer();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    it('B132, B135, B136: stores sparse records, does not count an outage as a failure, and does not embed records again after a restart', async () => {
      await using memory = await openTestMemory();
      await using path = await openWay(server.url);
      const { way } = path;
      for (let number = 1; number <= 20; number += 1) {
        await memory.remember(
          number % 2 === 0 ? { facts: toFacts([`Fact ${number}`], null) } : { title: `Title ${number}` },
        );
      }
      let texts = 0;
      const hashing = createHashingEmbedder();
      const embedder: Embedder = {
        ...hashing,
        embed(some, options) {
          texts += some.length;
          return hashing.embed(some, options);
        },
      };
      const open = () => {
        const index = openChromaIndex({ url: way.url, model: `sync ${way.url}`, queryLimitMs: 20_000 });
        return { index, sync: createVectorSync({ outbox: memory.storage.vectors, embedder, index }) };
      };
      const first = open();
      path.cut();
      expect(await first.sync.drain()).toMatchObject({ waiting: 20, failed: 0, problem: expect.any(String) });
      way.isOpen = true;
      await vi.waitFor(
        async () => expect(await first.sync.drain()).toMatchObject({ waiting: 0, failed: 0, problem: null }),
        { timeout: 20_000, interval: 200 },
      );
      expect(await first.index.count()).toBe(20);
      await first.index.close();

      texts = 0;
      const { index, sync } = open();
      expect(await sync.drain()).toMatchObject({ waiting: 0, completed: 0, embedded: 0 });
      expect(texts).toBe(0);
      await memory.storage.store.forget({ ids: [2], now: 0 });
      await memory.remember({ title: 'Title 21', facts: toFacts(['Fact 21'], null) });
      expect(await sync.drain()).toMatchObject({ waiting: 0, embedded: 2 });
      const [vector] = await embedder.embed(['Fact 21'], { for: 'query' });
      const hits = await index.nearest({ vector: vector as Float32Array, limit: 50 });
      expect(hits[0]?.id).toBe('obs_21_fact_0');
      expect(hits.map(({ id }) => id)).not.toContain('obs_2_fact_0');
      await index.close();
    });

    it('B078: removes records deleted in the meantime when Chroma is used again after flat, and the vectors of flat', async () => {
      await using memory = await openTestMemory();
      for (let number = 1; number <= 5; number += 1) await memory.remember({ title: `Title ${number}` });
      const embedder = createHashingEmbedder();
      const { vectors } = memory.storage;
      await using chroma = openChromaIndex({ url: server.url, model: 'left', queryLimitMs: 20_000 });
      await using reader = openStorageReader({ file: memory.file });
      const tables = reader.searchTables;
      await using flat = openFlatIndex({ tables, writer: vectors, model: embedder.model });
      const fill = (index: VectorIndex) => createVectorSync({ outbox: vectors, embedder, index }).drain();
      const stored = () => tables.vectorModels().reduce((sum, { count }) => sum + count, 0);
      await fill(chroma);
      await fill(flat);
      expect(stored()).toBe(5);
      await memory.storage.store.forget({ ids: [2, 5], now: 0 });
      expect(await fill(chroma)).toMatchObject({ waiting: 0, problem: null, embedded: 0 });
      expect(await chroma.count()).toBe(3);
      expect(stored()).toBe(0);
    });

    it('B134: uses a separate collection when a model has another vector size', async () => {
      await using memory = await openTestMemory();
      for (let number = 1; number <= 5; number += 1) await memory.remember({ title: `Title ${number}` });
      for (const dimensions of [3, 384]) {
        const embedder = createHashingEmbedder({ dimensions });
        await using index = openChromaIndex({ url: server.url, model: embedder.model, queryLimitMs: 20_000 });
        const sync = createVectorSync({ outbox: memory.storage.vectors, embedder, index });
        expect(await sync.drain()).toMatchObject({ waiting: 0, failed: 0, completed: 5 });
        const [vector] = await embedder.embed(['Title 4'], { for: 'query' });
        const hits = await index.nearest({ vector: vector as Float32Array, limit: 1 });
        expect(hits).toEqual([{ id: 'obs_4_narrative', observationId: 4, score: expect.closeTo(1, 2) }]);
      }
    });
  },
);
