import { WorkerClientError } from '@claude-mem/worker-protocol';
import { QueryClient } from '@tanstack/react-query';

/** Answers stay fresh until the stream or a change made here says otherwise; a refusal is not asked for again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // the worker is on this machine: no network is no reason to wait
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      gcTime: 120_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => !isRefusal(error) && failures < 3,
    },
  },
});

function isRefusal(error: unknown): boolean {
  return error instanceof WorkerClientError && error.code === 'worker-client/refused';
}

/** True when the worker answered that this browser is not signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof WorkerClientError && error.data?.['status'] === 401;
}

/** True when the worker has no such record, any more or at all. */
export function isMissing(error: unknown): boolean {
  return error instanceof WorkerClientError && error.data?.['status'] === 404;
}
