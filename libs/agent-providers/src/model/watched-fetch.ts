export interface WatchedFetchOptions {
  /**
   * Called for each piece of the answer, whatever it says: keep-alive comments are signs of life too. Its head is none: some
   * servers send that before they begin to read the prompt.
   */
  alive: () => void;
  /** Headers that are set last: what a vendor's package took from the environment cannot win over them. */
  headers: Readonly<Record<string, string>>;
}

/** Vendors' packages keep a line that does not end, and a body that is no stream, as a whole. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Headers that a vendor's package may send; others can only come from the environment. */
const OWN_HEADERS =
  /^(?:accept|content-type|content-length|user-agent|anthropic-version|http-referer|x-title|x-stainless-.*)$/i;

/**
 * `fetch` for a vendor's package: sends only headers that we know of, and to no other place than it was told; tells when bytes
 * arrive, and ends an answer that does not.
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
