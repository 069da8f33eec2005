export interface WatchedFetchOptions {
  /**
   * Called for each part of the body, because keep-alive comments are activity too. The response headers are not:
   * some servers send them before they read the prompt.
   */
  alive: () => void;
  /** Headers that override all others, such as those that the SDK took from the environment. */
  headers: Readonly<Record<string, string>>;
}

/** SDKs buffer a line without an end and a body that is not a stream, so the body is limited. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Headers that an SDK may send. Other headers can only come from the environment. */
const OWN_HEADERS =
  /^(?:accept|content-type|content-length|user-agent|anthropic-version|http-referer|x-title|x-stainless-.*)$/i;

/**
 * Creates a `fetch` for an SDK. It sends only known headers, only to the given host, reports when bytes arrive, and
 * aborts an answer without an end.
 */
export function createWatchedFetch({ alive, headers }: WatchedFetchOptions): typeof fetch {
  return async (input, init) => {
    const sent = new Headers();
    new Headers(init?.headers).forEach((value, name) => {
      if (OWN_HEADERS.test(name)) sent.set(name, value);
    });
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const response = await fetch(input, { ...init, headers: sent, redirect: 'manual' });
    if (!response.body) return response;
    let left = MAX_ANSWER_BYTES;
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          alive();
          left -= bytes.length;
          if (left < 0) throw new SyntaxError('more than any answer holds');
          controller.enqueue(bytes);
        },
      }),
    );
    return new Response(watched, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}
