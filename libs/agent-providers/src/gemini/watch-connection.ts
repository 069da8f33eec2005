import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord } from '@claude-mem/core';

export interface WatchedConnection extends Disposable {
  /** Why the host could not be reached, while this was open; null when it could, or nobody tried. */
  readonly error: unknown;
}

/**
 * The vendor's package calls the global `fetch` and drops why it failed. The difference counts: what was never sent costs
 * nothing. Where the runtime does not tell, the error stays null.
 */
export function watchConnection(host: string): WatchedConnection {
  let error: unknown = null;
  const notice = (message: unknown) => {
    const { connectParams, error: reason } = isRecord(message) ? message : {};
    if (isRecord(connectParams) && connectParams.host === host) error = reason;
  };
  subscribe(CONNECT_ERROR, notice);
  return {
    get error() {
      return error;
    },
    [Symbol.dispose]: () => void unsubscribe(CONNECT_ERROR, notice),
  };
}

const CONNECT_ERROR = 'undici:client:connectError';
