import type { LogQuery } from '@claude-mem/worker-protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';
import { firstWindow, withNewer, withOlder, type LogWindow } from './log-window.js';

export type LogFilter = Pick<LogQuery, 'date' | 'level' | 'text'>;

/** Loads a log. Follows it while `isLive` is true. `older` loads earlier lines. */
export function useLog(filter: LogFilter, { isLive }: { isLive: boolean }) {
  const client = useQueryClient();
  const queryKey = ['logs', filter] as const;
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const reload = async () => firstWindow(await worker.logs({ query: { ...filter, limit: PAGE_LINES } }));
      const known = client.getQueryData<LogWindow>(queryKey);
      if (known === undefined || known.hasNewer) return reload();
      const reply = await worker.logs({ query: { ...filter, after: known.end, limit: MAX_PER_REQUEST } });
      // a new day has started, or the file was emptied
      if (reply.date !== known.date || reply.end < known.end) return reload();
      // older lines may have been loaded during the request
      return withNewer(client.getQueryData<LogWindow>(queryKey) ?? known, reply);
    },
    refetchInterval: isLive ? FOLLOW_MS : false,
    refetchOnWindowFocus: isLive,
    staleTime: isLive ? 0 : Infinity,
    // a log uses much memory, so it is removed soon after the filter has changed
    gcTime: 5_000,
    structuralSharing: false,
  });
  const older = useMutation({
    mutationFn: async () => {
      const known = client.getQueryData<LogWindow>(queryKey);
      if (known?.olderCursor == null) return;
      const cursor = known.olderCursor;
      const reply = await worker.logs({
        query: { ...filter, date: known.date, cursor, limit: MAX_PER_REQUEST },
      });
      client.setQueryData<LogWindow>(queryKey, (window) => window && withOlder(window, cursor, reply));
    },
  });
  return {
    query,
    older,
    readNewest: () => client.resetQueries({ queryKey, exact: true }),
  };
}

const FOLLOW_MS = 2_000;
const PAGE_LINES = 200;
const MAX_PER_REQUEST = 500;
