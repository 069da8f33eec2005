import type { ForgetRequest } from '@claude-mem/worker-protocol';
import { queryOptions } from '@tanstack/react-query';
import { worker } from '../api/worker.js';

/** Requests the number of records that would be forgotten. */
export function forgetPreview(request: ForgetRequest) {
  const body = { ...request, dryRun: true };
  return queryOptions({
    queryKey: ['forget', body],
    queryFn: () => worker.forget({ body }),
    staleTime: 0,
    gcTime: 0,
  });
}
