import { WorkerClientError } from '@claude-mem/worker-protocol';
import { QueryClient } from '@tanstack/react-query';

/**
 * Responses stay fresh until the stream or a change on this page invalidates them. A rejected request is not
 * repeated.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    // the worker runs on this machine, so requests do not need a network
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      gcTime: 120_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => !isRejection(error) && failures < 3,
    },
  },
});

function isRejection(error: unknown): boolean {
  return error instanceof WorkerClientError && error.code === 'worker-client/refused';
}

/** Returns true when the worker responded that this browser is not signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof WorkerClientError && error.data?.['status'] === 401;
}

/** Returns true when the worker responded that the record does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof WorkerClientError && error.data?.['status'] === 404;
}
