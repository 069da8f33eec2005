import type { IncomingMessage } from 'node:http';

/** The identity of a caller, as the gate determined it. */
export interface Caller {
  /** True with the token, a viewer cookie, or a connection over the unix socket. */
  isTrusted: boolean;
  /** True when the other end is a process of this machine. */
  isLocal: boolean;
  /** True when only a viewer cookie makes the caller trusted. */
  isViewer: boolean;
}

const callers = new WeakMap<IncomingMessage, Caller>();

/** A request without a gate was made inside this process. */
const INSIDE: Caller = { isTrusted: true, isLocal: true, isViewer: false };

export function setCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: IncomingMessage): Caller {
  return callers.get(request) ?? INSIDE;
}
