import { queryOptions } from '@tanstack/react-query';
import { worker } from './worker.js';

/** Requests the number of stored records. */
export const statsQuery = queryOptions({
  queryKey: ['stats', {}],
  queryFn: ({ signal }) => worker.stats({}, { signal }),
});
