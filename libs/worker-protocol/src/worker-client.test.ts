import { describe, expect, expectTypeOf, it } from 'vitest';
import { createWorkerClient, type ObservationDetail, type WorkerRequest } from './index.js';

type Sent = Parameters<WorkerRequest>[0];

function clientAnswering(status: number, body: unknown) {
  const sent: Sent[] = [];
  const client = createWorkerClient({
    request: async (request) => {
      sent.push(request);
      return { status, body };
    },
  });
  return { client, sent };
}

describe('createWorkerClient', () => {
  it('builds path and query from the input', async () => {
    const { client, sent } = clientAnswering(200, { items: [], nextCursor: null });
    await client.getSessionStatus({ params: { id: 7 } });
    await client.search({ query: { query: 'a & b', limit: 3 } });
    await client.listPrompts();
    expect(sent).toEqual([
      { method: 'GET', path: '/api/sessions/7/status' },
      { method: 'GET', path: '/api/search?query=a+%26+b&limit=3' },
      { method: 'GET', path: '/api/prompts' },
    ]);
  });

  it('passes on the abort signal', async () => {
    const { client, sent } = clientAnswering(200, { items: [], nextCursor: null });
    const { signal } = new AbortController();
    await client.listPrompts({}, { signal });
    expect(sent[0]?.signal).toBe(signal);
  });

  it('sends the body of a write', async () => {
    const { client, sent } = clientAnswering(200, { changed: 2 });
    await expect(client.retryMessages({ body: { status: 'parked' } })).resolves.toEqual({ changed: 2 });
    expect(sent[0]?.body).toEqual({ status: 'parked' });
  });

  it('throws the code and message when the worker refuses a request', async () => {
    const { client } = clientAnswering(404, {
      error: { code: 'worker/not-found', message: 'No session 7.' },
    });
    await expect(client.getSession({ params: { id: 7 } })).rejects.toMatchObject({
      code: 'worker-client/refused',
      message: 'No session 7.',
      data: { status: 404, workerCode: 'worker/not-found' },
    });
  });

  it('reports a worker that is not ready separately from a refusal', async () => {
    const { client } = clientAnswering(503, { error: { code: 'worker/not-ready', message: 'Starting.' } });
    await expect(client.stats()).rejects.toMatchObject({ code: 'worker-client/not-ready' });
  });

  it('reports a program on the port that is not a worker', async () => {
    const { client } = clientAnswering(404, '<html>');
    await expect(client.stats()).rejects.toMatchObject({ code: 'worker-client/bad-reply' });
  });

  it('takes its types from the route table', () => {
    const { client } = clientAnswering(200, {});
    expectTypeOf(client.getObservation).returns.resolves.toEqualTypeOf<ObservationDetail>();
    expectTypeOf(client.getObservation).parameter(0).toMatchTypeOf<{ params: { id: number } }>();
    expectTypeOf(client.stats).parameters.toMatchTypeOf<[input?: object, options?: object]>();
    expectTypeOf(client).not.toHaveProperty('stream');
    expectTypeOf(client).not.toHaveProperty('hook');
  });
});
