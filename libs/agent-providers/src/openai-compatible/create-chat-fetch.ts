import { createWatchedFetch, type WatchedFetchOptions } from '../model/watched-fetch.js';
import { splitEvents } from './split-events.js';

/** An answer that is no reply: what the server said instead, in full. */
export interface ChatRefusal {
  status: number;
  headers: Headers;
  text: string;
}

export interface ChatFetchOptions extends WatchedFetchOptions {
  /** Called before the package sees such an answer: it keeps only the `error` field of it. */
  onRefusal: (refusal: ChatRefusal) => void;
}

/** The `fetch` that an OpenAI client is given for one call. */
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

/** A server that does not stream answers whole: a stream of one chunk. */
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
