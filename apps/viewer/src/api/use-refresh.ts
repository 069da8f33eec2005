import type { StreamEvent } from '@claude-mem/worker-protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { throttled } from './throttled.js';
import { useStreamEvent } from './use-stream.js';

const MIN_INTERVAL_MS = 2_000;

/** Refetches responses of `route` after events that `concerns` accepts: immediately, then at most every two seconds. */
export function useRefresh(route: string, concerns: (event: StreamEvent) => boolean): void {
  const client = useQueryClient();
  const refresh = useMemo(
    () => throttled(() => void client.invalidateQueries({ queryKey: [route] }), everyMs),
    [client, route],
  );
  useEffect(() => () => refresh.stop(), [refresh]);
  useStreamEvent((event) => {
    if (event.type === 'stream-reset' || concerns(event)) refresh.call();
  });
}

const everyMs = () => MIN_INTERVAL_MS;
