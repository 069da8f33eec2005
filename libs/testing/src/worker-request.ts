import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';

export interface WorkerAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The body as JSON, or undefined if it is not valid JSON. */
  json: unknown;
}

export interface RequestOptions {
  method?: string;
  path: string;
  /** Strings and bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** @default 10000 */
  timeoutMs?: number;
}

/** Address of a worker: the data folder of its socket, or its TCP port. The socket is used if both are present. */
export type WorkerAddress = { dataDir: string } | { port: number };

/** Sends a request to a worker over a new connection. Rejects when there is no response in time. */
export function requestWorker(address: WorkerAddress, options: RequestOptions): Promise<WorkerAnswer> {
  const { method = 'GET', body, timeoutMs = 10_000 } = options;
  const bytes = body === undefined ? null : encode(body);
  const target =
    'dataDir' in address
      ? { socketPath: socketOf(address.dataDir) }
      : { host: '127.0.0.1', port: address.port };
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...target,
        method,
        path: options.path,
        agent: false,
        timeout: timeoutMs,
        headers: {
          ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
          ...options.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
        });
      },
    );
    call.once('timeout', () =>
      call.destroy(new Error(`no answer to ${options.path} within ${timeoutMs} ms`)),
    );
    call.once('error', reject);
    call.end(bytes ?? undefined);
  });
}

/**
 * Returns the path of the worker's socket: in the data folder, or from its pointer file if that path would be too
 * long.
 */
export function socketOf(dataDir: string): string {
  const pointer = path.join(dataDir, 'worker.sock.path');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : path.join(dataDir, 'worker.sock');
}

function encode(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body), 'utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
