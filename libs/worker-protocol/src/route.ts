import type * as Type from 'typebox';

/**
 * Who may call, over TCP (on the unix socket every route is open, its folder is the key):
 * `open` anyone local; `token` whoever has the token; `admin` the token and from this machine.
 */
export type RouteAuth = 'open' | 'token' | 'admin';

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:name` marks a parameter. */
  path: string;
  auth: RouteAuth;
  /** One line for the reference. */
  description: string;
  params?: Type.TSchema;
  query?: Type.TSchema;
  body?: Type.TSchema;
  /** Schema of the JSON answer; `text` and `stream` are not JSON. */
  reply: Type.TSchema | 'text' | 'stream';
}
