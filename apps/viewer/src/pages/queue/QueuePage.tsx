import { messageOf, type PendingStatus } from '@claude-mem/core';
import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { Inbox, RotateCcw, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { healthQuery } from '../../api/health-query.js';
import { throttled } from '../../api/throttled.js';
import { useStreamEvent } from '../../api/use-stream.js';
import { worker } from '../../api/worker.js';
import { keepFocusNear } from '../../records/keep-focus-near.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { Failure } from '../../ui/Failure.js';
import { Loading } from '../../ui/Loading.js';
import { notices } from '../../ui/notices.js';
import { onDemand } from '../../ui/on-demand.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import type { MessagesToDrop } from './DropDialog.js';
import { PauseNotice } from './PauseNotice.js';
import { messagesOf, queueQuery, SHOWN_ORDER } from './queue-query.js';
import { formatMessageCount } from './format-queue.js';
import { QueueList } from './QueueList.js';
import { StatusChoice } from './StatusChoice.js';

const DropDialog = onDemand(async () => (await import('./DropDialog.js')).DropDialog);

/** The queue of the observer, with actions for parked messages. */
export function QueuePage() {
  const client = useQueryClient();
  const [status, setStatus] = useState<PendingStatus | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [toDrop, setToDrop] = useState<MessagesToDrop | null>(null);
  const restoreFocus = useRef(() => {});
  const statuses = useMemo(() => (status === null ? SHOWN_ORDER : [status]), [status]);
  const health = useQuery({ ...healthQuery, refetchInterval: HEALTH_MS });
  const list = useInfiniteQuery({ ...queueQuery(statuses), refetchInterval: RELOAD_MS });
  const items = useMemo(() => messagesOf(list.data?.pages ?? []), [list.data]);
  useLiveQueue();

  const retry = useMutation({
    mutationFn: async (ids: readonly number[] | 'parked') =>
      (await worker.retryMessages({ body: ids === 'parked' ? { status: 'parked' } : { ids: [...ids] } }))
        .changed,
    onSuccess(changed, ids) {
      notices.add({
        title: `${formatMessageCount(changed)} back in the queue`,
        description: 'Each is tried again from the start.',
      });
      if (ids !== 'parked') setSelected((all) => without(all, ids));
    },
    onError: (error) => notices.add({ title: 'Retry failed', description: messageOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['listQueue'] }),
  });

  const counts = health.data?.queue ?? null;
  const parked = counts?.parked ?? items.filter((item) => item.status === 'parked').length;
  const chosen = items.filter(({ id }) => selected.has(id));
  const chosenParked = chosen.filter((item) => item.status === 'parked');

  return (
    <Page
      title="Queue"
      about="Tool uses that the observer has not processed yet."
      actions={
        parked > 0 && (
          <>
            <Button disabled={retry.isPending} onClick={() => retry.mutate('parked')}>
              <RotateCcw aria-hidden size={14} />
              Retry all parked
            </Button>
            <Button onClick={() => setToDrop({ kind: 'parked', count: parked })}>
              <Trash2 aria-hidden size={14} />
              Drop all parked
            </Button>
          </>
        )
      }
    >
      <StaleNotice query={list} />
      {health.data !== undefined && <PauseNotice health={health.data} />}
      <StatusChoice value={status} onChange={setStatus} counts={counts} />
      {chosen.length > 0 && (
        <div className="toolbar row small" role="group" aria-label="Selected messages">
          <strong className="grow">{formatMessageCount(chosen.length)} selected</strong>
          {chosenParked.length > 0 && (
            <Button disabled={retry.isPending} onClick={() => retry.mutate(chosenParked.map(({ id }) => id))}>
              {chosenParked.length === chosen.length ? 'Retry' : `Retry ${chosenParked.length} parked`}
            </Button>
          )}
          <Button onClick={() => setToDrop({ kind: 'items', items: chosen })}>Drop</Button>
          <Button variant="quiet" onClick={() => setSelected(new Set())}>
            Clear
          </Button>
        </div>
      )}
      {list.isPending ? (
        list.failureCount > 2 ? (
          <Failure error={list.failureReason} onRetry={() => void list.refetch()} />
        ) : (
          <Loading />
        )
      ) : list.data === undefined ? (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      ) : items.length === 0 ? (
        <NothingHere status={status} />
      ) : (
        <QueueList
          items={items}
          selected={selected}
          shownReason={health.data?.observer.problem ?? null}
          onSelect={(ids, isSelected) =>
            setSelected((all) => (isSelected ? new Set([...all, ...ids]) : without(all, ids)))
          }
          onRetry={(item, button) => retry.mutate([item.id], { onSettled: keepFocusNear(button) })}
          onDrop={(item, button) => {
            restoreFocus.current = keepFocusNear(button);
            setToDrop({ kind: 'items', items: [item] });
          }}
          hasMore={list.hasNextPage}
          onMore={() => {
            if (!list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage();
          }}
        />
      )}
      {toDrop !== null && (
        <DropDialog
          toDrop={toDrop}
          onClose={() => setToDrop(null)}
          onDropped={(ids) => {
            setSelected((all) => without(all, ids));
            restoreFocus.current();
          }}
        />
      )}
    </Page>
  );
}

function NothingHere({ status }: { status: PendingStatus | null }) {
  if (status === 'parked')
    return (
      <EmptyState icon={Inbox} title="Nothing is parked">
        A message is parked when the observer failed several times to process it. It stays here until you
        retry or drop it.
      </EmptyState>
    );
  return (
    <EmptyState icon={Inbox} title={status === 'processing' ? 'Nothing is processing' : 'Queue is empty'}>
      Each tool use of a session is queued here until the observer has processed it, usually for some seconds.
      New tool uses appear here instantly.
    </EmptyState>
  );
}

/** Updates the counts from each event. Reloads the list less often the longer it is. */
function useLiveQueue(): void {
  const client = useQueryClient();
  const [refresh] = useState(() =>
    throttled(
      () => void client.invalidateQueries({ queryKey: ['listQueue'] }),
      () => Math.max(MIN_RELOAD_MS, pagesShown(client) * MS_PER_PAGE),
    ),
  );
  useEffect(() => () => refresh.stop(), [refresh]);
  useStreamEvent((event) => {
    if (event.type === 'queue-changed')
      client.setQueryData(healthQuery.queryKey, (health) => health && { ...health, queue: event.data });
    if (event.type === 'queue-changed' || event.type === 'stream-reset') refresh.call();
  });
}

const pagesShown = (client: QueryClient) =>
  Math.max(
    0,
    ...client
      .getQueriesData<InfiniteData<unknown>>({ queryKey: ['listQueue'], type: 'active' })
      .map(([, data]) => data?.pages.length ?? 0),
  );

const without = (all: ReadonlySet<number>, ids: readonly number[]): ReadonlySet<number> => {
  const gone = new Set(ids);
  return new Set([...all].filter((id) => !gone.has(id)));
};

const HEALTH_MS = 10_000;
/**
 * Interval of reloads without an event, for retries that became due and for events missed while the worker was
 * stopped.
 */
const RELOAD_MS = 30_000;
const MIN_RELOAD_MS = 1_000;
const MS_PER_PAGE = 400;
