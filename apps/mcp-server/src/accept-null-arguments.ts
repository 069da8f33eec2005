import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/** Wraps the transport and accepts `arguments: null`, which the protocol library rejects. */
export function acceptNullArguments(inner: Transport): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    send: (message, options) => inner.send(message, options),
  };
  inner.onmessage = (message, extra) => outer.onmessage?.(removeNullArguments(message), extra);
  inner.onerror = (error) => outer.onerror?.(error);
  inner.onclose = () => outer.onclose?.();
  return outer;
}

function removeNullArguments(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'tools/call' || message.params?.['arguments'] !== null)
    return message;
  const { arguments: _, ...params } = message.params;
  return { ...message, params };
}
