import { createWorkerClient } from '@claude-mem/worker-protocol';

/**
 * The worker that served this page. Rejects with WorkerClientError when it refuses (`data.status` 401: this browser is not
 * signed in), with TypeError when it is away.
 */
export const worker = createWorkerClient({
  async request({ method, path, body, signal }) {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    return { status: response.status, body: readJson(text) };
  },
});

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
