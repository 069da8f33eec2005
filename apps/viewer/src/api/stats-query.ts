import { queryOptions } from '@tanstack/react-query';
import { worker } from './worker.js';

/** How much is stored. */
export const statsQuery = queryOptions({
  queryKey: ['stats', {}],
  queryFn: ({ signal }) => worker.stats({}, { signal }),
});
