import { queryOptions } from '@tanstack/react-query';
import { worker } from './worker.js';

/** Requests the health report of the worker. Pages that monitor the worker add a refetch interval. */
export const healthQuery = queryOptions({
  queryKey: ['healthDetail', {}],
  queryFn: () => worker.healthDetail(),
  staleTime: 2_000,
});
