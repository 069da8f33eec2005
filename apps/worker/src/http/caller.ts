import type { IncomingMessage } from 'node:http';

/** What the gate found out about who is asking. */
export interface Caller {
  /** True with the token or a viewer's cookie, or on the unix socket. */
  isTrusted: boolean;
  /** True when the other end is a process of this machine. */
  isLocal: boolean;
  /** True when nothing but a viewer's cookie makes it trusted. */
  isViewer: boolean;
}

const callers = new WeakMap<IncomingMessage, Caller>();

/** A request that went through no gate was made inside this process. */
const INSIDE: Caller = { isTrusted: true, isLocal: true, isViewer: false };

export function setCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: IncomingMessage): Caller {
  return callers.get(request) ?? INSIDE;
}
