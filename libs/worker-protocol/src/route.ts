import type * as Type from 'typebox';

/**
 * The required permission over TCP. On the unix socket every route is allowed, because its folder is private. `open`:
 * any local caller. `token`: a caller with the token. `admin`: a caller with the token on this machine.
 */
export type RouteAuth = 'open' | 'token' | 'admin';

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:name` marks a parameter. */
  path: string;
  auth: RouteAuth;
  /** One line for the API reference. */
  description: string;
  params?: Type.TSchema;
  query?: Type.TSchema;
  body?: Type.TSchema;
  /** Schema of the JSON response. `text` and `stream` responses are not JSON. */
  reply: Type.TSchema | 'text' | 'stream';
}
