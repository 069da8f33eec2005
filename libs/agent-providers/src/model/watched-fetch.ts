export interface WatchedFetchOptions {
  /** Called for each piece of the answer, whatever it says: keep-alive comments are signs of life too. */
  alive: () => void;
  /** Headers that are set last: what a vendor's package took from the environment cannot win over them. */
  headers: Readonly<Record<string, string>>;
}

/** Headers that a vendor's package may send; others can only come from the environment. */
const OWN_HEADERS =
  /^(?:accept|content-type|content-length|user-agent|anthropic-version|http-referer|x-title|x-stainless-.*)$/i;

/** `fetch` for a vendor's package: sends only headers that we know of, and tells when bytes arrive. */
export function createWatchedFetch({ alive, headers }: WatchedFetchOptions): typeof fetch {
  return async (input, init) => {
    const sent = new Headers();
    new Headers(init?.headers).forEach((value, name) => {
      if (OWN_HEADERS.test(name)) sent.set(name, value);
    });
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const response = await fetch(input, { ...init, headers: sent });
    alive();
    if (!response.body) return response;
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          alive();
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
