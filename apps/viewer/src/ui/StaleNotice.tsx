import { messageOf } from '@claude-mem/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { isSignedOut } from '../api/query-client.js';
import { useStreamState, useWorkerReturn } from '../api/use-stream.js';
import { Command } from './Command.js';
import { Moment } from './Moment.js';

/** Reports that the shown data is not updated any more, and its time. Refetches when the worker is reachable again. */
export function StaleNotice({
  query: { data, error, failureReason, dataUpdatedAt, refetch },
}: {
  query: Pick<UseQueryResult, 'data' | 'error' | 'failureReason' | 'dataUpdatedAt'> & {
    refetch: () => unknown;
  };
}) {
  const stream = useStreamState();
  useWorkerReturn(() => void refetch());

  const reason = error ?? failureReason;
  if (data === undefined || (reason === null && stream !== 'away')) return null;
  return (
    <p className="notice small" role="status">
      <CloudOff aria-hidden size={16} />
      <span>
        {isSignedOut(reason) ? (
          <>
            This browser is signed out. Run <Command>open</Command>
          </>
        ) : reason === null || reason instanceof TypeError ? (
          'The worker does not respond. This page updates again when the worker is back.'
        ) : (
          `Refresh failed: ${messageOf(reason)}`
        )}
        {dataUpdatedAt > 0 && (
          <>
            {' '}
            Data of <Moment epoch={dataUpdatedAt} hasDay={false} />.
          </>
        )}
      </span>
    </p>
  );
}
