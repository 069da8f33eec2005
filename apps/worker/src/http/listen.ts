import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { MAX_TCP_CONNECTIONS } from './limits.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type ListenResult =
  | { kind: 'listening'; listener: Listener; port: number | null }
  | { kind: 'failed'; cause: NodeJS.ErrnoException };

export interface Listener {
  /** Stops accepting connections, waits `graceMs` for running requests, and closes the remaining ones. */
  close(options: { graceMs: number }): Promise<void>;
}

/** Listens on a unix socket that only its owner can open. Replaces the socket file of a dead process. */
export async function listenOnSocket(path: string, handler: Handler): Promise<ListenResult> {
  if (await isAnswered(path))
    return { kind: 'failed', cause: Object.assign(new Error('in use'), { code: 'EADDRINUSE' }) };
  rmSync(path, { force: true });
  return listen(createHttpServer(handler), { path });
}

/**
 * Listens on TCP. A port in use is a result, not an error. Every user of the machine can connect, so connections
 * beyond `MAX_TCP_CONNECTIONS` are closed, because hooks on the unix socket need file descriptors too.
 */
export function listenOnTcp(
  address: { host: string; port: number },
  handler: Handler,
): Promise<ListenResult> {
  const server = createHttpServer(handler);
  server.maxConnections = MAX_TCP_CONNECTIONS;
  return listen(server, address);
}

function createHttpServer(handler: Handler): Server {
  return createServer(
    { keepAliveTimeout: 60_000, headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16_384 },
    handler,
  );
}

function listen(
  server: Server,
  address: { path: string } | { host: string; port: number },
): Promise<ListenResult> {
  return new Promise((resolve) => {
    server.once('error', (cause: NodeJS.ErrnoException) => resolve({ kind: 'failed', cause }));
    server.listen({ ...address, exclusive: true }, () => {
      server.removeAllListeners('error');
      server.on('error', () => server.close());
      const bound = server.address();
      const port = typeof bound === 'object' && bound !== null ? bound.port : null;
      resolve({
        kind: 'listening',
        port,
        listener: { close: ({ graceMs }) => closeServer(server, graceMs) },
      });
    });
  });
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** The socket file of a dead process refuses connections. If it accepts them, another process owns it. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
