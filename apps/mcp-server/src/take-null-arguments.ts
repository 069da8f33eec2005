import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/** The transport, where a call may say by null that it has no arguments: the protocol's library wants them left out. */
export function takeNullArguments(inner: Transport): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    send: (message, options) => inner.send(message, options),
  };
  inner.onmessage = (message, extra) => outer.onmessage?.(withoutNull(message), extra);
  inner.onerror = (error) => outer.onerror?.(error);
  inner.onclose = () => outer.onclose?.();
  return outer;
}

function withoutNull(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'tools/call' || message.params?.['arguments'] !== null)
    return message;
  const { arguments: _, ...params } = message.params;
  return { ...message, params };
}
