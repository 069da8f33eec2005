import type { UseQueryResult } from '@tanstack/react-query';
import { Failure } from './Failure.js';
import { Loading } from './Loading.js';

/** Shown while data is missing: a loading indicator or the error. */
export function NoAnswer({
  query: { error, refetch },
}: {
  query: Pick<UseQueryResult, 'error'> & { refetch: () => unknown };
}) {
  return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
}
