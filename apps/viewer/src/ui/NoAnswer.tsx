import type { UseQueryResult } from '@tanstack/react-query';
import { Failure } from './Failure.js';
import { Loading } from './Loading.js';

/** In the place of an answer: it is on its way, or why there is none. */
export function NoAnswer({
  query: { error, refetch },
}: {
  query: Pick<UseQueryResult, 'error'> & { refetch: () => unknown };
}) {
  return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
}
