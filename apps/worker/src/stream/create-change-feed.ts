import type {
  CaptureResult,
  Clock,
  CommittedReply,
  ForgetResult,
  Logger,
  Observation,
  PendingMessages,
  Store,
  TimelineRecord,
  UndoneForget,
} from '@claude-mem/core';
import type { FeedItem, StreamEvent } from '@claude-mem/worker-protocol';
import type { StreamHub } from './create-stream-hub.js';

export interface ChangeFeed {
  captured(results: readonly CaptureResult[]): void;
  committed(reply: CommittedReply): void;
  /** An observation was saved or changed manually. */
  saved(observation: Observation): void;
  edited(observation: Observation): void;
  forgotten(result: Pick<ForgetResult, 'observationIds' | 'sessionIds'>): void;
  /** Records were restored at their original times, so lists must be loaded again. */
  restored(result: Pick<UndoneForget, 'sessionIds'>): void;
  queueChanged(): void;
}

const GATHER_MS = 300;
/** Above this number of ids, lists are loaded again. */
const MOST_IDS = 1_000;

/**
 * Sends changes to the stream. States of sessions and of the queue are collected, because only the latest ones
 * matter.
 */
export function createChangeFeed({
  store,
  messages,
  hub,
  clock,
  log,
  signal,
}: {
  store: Pick<Store, 'getSession' | 'getProject'>;
  messages: Pick<PendingMessages, 'counts'>;
  hub: StreamHub;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): ChangeFeed {
  const sessions = new Set<number>();
  let isGathering = false;

  const publishSessions = async () => {
    const ids = [...sessions];
    sessions.clear();
    for (const id of ids) {
      const session = await store.getSession(id);
      if (session === null) continue;
      const { host, contentSessionId, projectId, status, promptCounter, lastActivityEpoch } = session;
      const data = { id, host, contentSessionId, projectId, status, promptCounter, lastActivityEpoch };
      hub.publish({ type: 'session-updated', data });
    }
    hub.publish({ type: 'queue-changed', data: await messages.counts() });
  };
  const gather = () => {
    if (isGathering || signal.aborted) return;
    isGathering = true;
    clock
      .sleep(GATHER_MS, { signal })
      .then(() => {
        isGathering = false;
        return publishSessions();
      })
      .catch((error: unknown) => {
        isGathering = false;
        if (!signal.aborted) log.warn({ error }, 'A change could not be told to the stream');
      });
  };

  let lastPublished: Promise<unknown> = Promise.resolve();
  /** One at a time, so that the deletion of a record is not reported before its creation. */
  const inTurn = (work: () => Promise<unknown> | void) => {
    lastPublished = lastPublished.then(work).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ error }, 'A change could not be told to the stream');
    });
  };
  const originOf = createOrigins(store);
  const publishRecord = async (type: RecordEvent['type'], record: TimelineRecord) => {
    const origin = await originOf(record);
    if (origin !== null) hub.publish({ type, data: { ...record, ...origin } } as RecordEvent);
  };

  const forgotten: ChangeFeed['forgotten'] = ({ observationIds, sessionIds }) => {
    inTurn(() => {
      hub.forgetSent();
      if (observationIds.length + sessionIds.length > MOST_IDS)
        hub.publish({ type: 'stream-reset', data: {} });
      else hub.publish({ type: 'memory-forgotten', data: { observationIds, sessionIds } });
    });
    gather();
  };

  return {
    captured(results) {
      for (const { kind, sessionId, prompt: item } of results) {
        if (kind !== 'duplicate') sessions.add(sessionId);
        if (item) inTurn(() => publishRecord('prompt-created', { kind: 'prompt', item }));
      }
      if (sessions.size > 0) gather();
    },
    committed({ observations, summary: item, withdrawnId }) {
      if (withdrawnId !== undefined) forgotten({ observationIds: [withdrawnId], sessionIds: [] });
      for (const observation of observations) {
        const isNew = observation.updatedAtEpoch === observation.createdAtEpoch;
        const type = isNew ? 'observation-created' : 'observation-updated';
        inTurn(() => publishRecord(type, { kind: 'observation', item: observation }));
      }
      if (item !== null) inTurn(() => publishRecord('summary-created', { kind: 'summary', item }));
      gather();
    },
    saved: (item) => inTurn(() => publishRecord('observation-created', { kind: 'observation', item })),
    edited: (item) => inTurn(() => publishRecord('observation-updated', { kind: 'observation', item })),
    forgotten,
    restored({ sessionIds }) {
      for (const id of sessionIds) sessions.add(id);
      inTurn(() => hub.publish({ type: 'stream-reset', data: {} }));
      gather();
    },
    queueChanged: gather,
  };
}

type RecordEvent = Extract<StreamEvent, { data: FeedItem }>;

/** The source of a record. Null when its session is deleted or cannot be read. */
function createOrigins({ getSession, getProject }: Pick<Store, 'getSession' | 'getProject'>) {
  return async ({ item }: TimelineRecord): Promise<Pick<FeedItem, 'project' | 'host'> | null> => {
    const session = await getSession(item.sessionId);
    if (session === null) return null;
    const project = await getProject('projectId' in item ? item.projectId : session.projectId);
    return { project: project?.name ?? '', host: session.host };
  };
}
