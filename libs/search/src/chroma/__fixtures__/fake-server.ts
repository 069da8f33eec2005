import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeServer extends AsyncDisposable {
  url: string;
  /** Method and path of every request so far. */
  requests: { line: string; headers: IncomingMessage['headers'] }[];
  /** How it answers from now on. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A server on the wire that behaves as badly as a test wants. */
export async function startFakeServer(answer: FakeServer['answer']): Promise<FakeServer> {
  const server = createServer((request, response) => {
    fake.requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    fake.answer(request, response);
  });
  const fake: FakeServer = {
    url: '',
    requests: [],
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Answers like a server that holds one collection of two-dimensional vectors; `query` gives the reply to a query. */
export function answerLikeChroma(
  model: string,
  query: (response: ServerResponse) => void,
): FakeServer['answer'] {
  const collection = (url: string, name: string, metadata: unknown) => ({
    id: name,
    name,
    metadata,
    configuration_json: {},
    tenant: /tenants\/([^/]+)/.exec(url)?.[1],
    database: /databases\/([^/]+)/.exec(url)?.[1],
  });
  return ({ url = '' }, response) => {
    if (url.endsWith('/heartbeat')) return sendJson(response, { 'nanosecond heartbeat': 1 });
    if (url.endsWith('/pre-flight-checks')) return sendJson(response, { max_batch_size: 1000 });
    if (url.endsWith('/query')) return query(response);
    const name = url.split('/').at(-1)!;
    if (name === model)
      return sendJson(response, collection(url, name, { collection: `${model}-2`, dimensions: 2 }));
    return sendJson(response, collection(url, name, null));
  };
}
