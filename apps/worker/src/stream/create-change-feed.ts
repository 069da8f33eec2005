import type {
  CaptureResult,
  Clock,
  CommittedReply,
  ForgetResult,
  Observation,
  PendingMessages,
  Store,
} from '@claude-mem/core';
import type { WorkerLog } from '../log/create-log.js';
import type { StreamHub } from './create-stream-hub.js';

export interface ChangeFeed {
  captured(results: readonly CaptureResult[]): void;
  committed(reply: CommittedReply): void;
  /** An observation was saved, or changed, by hand. */
  saved(observation: Observation): void;
  edited(observation: Observation): void;
  forgotten(result: Pick<ForgetResult, 'observationIds' | 'sessionIds'>): void;
  queueChanged(): void;
}

const GATHER_MS = 300;
/** Of more than so many ids the lists are read again. */
const MOST_IDS = 1_000;

/** Tells the stream what changed. States of sessions and of the queue are gathered: only their latest counts. */
export function createChangeFeed({
  store,
  messages,
  hub,
  clock,
  log,
  signal,
}: {
  store: Store;
  messages: PendingMessages;
  hub: StreamHub;
  clock: Clock;
  log: WorkerLog;
  signal: AbortSignal;
}): ChangeFeed {
  const sessions = new Set<number>();
  let isGathering = false;

  const tell = async () => {
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
        return tell();
      })
      .catch((error: unknown) => {
        isGathering = false;
        if (!signal.aborted) log.warn({ error }, 'A change could not be told to the stream');
      });
  };

  return {
    captured(results) {
      for (const { kind, sessionId } of results) if (kind !== 'duplicate') sessions.add(sessionId);
      if (sessions.size > 0) gather();
    },
    committed({ observations, summary }) {
      for (const data of observations) hub.publish({ type: 'observation-created', data });
      if (summary !== null) hub.publish({ type: 'summary-created', data: summary });
      gather();
    },
    saved: (data) => hub.publish({ type: 'observation-created', data }),
    edited: (data) => hub.publish({ type: 'observation-updated', data }),
    forgotten({ observationIds, sessionIds }) {
      hub.forgetSent();
      if (observationIds.length + sessionIds.length > MOST_IDS)
        hub.publish({ type: 'stream-reset', data: {} });
      else hub.publish({ type: 'memory-forgotten', data: { observationIds, sessionIds } });
      gather();
    },
    queueChanged: gather,
  };
}
