import { waitFor, type WorkerProcess } from '@claude-mem/testing';

/** Returns the number of texts without a vector. */
export async function countWaiting(worker: WorkerProcess): Promise<number> {
  const { json } = await worker.request({ path: '/api/reindex' });
  return (json as { vectors: { waiting: number } }).vectors.waiting;
}

/** Starts the embedding of all new texts and waits until some of them have a vector. */
export async function waitForFirstVectors(worker: WorkerProcess): Promise<void> {
  await worker.request({ method: 'POST', path: '/api/reindex', body: { part: 'missing' } });
  const all = await countWaiting(worker);
  await waitFor(async () => (await countWaiting(worker)) < all, { what: 'the first vectors' });
}
