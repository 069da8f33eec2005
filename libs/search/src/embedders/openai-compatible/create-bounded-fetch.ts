/** Larger than any response for 64 texts. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Headers that the package may send. Other headers can only come from the environment. */
const OWN_HEADERS = /^(?:accept|content-type|content-length|user-agent|x-stainless-.*)$/i;

/**
 * Creates a `fetch` for the package. It sends the key only to the configured address, sends nothing from the
 * environment, and aborts responses that are too large.
 */
export function createBoundedFetch({ authorization }: { authorization: string | null }): typeof fetch {
  return async (input, init) => {
    const headers = new Headers();
    new Headers(init?.headers).forEach((value, name) => {
      if (OWN_HEADERS.test(name)) headers.set(name, value);
    });
    if (authorization !== null) headers.set('authorization', authorization);
    const response = await fetch(input, { ...init, headers, redirect: 'manual' });
    const { body, status, statusText } = response;
    if (body === null) return response;
    let left = MAX_ANSWER_BYTES;
    const bounded = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          left -= bytes.length;
          if (left < 0) throw new SyntaxError('more than any answer holds');
          controller.enqueue(bytes);
        },
      }),
    );
    return new Response(bounded, { status, statusText, headers: response.headers });
  };
}
