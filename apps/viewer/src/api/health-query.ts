import { queryOptions } from '@tanstack/react-query';
import { worker } from './worker.js';

/** All that the worker says about itself; pages that watch it add how often it is asked for. */
export const healthQuery = queryOptions({
  queryKey: ['healthDetail', {}],
  queryFn: () => worker.healthDetail(),
  staleTime: 2_000,
});
