import { Transform } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/** The requests of a connection that have no response yet. */
export interface RequestTracker {
  /** The transport with its requests and responses counted. */
  track(inner: Transport): Transport;
  /** Passes the input on. Ends when the input has ended and every request has its response, at most `withinMs` later. */
  delayEnd(withinMs: number): Transform;
}

/** Lets a server respond to requests that arrived right before the end of its input. */
export function createRequestTracker(): RequestTracker {
  const open = new Set<string | number>();
  let onAllClosed = () => {};
  const close = (id: unknown) => {
    open.delete(id as string | number);
    if (open.size === 0) onAllClosed();
  };
  const received = (message: JSONRPCMessage) => {
    if (!('method' in message)) return;
    // a subscription gets its response only when the connection ends
    if (message.method === 'subscriptions/listen') return;
    if ('id' in message) open.add(message.id);
    // a cancelled request gets no response
    else if (message.method === 'notifications/cancelled') close(message.params?.['requestId']);
  };

  return {
    track(inner) {
      const outer: Transport = {
        start: () => inner.start(),
        close: () => inner.close(),
        async send(message, options) {
          try {
            await inner.send(message, options);
          } finally {
            if (!('method' in message) && 'id' in message) close(message.id);
          }
        },
      };
      inner.onmessage = (message, extra) => {
        received(message);
        outer.onmessage?.(message, extra);
      };
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onclose = () => outer.onclose?.();
      return outer;
    },
    delayEnd: (withinMs) =>
      new Transform({
        transform: (chunk, _encoding, done) => done(null, chunk),
        flush(done) {
          // the reader takes the last chunk before this callback runs
          setImmediate(() => {
            if (open.size === 0) return done();
            const timer = setTimeout(() => onAllClosed(), withinMs);
            onAllClosed = () => {
              onAllClosed = () => {};
              clearTimeout(timer);
              done();
            };
          });
        },
      }),
  };
}
