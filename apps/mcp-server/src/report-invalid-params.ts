import { isRecord } from '@claude-mem/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;

/** The transport with the code and a text for invalid parameters. The library of the protocol responds with an internal error and JSON. */
export function reportInvalidParams(inner: Transport): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    send: (message, options) => inner.send(withInvalidParams(message), options),
  };
  inner.onmessage = (message, extra) => outer.onmessage?.(message, extra);
  inner.onerror = (error) => outer.onerror?.(error);
  inner.onclose = () => outer.onclose?.();
  return outer;
}

function withInvalidParams(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== INTERNAL_ERROR) return message;
  const problems = readProblems(message.error.message);
  if (problems.length === 0) return message;
  return {
    ...message,
    error: { code: INVALID_PARAMS, message: `Invalid parameters: ${problems.join('; ')}` },
  };
}

/** The problems of the schema library, when all are about parameters. */
function readProblems(text: string): readonly string[] {
  if (!text.startsWith('[')) return [];
  try {
    const issues: unknown = JSON.parse(text);
    if (!Array.isArray(issues)) return [];
    const problems = issues.map((issue: unknown) =>
      isRecord(issue) && Array.isArray(issue['path']) && issue['path'][0] === 'params'
        ? `${issue['path'].join('.')}: ${String(issue['message'])}`
        : null,
    );
    return problems.every((problem) => problem !== null) ? problems : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
