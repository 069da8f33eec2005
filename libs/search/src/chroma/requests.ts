import { SearchError } from '../search-error.js';
import { classifyChromaError } from './classify-error.js';
import type { Collections } from './collections.js';
import type { LoadChromaClient } from './connection.js';
import type { OutageGuard } from './outage-guard.js';

/** Runs requests within the limits of the guard, until they are closed. */
export interface Requests {
  run: OutageGuard['run'];
  /** Runs one write after the other. A failed write does not stop the next one. */
  write<Value>(work: () => Promise<Value>): Promise<Value>;
  close(): void;
}

export function createRequests(options: {
  guard: OutageGuard;
  collections: Pick<Collections, 'forget'>;
  loadClient: LoadChromaClient;
}): Requests {
  const { guard, collections, loadClient } = options;
  let isClosed = false;
  let loading: Promise<unknown> | undefined;
  let writes: Promise<unknown> = Promise.resolve();

  /**
   * The cached state of collections may be outdated: another process may have rebuilt the index, or the user may have
   * deleted the data.
   */
  const withCollections = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      const failure = classifyChromaError(error);
      if (failure === 'away') collections.forget();
      if (failure !== 'missing') throw error;
      collections.forget();
      return work();
    }
  };
  const run: OutageGuard['run'] = async (work, limits) => {
    // Imports before the time limit starts, because on a slow machine the first import takes longer. A connection
    // reports a failed import.
    if (!isClosed) await (loading ??= loadClient().catch(() => (loading = undefined)));
    if (isClosed) throw new SearchError('search/closed', 'the vector index is closed');
    return guard.run(() => withCollections(work), limits);
  };

  return {
    run,
    write(work) {
      const written = writes.then(() => run(work, { limitMs: WRITE_LIMIT_MS, asks: true }));
      writes = written.catch(() => {});
      return written;
    },
    close() {
      isClosed = true;
    },
  };
}

export const WRITE_LIMIT_MS = 30_000;
