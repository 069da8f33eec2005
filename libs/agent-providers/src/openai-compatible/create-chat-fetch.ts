import { createWatchedFetch, type WatchedFetchOptions } from '../model/watched-fetch.js';
import { splitEvents } from './split-events.js';

/** A response that is not a chat reply, with its complete body. */
export interface ChatRefusal {
  status: number;
  headers: Headers;
  text: string;
}

export interface ChatFetchOptions extends WatchedFetchOptions {
  /** Called before the SDK reads such a response, because the SDK keeps only its `error` field. */
  onRefusal: (refusal: ChatRefusal) => void;
}

/** Creates the `fetch` of an OpenAI client for one call. */
export function createChatFetch({ onRefusal, ...watching }: ChatFetchOptions): typeof fetch {
  const watchedFetch = createWatchedFetch(watching);
  return async (input, init) => {
    const response = await watchedFetch(input, init);
    const { ok, status, headers } = response;
    if (ok && !/json|html/i.test(headers.get('content-type') ?? ''))
      return new Response(response.body?.pipeThrough(splitEvents()) ?? null, { status, headers });
    const text = await response.text();
    if (ok && isJson(text)) return asStream(text);
    onRefusal({ status, headers, text });
    return new Response(text, { status: ok ? 502 : status });
  };
}

/** A server without streaming sends the complete answer, which becomes a stream of one chunk. */
function asStream(json: string): Response {
  return new Response(`data: ${JSON.stringify(JSON.parse(json))}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
