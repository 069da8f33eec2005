import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import type { VectorDocument, VectorIndex } from '../ports/vector-index.js';
import { answerLikeChroma, sendJson, startFakeServer } from './__fixtures__/fake-server.js';
import { collectionNameOf } from './collections.js';
import { openChromaIndex, type ChromaIndexOptions } from './open-chroma-index.js';

const MODEL = 'model';
const NAME = collectionNameOf(MODEL);
const vector = new Float32Array([1, 0]);
const QUERY = { vector, limit: 5 };
const DOCUMENT: VectorDocument = {
  id: 'obs_1_narrative',
  vector,
  contentHash: 'hash',
  metadata: { observationId: 1, projectId: 1, type: 'discovery', createdAtEpoch: 1 },
};
const FOUND = {
  ids: [['obs_1_narrative']],
  distances: [[0.25]],
  metadatas: [[{ observation_id: 1 }]],
  include: ['distances', 'metadatas'],
};

describe('unreachable Chroma server', () => {
  it('B136: is contacted at growing intervals while it refuses connections, without requests that write', async () => {
    const { clock, move } = movableClock();
    const attempts: string[] = [];
    const refusing = createServer((socket) => {
      socket.once('data', (data) => {
        attempts.push(data.toString().split('\r\n')[0]!);
        socket.destroy();
      });
    });
    refusing.listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    await using index = open({ url, clock });
    for (let second = 0; second < 120; second += 1) {
      await expectAway(index.upsert([DOCUMENT]));
      move(1000);
    }
    expect(attempts.length).toBeGreaterThan(4);
    expect(attempts.length).toBeLessThan(12);
    expect(attempts.filter((line) => !line.startsWith('GET '))).toEqual([]);
    refusing.close();
  });

  it('B136: ends the first search at its time limit and rejects later ones immediately when the server does not answer', async () => {
    const { clock, move } = movableClock();
    let isHanging = true;
    const answering = answerLikeChroma(NAME, (response) => sendJson(response, FOUND));
    await using server = await startFakeServer((request, response) => {
      if (!isHanging) answering(request, response);
    });
    await using index = open({ url: server.url, clock, queryLimitMs: 200 });
    await expectAway(index.nearest(QUERY));
    const before = server.requests.length;
    for (let round = 0; round < 20; round += 1) await expectAway(index.nearest(QUERY));
    expect(server.requests).toHaveLength(before);

    isHanging = false;
    move(60_000);
    await expectAway(index.nearest(QUERY));
    await until(async () => (await index.nearest(QUERY).catch(() => [])).length === 1);
    expect(server.requests.some(({ line }) => line.includes('/heartbeat'))).toBe(true);
  });

  it('is contacted again at once after a late answer', async () => {
    await using server = await startFakeServer(
      answerLikeChroma(NAME, (response) => setTimeout(() => sendJson(response, FOUND), 400)),
    );
    await using index = open({ url: server.url, queryLimitMs: 150 });
    await expectAway(index.nearest(QUERY));
    server.answer = answerLikeChroma(NAME, (response) => sendJson(response, FOUND));
    await until(async () => (await index.nearest(QUERY).catch(() => [])).length === 1);
  });

  it('is reported as an outage after status 503 of a proxy, but not after a single failed request', async () => {
    await using server = await startFakeServer((_, response) => {
      response.writeHead(503);
      response.end('<html>');
    });
    await using index = open({ url: server.url });
    await expect(index.nearest(QUERY)).rejects.toMatchObject({ data: { reason: 'outage' } });
    await using other = open({ url: server.url });
    server.answer = answerLikeChroma(NAME, (response) =>
      sendJson(response, { message: 'no such thing' }, 500),
    );
    await expect(other.nearest(QUERY)).rejects.toMatchObject({ data: { reason: 'refused' } });
    server.answer = answerLikeChroma(NAME, (response) => sendJson(response, FOUND));
    expect(await other.nearest(QUERY)).toHaveLength(1);
  });

  it('does not delay closing the index', async () => {
    await using server = await startFakeServer(() => {});
    const index = open({ url: server.url, queryLimitMs: 60_000 });
    const waiting = index.nearest(QUERY).catch((error: unknown) => error);
    await until(() => server.requests.length > 0);
    await index.close();
    expect(await waiting).toMatchObject({ code: 'search/vector-index-unavailable' });
  });
});

describe('requests to a Chroma server', () => {
  it('contain tenant, database and token', async () => {
    await using server = await startFakeServer(
      answerLikeChroma(NAME, (response) => sendJson(response, FOUND)),
    );
    await using index = open({ url: server.url, tenant: 'acme', database: 'notes', token: 'secret-token' });
    expect(await index.nearest(QUERY)).toEqual([{ id: 'obs_1_narrative', observationId: 1, score: 0.75 }]);
    for (const { line, headers } of server.requests) {
      expect(headers).toMatchObject({
        'x-chroma-token': 'secret-token',
        authorization: 'Bearer secret-token',
      });
      if (line.includes('tenants')) expect(line).toContain('/tenants/acme/databases/notes/');
    }
  });

  it('do not follow a redirect, and the error contains no token', async () => {
    await using thief = await startFakeServer((_, response) => sendJson(response, FOUND));
    await using server = await startFakeServer(({ url }, response) => {
      response.writeHead(307, { location: thief.url + url! });
      response.end();
    });
    await using index = open({ url: server.url, token: 'secret-token' });
    const error: unknown = await index.nearest(QUERY).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'search/vector-index-unavailable' });
    expect(everythingIn(error)).not.toContain('secret-token');
    expect(thief.requests).toEqual([]);
  });

  it.each([401, 403])(
    'fail with the advice to check the token after status %i, and are not repeated at once',
    async (status) => {
      await using server = await startFakeServer((_, response) =>
        sendJson(response, { error: 'no' }, status),
      );
      await using index = open({ url: server.url, token: 'secret-token' });
      for (let round = 0; round < 3; round += 1)
        await expect(index.upsert([DOCUMENT])).rejects.toMatchObject({
          code: 'search/vector-index-unavailable',
          message: expect.stringContaining('check the token') as string,
        });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('fail or return nothing when a reply to a query is malformed', async () => {
    const replies: unknown[] = [
      {},
      { ids: [], distances: [], metadatas: [] },
      { ...FOUND, distances: [['near']] },
      { ...FOUND, distances: null, metadatas: null },
      { ...FOUND, metadatas: [[{ observation_id: '1' }]] },
      { ...FOUND, metadatas: [[{ observation_id: 1.5 }]] },
      { ...FOUND, metadatas: [[null]] },
      { ids: 'none' },
      null,
      [],
    ];
    let reply: unknown;
    await using server = await startFakeServer(
      answerLikeChroma(NAME, (response) => sendJson(response, reply)),
    );
    for (reply of replies) {
      await using index = open({ url: server.url });
      const answer = await index.nearest(QUERY).catch((error: unknown) => error);
      if (!Array.isArray(answer))
        expect(answer, JSON.stringify(reply)).toMatchObject({ code: 'search/vector-index-unavailable' });
      else expect(answer, JSON.stringify(reply)).toEqual([]);
    }
    server.answer = (_, response) => response.end('<html>no JSON</html>');
    await using index = open({ url: server.url });
    await expectAway(index.nearest(QUERY));
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a word', 'many'],
    ['a negative number', -1],
    ['an empty list', []],
    ['an empty object', {}],
    ['ids that are none', { ids: 'none', metadatas: 7, embeddings: null, documents: null, include: [] }],
    ['ids of something else', { ids: [7, null, {}], metadatas: [null, 'x', []], include: ['metadatas'] }],
  ])(
    'fail with search/vector-index-unavailable or return nothing when every reply is %s',
    async (_, reply) => {
      const isMeta = (url: string) => /heartbeat|pre-flight/.test(url);
      await using server = await startFakeServer(({ url = '', method }, response) => {
        if (isMeta(url) || (method === 'GET' && !url.endsWith('/count')))
          return answerLikeChroma(NAME, () => undefined)({ url } as never, response);
        if (reply === undefined) return void response.end();
        sendJson(response, reply);
      });
      const calls: Record<string, (index: VectorIndex) => Promise<unknown>> = {
        nearest: (index) => index.nearest(QUERY),
        hashes: (index) => index.hashes!([1]),
        count: (index) => index.count(),
        upsert: (index) => index.upsert([DOCUMENT]),
        remove: (index) => index.remove([1]),
        removeDocuments: (index) => index.removeDocuments!(['obs_1_narrative']),
        clear: (index) => index.clear(),
      };
      for (const [name, call] of Object.entries(calls)) {
        await using index = open({ url: server.url });
        const answer = await call(index).catch((error: unknown) => error);
        if (answer instanceof Error)
          expect(answer, name).toMatchObject({ code: 'search/vector-index-unavailable' });
        else if (name === 'count')
          expect(Number.isSafeInteger(answer) && Number(answer) >= 0, name).toBe(true);
        else expect(answer ?? [], name).toEqual([]);
      }
    },
  );

  it('end when the server deletes nothing or claims that every collection exists', async () => {
    const ids = Array.from({ length: 500 }, (_, number) => `obs_1_fact_${number}`);
    await using server = await startFakeServer((request, response) => {
      if (request.url?.endsWith('/get')) return sendJson(response, { ids, include: [] });
      answerLikeChroma(NAME, () => undefined)(request, response);
    });
    await using index = open({ url: server.url });
    await expect(index.remove([1])).rejects.toMatchObject({
      code: 'search/vector-index-unavailable',
      message: expect.stringContaining('did not delete') as string,
    });
    const large = { ...DOCUMENT, vector: new Float32Array([1, 0, 0]) };
    await expect(index.upsert([large])).rejects.toMatchObject({ code: 'search/vector-index-unavailable' });
    const asked = server.requests.length;
    await systemClock.sleep(100);
    expect(server.requests).toHaveLength(asked);
  });
});

describe('Chroma index options', () => {
  it('name the install command when the client package is missing', async () => {
    await using index = open({
      url: 'http://127.0.0.1:9',
      loadClient: () => import('a-package-that-is-not-installed' as string),
    });
    await expect(index.nearest(QUERY)).rejects.toMatchObject({
      code: 'search/vector-index-unavailable',
      message: expect.stringContaining('npm install chromadb') as string,
    });
  });

  it.each([
    'localhost:8000',
    'ftp://127.0.0.1',
    'http://name:secret@127.0.0.1:8000',
    'http://127.0.0.1:8000/prefix',
    'http://127.0.0.1:8000/?token=secret',
    '',
  ])('reject the address %j without repeating it', (url) => {
    expect(() => open({ url })).toThrow(
      expect.objectContaining({
        code: 'search/bad-request',
        message: expect.not.stringContaining('secret') as string,
      }),
    );
  });

  it('require an address or a managed server, but not both', () => {
    expect(() => openChromaIndex({ model: MODEL })).toThrow('either an address or a managed server');
    expect(() =>
      openChromaIndex({ model: MODEL, url: 'http://127.0.0.1:9', managed: { dataDir: '/nowhere' } }),
    ).toThrow('either an address or a managed server');
  });
});

function open(options: Partial<ChromaIndexOptions>): VectorIndex {
  return openChromaIndex({ model: MODEL, queryLimitMs: 10_000, ...options });
}

async function expectAway(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toMatchObject({ code: 'search/vector-index-unavailable' });
}

/** Short delays take real time. Later times are reached at once. */
function movableClock(): { clock: Clock; move: (ms: number) => void } {
  let moved = 0;
  return {
    clock: { now: () => Date.now() + moved, sleep: systemClock.sleep },
    move: (ms) => void (moved += ms),
  };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? '' : everythingIn(error.cause)}`;
}
