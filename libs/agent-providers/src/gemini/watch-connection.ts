import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord } from '@claude-mem/core';

export interface WatchedConnection extends Disposable {
  /** Aborts before anything is sent to another host. */
  readonly strayed: AbortSignal;
  /** Why the host could not be reached. Null when it was reached or no connection was tried. */
  readonly error: unknown;
}

/**
 * Watches the connections of a request. The SDK uses the global `fetch`, which follows redirects to other hosts with
 * the key, and it hides the cause of a failure. The cause matters: a request that was never sent costs nothing. The
 * error stays null when the runtime reports no connections.
 */
export function watchConnection(host: string, apiKey: string): WatchedConnection {
  let error: unknown = null;
  const strayed = new AbortController();
  const check = (message: unknown) => {
    const { request } = isRecord(message) ? message : {};
    if (!isRecord(request) || !Array.isArray(request.headers) || !request.headers.includes(apiKey)) return;
    if (new URL(String(request.origin)).host !== host) strayed.abort();
  };
  const notice = (message: unknown) => {
    const { connectParams, error: reason } = isRecord(message) ? message : {};
    if (isRecord(connectParams) && connectParams.host === host) error = reason;
  };
  subscribe(REQUEST, check);
  subscribe(CONNECT_ERROR, notice);
  return {
    strayed: strayed.signal,
    get error() {
      return error;
    },
    [Symbol.dispose]() {
      unsubscribe(REQUEST, check);
      unsubscribe(CONNECT_ERROR, notice);
    },
  };
}

const REQUEST = 'undici:request:create';
const CONNECT_ERROR = 'undici:client:connectError';
