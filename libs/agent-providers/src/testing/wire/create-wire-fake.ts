import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  ReadRequest,
  WireDialect,
  WireErrorKind,
  WireStop,
  WireUsage,
  WrittenReply,
} from './wire-dialect.js';

/** The reaction of the fake to one request. */
export type WireAnswer =
  | {
      kind: 'reply';
      text: string;
      usage?: WireUsage;
      stop?: WireStop;
      /** The model that the vendor reports instead of the requested one. */
      model?: string;
      /** Closes the connection after this number of chunks. */
      resetAfterChunks?: number;
      /** Stops after this number of chunks and keeps the connection open. */
      stallAfterChunks?: number;
      /** Ends the response after this number of chunks, so the end of the reply is missing. */
      endAfterChunks?: number;
      /** Reports a failure after this number of chunks, and ends. */
      errorAfterChunks?: { chunks: number; errorKind: WireErrorKind; message: string };
      /** Sends the bytes in parts of this size, also in the middle of a character. */
      pieceBytes?: number;
      delayMs?: number;
    }
  | {
      kind: 'error';
      status: number;
      errorKind: WireErrorKind;
      message?: string;
      retryAfterSeconds?: number;
      headers?: Record<string, string>;
    }
  /** A page of a proxy or gateway. */
  | { kind: 'html'; status: number; headers?: Record<string, string> }
  /** Never answers. */
  | { kind: 'hang' }
  /** Closes the connection before the answer. */
  | { kind: 'reset' }
  | { kind: 'hollow' }
  | { kind: 'raw'; status: number; headers: Record<string, string>; body: string };

export interface WireRequest extends ReadRequest {
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The raw body. */
  raw: Buffer;
  body: unknown;
  /** The fake has sent all data that is due and waits. */
  silent: Promise<void>;
  /** `answered`: the response was completed. `cut`: the connection ended first. */
  ended: Promise<'answered' | 'cut'>;
}

export interface WireFakeOptions {
  dialect: WireDialect;
  answer: (request: WireRequest) => WireAnswer | Promise<WireAnswer>;
}

export interface WireFake extends AsyncDisposable {
  /** Without a path and without a trailing slash. */
  readonly url: string;
  /** All model calls, oldest first. */
  readonly requests: readonly WireRequest[];
  /** Number of requests with an open connection and an incomplete response. */
  inFlight(): number;
}

const DEFAULT_USAGE: WireUsage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0 };

/** A model vendor on the loopback interface with real HTTP and real sockets. `answer` defines its responses. */
export async function createWireFake({ dialect, answer }: WireFakeOptions): Promise<WireFake> {
  const requests: WireRequest[] = [];
  let inFlight = 0;

  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch(() => response.destroy());
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    inFlight += 1;
    const ended = new Promise<'answered' | 'cut'>((resolve) =>
      response.once('close', () => {
        inFlight -= 1;
        resolve(response.writableFinished ? 'answered' : 'cut');
      }),
    );
    const raw = await bodyOf(incoming);
    if (incoming.method !== 'POST') return void response.writeHead(200).end();
    const [path, headers, body] = [incoming.url ?? '/', headersOf(incoming), parsed(raw)];
    const read = dialect.readRequest({ path, headers, body });
    let fallSilent = () => {};
    const silent = new Promise<void>((resolve) => (fallSilent = resolve));
    const request = { ...read, path, headers, raw, body, silent, ended };
    requests.push(request);
    await send(await answer(request), request, response);
    fallSilent();
  }

  async function send(given: WireAnswer, request: WireRequest, response: ServerResponse): Promise<void> {
    switch (given.kind) {
      case 'hang':
        return;
      case 'reset':
        return void response.destroy();
      case 'html':
        response.writeHead(given.status, { 'content-type': 'text/html', ...given.headers });
        return void response.end(pageOf(given.status));
      case 'raw':
        response.writeHead(given.status, given.headers);
        return void response.end(given.body);
      case 'error': {
        const { errorKind, message = `fake ${given.errorKind}`, retryAfterSeconds } = given;
        const written = dialect.writeError({
          status: given.status,
          kind: errorKind,
          message,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        });
        response.writeHead(written.status, { ...written.headers, ...given.headers });
        return void response.end(written.body);
      }
      case 'hollow':
        return stream(dialect.writeHollowReply(), {}, response);
      case 'reply': {
        const { text, usage = DEFAULT_USAGE, stop = 'end', model = request.model } = given;
        if (given.delayMs !== undefined) await later(given.delayMs);
        return stream(dialect.writeReply({ text, usage, stop, model }), given, response);
      }
    }
  }

  type Faults = Omit<Extract<WireAnswer, { kind: 'reply' }>, 'kind' | 'text'>;

  async function stream(written: WrittenReply, faults: Faults, response: ServerResponse): Promise<void> {
    const { resetAfterChunks, stallAfterChunks, endAfterChunks, errorAfterChunks, pieceBytes } = faults;
    const stopAfter = resetAfterChunks ?? stallAfterChunks ?? endAfterChunks ?? errorAfterChunks?.chunks;
    if (stopAfter !== undefined && stopAfter >= written.chunks.length)
      throw new Error(`${dialect.name} writes only ${written.chunks.length} chunks`);
    response.writeHead(written.status, written.headers);
    for (const chunk of written.chunks.slice(0, stopAfter)) await write(response, chunk, pieceBytes);
    if (stallAfterChunks !== undefined) return;
    if (resetAfterChunks !== undefined) return void response.destroy();
    if (errorAfterChunks) {
      const { errorKind, message } = errorAfterChunks;
      await write(response, dialect.writeErrorEvent({ kind: errorKind, message }));
    }
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    inFlight: () => inFlight,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
}

function parsed(raw: Buffer): unknown {
  const text = raw.toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Waits until the bytes are sent, so that a following close comes after them. */
async function write(response: ServerResponse, text: string, pieceBytes?: number): Promise<void> {
  const bytes = Buffer.from(text);
  const size = pieceBytes ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    if (response.destroyed) return;
    // A client in another process may receive bytes so fast that no other work of this process runs.
    await new Promise<void>((resolve) =>
      response.write(bytes.subarray(at, at + size), () => setImmediate(resolve)),
    );
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const pageOf = (status: number) =>
  `<!DOCTYPE html>\n<html><head><title>${status} from the gateway</title></head><body><h1>${status}</h1><p>cloud edge</p></body></html>\n`;
