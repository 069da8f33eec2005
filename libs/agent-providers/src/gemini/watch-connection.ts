import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord } from '@claude-mem/core';

export interface WatchedConnection extends Disposable {
  /** Aborts when the request was about to go to another host, before anything is sent there. */
  readonly strayed: AbortSignal;
  /** Why the host could not be reached, while this was open; null when it could, or nobody tried. */
  readonly error: unknown;
}

/**
 * The vendor's package calls the global `fetch`, which follows an address that leads elsewhere with the key, and it drops why a
 * call failed. The difference counts: what was never sent costs nothing. Where the runtime does not tell, the error stays null.
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
