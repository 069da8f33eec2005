import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../ports/embedder.js';
import { createHashingEmbedder } from '../../testing/create-hashing-embedder.js';
import { describeEmbedder } from '../../testing/describe-embedder.js';
import {
  createOpenAiCompatibleEmbedder,
  type OpenAiCompatibleEmbedderOptions,
} from './create-openai-compatible-embedder.js';

interface Asked {
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: { model: string; input: string[]; encoding_format: string; dimensions?: number };
}
interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** An embeddings server on the loopback interface. `answer` replaces its normal responses. */
async function startServer(answer: (asked: Asked, count: number) => Answer | 'hang' | null = () => null) {
  const hashing = createHashingEmbedder();
  const asked: Asked[] = [];
  let cut = 0;
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) cut += 1;
    });
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece as string;
    const one: Asked = {
      path: request.url,
      headers: request.headers,
      body: JSON.parse(text) as Asked['body'],
    };
    asked.push(one);
    const given = answer(one, asked.length);
    if (given === 'hang') return;
    const vectors = await hashing.embed(one.body.input, { for: 'document' });
    const proper = {
      object: 'list',
      model: one.body.model,
      data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: [...vector] })),
      usage: { prompt_tokens: 1, total_tokens: 1 },
    };
    response.writeHead(given?.status ?? 200, { 'content-type': 'application/json', ...given?.headers });
    const body = given?.body ?? proper;
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, asked, cut: () => cut, close };
}

const opened: (() => Promise<void>)[] = [];
const closeAll = async () => {
  for (const close of opened.splice(0).toReversed()) await close();
};
async function openWith(
  answer?: Parameters<typeof startServer>[0],
  options: Partial<OpenAiCompatibleEmbedderOptions> = {},
) {
  const server = await startServer(answer);
  opened.push(server.close);
  const embedder = createOpenAiCompatibleEmbedder({ baseUrl: server.url, model: 'small', ...options });
  opened.push(embedder.close);
  return { embedder, server };
}
const failsWith = (embedder: Embedder, message: RegExp) =>
  expect(embedder.embed(['a', 'b'], { for: 'document' })).rejects.toMatchObject({
    code: 'search/embedder-unavailable',
    message: expect.stringMatching(message),
  });

describe('openai-compatible', () => {
  let server: Awaited<ReturnType<typeof startServer>> | null = null;
  afterAll(() => server?.close());
  describeEmbedder('openai-compatible', {
    open: async () => {
      server ??= await startServer();
      return createOpenAiCompatibleEmbedder({ baseUrl: `${server.url}/v1/`, model: 'small' });
    },
  });
});

describe('requests of the openai-compatible embedder', () => {
  afterEach(closeAll);

  it.each(['', '/', '/v1', '/v1/', '/v1/embeddings'])(
    'go to /v1/embeddings when the address ends in %j',
    async (path) => {
      const { server } = await openWith();
      const embedder = createOpenAiCompatibleEmbedder({ baseUrl: `${server.url}${path}`, model: 'small' });
      await embedder.embed(['a text'], { for: 'query' });
      expect(server.asked.map((one) => one.path)).toEqual(['/v1/embeddings']);
      expect(server.asked[0]?.body).toEqual({ model: 'small', input: ['a text'], encoding_format: 'float' });
    },
  );

  it('contain the configured key and no values of the environment, and no key when none is configured', async () => {
    process.env.OPENAI_ORG_ID = 'org-of-the-environment';
    process.env.OPENAI_API_KEY = 'sk-of-the-environment';
    try {
      const { embedder, server } = await openWith(undefined, { apiKey: ' sk-given ' });
      await embedder.embed(['a'], { for: 'query' });
      await createOpenAiCompatibleEmbedder({ baseUrl: server.url, model: 'small' }).embed(['b'], {
        for: 'query',
      });
      expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer sk-given',
        undefined,
      ]);
      expect(JSON.stringify(server.asked)).not.toContain('of-the-environment');
    } finally {
      delete process.env.OPENAI_ORG_ID;
      delete process.env.OPENAI_API_KEY;
    }
  });

  it('ask for shorter vectors, and the model name includes the size', async () => {
    const { embedder, server } = await openWith(undefined, { dimensions: 64 });
    await embedder.embed(['a'], { for: 'query' });
    expect(server.asked[0]?.body.dimensions).toBe(64);
    expect(embedder.model).toBe('small@64');
  });

  it('are limited in number and total length of texts', async () => {
    const { embedder, server } = await openWith();
    const texts = Array.from({ length: 150 }, (_, index) =>
      index % 3 === 0 ? 'word '.repeat(5_000) : `${index}`,
    );
    expect(await embedder.embed(texts, { for: 'document' })).toHaveLength(150);
    expect(server.asked.length).toBeGreaterThan(4);
    for (const { body } of server.asked) {
      expect(body.input.length).toBeLessThanOrEqual(64);
      expect(body.input.join('').length).toBeLessThanOrEqual(60_000);
    }
  });

  it('return vectors in the order of the texts', async () => {
    const { embedder } = await openWith(() => ({
      body: {
        data: [
          { index: 1, embedding: [0, 2] },
          { index: 0, embedding: [5, 0] },
        ],
      },
    }));
    const vectors = await embedder.embed(['a', 'b'], { for: 'document' });
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it.each([
    ['too few', { data: [{ index: 0, embedding: [1, 0] }] }, /2 texts with 1 vectors/],
    ['one place twice', { data: [0, 0].map((index) => ({ index, embedding: [1, 0] })) }, /no vector/],
    ['no numbers', { data: [0, 1].map((index) => ({ index, embedding: [null, 'x'] })) }, /no vector/],
    ['too large a number', { data: [0, 1].map((index) => ({ index, embedding: [1e300, 1] })) }, /no vector/],
    [
      'two sizes',
      { data: [1, 2].map((size, index) => ({ index, embedding: Array(size).fill(1) })) },
      /of 1 and of 2/,
    ],
    ['no list', { data: 'none' }, /something else/],
    ['another page', '<html>hello</html>', /something else|refused/],
    ['no rows', { data: [null, 7] }, /no vector/],
    ['no end', `{"data":"${'x'.repeat(33 * 1024 * 1024)}"}`, /cannot be reached|more than any answer/],
  ])('fail when the answer has %s', async (_, body, message) => {
    const { embedder } = await openWith(() => ({ body }));
    await failsWith(embedder, message);
  });

  it('follow no redirect, so that the key is not sent elsewhere', async () => {
    const elsewhere = await startServer();
    opened.push(elsewhere.close);
    const { embedder } = await openWith(
      () => ({ status: 307, headers: { location: `${elsewhere.url}/v1/embeddings` }, body: '' }),
      { apiKey: 'sk-secret' },
    );
    await failsWith(embedder, /307/);
    expect(elsewhere.asked).toEqual([]);
  });

  it('fail with an error message without keys', async () => {
    const { embedder } = await openWith(
      () => ({
        status: 401,
        body: { error: { message: 'Incorrect key: my-own-secret (also sk-abcdef123456789)' } },
      }),
      { apiKey: 'my-own-secret' },
    );
    const failure: unknown = await embedder.embed(['a'], { for: 'query' }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/401 Incorrect key: \[key\]/);
    expect(String(failure)).not.toMatch(/secret|abcdef/);
    const odd = createOpenAiCompatibleEmbedder({ baseUrl: 'http://127.0.0.1:1', model: 'm', apiKey: 'a b' });
    await failsWith(odd, /spaces or characters/);
  });

  it.each(['', 'not an address', 'ftp://127.0.0.1', 'http://user:password@127.0.0.1'])(
    'fail when the address is %j',
    async (baseUrl) => {
      await failsWith(createOpenAiCompatibleEmbedder({ baseUrl, model: 'm' }), /should look like/);
    },
  );

  it('are repeated after a temporary failure', async () => {
    const { embedder, server } = await openWith((_, count) =>
      count < 3 ? { status: 429, headers: { 'retry-after-ms': '1' }, body: {} } : null,
    );
    expect(await embedder.embed(['a'], { for: 'query' })).toHaveLength(1);
    expect(server.asked).toHaveLength(3);
  });

  it('fail when the server does not answer in time', async () => {
    const { embedder } = await openWith(() => 'hang', { timeoutMs: 50 });
    await failsWith(embedder, /timed out/);
  });

  it('end when they are aborted or the embedder is closed', async () => {
    const { embedder, server } = await openWith(() => 'hang');
    const stop = new AbortController();
    const reason = new Error('enough');
    const embedding = embedder.embed(['a'], { for: 'query', signal: stop.signal });
    const closing = embedder.embed(['b'], { for: 'query' });
    await expect.poll(() => server.asked.length).toBe(2);
    stop.abort(reason);
    await expect(embedding).rejects.toBe(reason);
    await embedder.close();
    await expect(closing).rejects.toMatchObject({ code: 'search/closed' });
    await expect.poll(server.cut).toBe(2);
  });

  it('name the install command when the package is missing', async () => {
    const missing = Object.assign(new Error('nope'), { code: 'ERR_MODULE_NOT_FOUND' });
    const { embedder } = await openWith(undefined, { loadSdk: () => Promise.reject(missing) });
    await failsWith(embedder, /npm install openai/);
  });
});
