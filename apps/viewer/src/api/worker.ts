import { createWorkerClient } from '@claude-mem/worker-protocol';

/**
 * Client of the worker that served this page. Rejects with `WorkerClientError` when the worker rejects the request
 * (`data.status` 401: not signed in), and with `TypeError` when the worker is not reachable.
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
