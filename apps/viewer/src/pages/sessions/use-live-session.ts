import { useQueryClient } from '@tanstack/react-query';
import { useRefresh } from '../../api/use-refresh.js';
import { useStreamEvent } from '../../api/use-stream.js';
import {
  ORDERS,
  latestSummaryQuery,
  sessionQuery,
  sessionRecordsQuery,
  withRecord,
  type SessionRecords,
} from './session-query.js';

/** Updates the data of a session when events of the session arrive. */
export function useLiveSession(id: number): void {
  const client = useQueryClient();
  const refetchAll = () => {
    for (const order of ORDERS)
      void client.invalidateQueries({ queryKey: sessionRecordsQuery(id, order).queryKey });
    void client.invalidateQueries({ queryKey: latestSummaryQuery(id).queryKey });
  };
  useStreamEvent((event) => {
    switch (event.type) {
      case 'observation-created':
      case 'summary-created':
      case 'prompt-created':
        if (event.data.item.sessionId !== id) return;
        for (const order of ORDERS)
          client.setQueryData<SessionRecords>(
            sessionRecordsQuery(id, order).queryKey,
            (data) => data && withRecord(data, event.data, order),
          );
        if (event.data.kind === 'summary')
          client.setQueryData(latestSummaryQuery(id).queryKey, event.data.item);
        return;
      case 'memory-forgotten':
      case 'stream-reset':
        refetchAll();
        return;
      case 'session-updated':
        if (event.data.id !== id) return;
        client.setQueryData(
          sessionQuery(id).queryKey,
          (data) => data && { ...data, session: { ...data.session, ...event.data } },
        );
        return;
      case 'observation-updated':
      case 'queue-changed':
    }
  });
  useRefresh('sessionInjections', ({ type }) => type !== 'queue-changed');
  useRefresh('sessionDetail', ({ type }) => type !== 'observation-updated');
}
