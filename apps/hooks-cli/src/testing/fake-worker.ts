import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createLocalWorkerLink } from '@claude-mem/worker-protocol/local';

interface ReceivedEvent {
  path: string;
  type: string | undefined;
  body: Buffer;
}

export interface FakeWorker extends AsyncDisposable {
  received: ReceivedEvent[];
  close(): Promise<void>;
}

export type FakeAnswer = (event: ReceivedEvent, response: ServerResponse) => void;

/** Starts a server on the socket that records events and responds with `answer`. */
export async function startFakeWorker(socket: string, answer: FakeAnswer = ok('')): Promise<FakeWorker> {
  const received: ReceivedEvent[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const event = {
        path: request.url ?? '',
        type: request.headers['content-type'],
        body: Buffer.concat(chunks),
      };
      received.push(event);
      answer(event, response);
    });
  });
  mkdirSync(dirname(socket), { recursive: true });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { received, close, [Symbol.asyncDispose]: close };
}

/** Answers every event with 200 and this body. */
export function ok(body: string): FakeAnswer {
  return (_, response) => void response.end(body);
}

export function status(code: number, body = ''): FakeAnswer {
  // hooks accept only responses with a Content-Length header
  const headers = { 'content-length': Buffer.byteLength(body) };
  return (_, response) => void response.writeHead(code, headers).end(body);
}

/** Creates a connection that waits only 500 ms for each response, for tests of a worker that never answers. */
export const createShortTimeoutLink: typeof createLocalWorkerLink = (paths) => {
  const { within } = createLocalWorkerLink(paths);
  return { client: within(500), within: () => within(500) };
};

/** Splits an envelope into its header lines and the payload of the host, without the null byte of a spool file. */
export function splitEnvelope(bytes: Buffer): { lines: Record<string, string>; payload: Buffer } {
  const end = bytes.indexOf('\n\n');
  const lines = bytes
    .toString('utf8', 0, end)
    .split('\n')
    .map((line) => line.split(/: (.*)/s).slice(0, 2));
  return {
    lines: Object.fromEntries(lines),
    payload: bytes.subarray(end + 2, bytes.at(-1) === 0 ? -1 : bytes.length),
  };
}
