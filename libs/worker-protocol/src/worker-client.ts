import type * as Type from 'typebox';
import { ROUTES, type RouteName, type Routes } from './routes.js';
import type { Route } from './route.js';
import { WorkerClientError } from './worker-client-error.js';

/** Sends one request. `path` includes the query. Rejects only when no answer arrives. */
export type WorkerRequest = (request: {
  method: string;
  path: string;
  body?: unknown;
  signal?: AbortSignal;
}) => Promise<{ status: number; body: unknown }>;

type StaticOf<Schema> = Schema extends Type.TSchema ? Type.Static<Schema> : never;
type Part<R, Name extends 'params' | 'query' | 'body'> = R extends { [Key in Name]: infer Schema }
  ? Record<never, never> extends StaticOf<Schema>
    ? { [Key in Name]?: StaticOf<Schema> }
    : { [Key in Name]: StaticOf<Schema> }
  : Record<never, never>;

/** The input of a route. */
export type RouteInput<Name extends RouteName> = Part<Routes[Name], 'params'> &
  Part<Routes[Name], 'query'> &
  Part<Routes[Name], 'body'>;
/** The response of a route. */
export type RouteReply<Name extends RouteName> = StaticOf<Routes[Name]['reply']>;

type JsonRouteName = {
  [Name in RouteName]: Routes[Name]['reply'] extends string ? never : Name;
}[RouteName];

interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** One method per JSON route. Each rejects with WorkerClientError when the worker refuses the request. */
export type WorkerClient = {
  [Name in JsonRouteName]: (
    ...input: Record<never, never> extends RouteInput<Name>
      ? [input?: RouteInput<Name>, options?: CallOptions]
      : [input: RouteInput<Name>, options?: CallOptions]
  ) => Promise<RouteReply<Name>>;
};

/** Creates typed methods for all JSON routes. The caller provides the transport (socket or fetch). */
export function createWorkerClient({ request }: { request: WorkerRequest }): WorkerClient {
  const calls = Object.entries(ROUTES as Record<string, Route>)
    .filter(([, route]) => typeof route.reply !== 'string')
    .map(([name, route]) => [
      name,
      (input: CallInput = {}, options: CallOptions = {}) => call(request, route, { ...input, ...options }),
    ]);
  return Object.fromEntries(calls) as WorkerClient;
}

interface CallInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

async function call(
  request: WorkerRequest,
  route: Route,
  { params = {}, query = {}, body, signal }: CallInput & CallOptions,
) {
  const path = `${fillPath(route.path, params)}${queryText(query)}`;
  const reply = await request({
    method: route.method,
    path,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (reply.status >= 200 && reply.status < 300) return reply.body;
  throw refusal(route, reply);
}

function fillPath(path: string, params: Record<string, unknown>): string {
  return path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function queryText(query: Record<string, unknown>): string {
  const search = new globalThis.URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) {
      for (const item of value) search.append(name, String(item));
      // A single value would be split at its commas.
      if (value.length === 1) search.append(name, '');
    } else if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

function refusal(route: Route, { status, body }: { status: number; body: unknown }): WorkerClientError {
  const error = isErrorReply(body) ? body.error : null;
  const data = { status, workerCode: error?.code ?? null, details: error?.details ?? null };
  if (error === null) {
    const message = `${route.method} ${route.path} was answered with status ${status} by something that is not a worker`;
    return new WorkerClientError('worker-client/bad-reply', message, { data });
  }
  const code = status === 503 ? 'worker-client/not-ready' : 'worker-client/refused';
  return new WorkerClientError(code, error.message, { data });
}

function isErrorReply(
  body: unknown,
): body is { error: { code: string; message: string; details?: unknown } } {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null | undefined)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string';
}
