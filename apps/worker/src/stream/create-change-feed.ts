import type { CaptureResult, Clock, CommittedReply, PendingMessages, Store } from '@claude-mem/core';
import type { WorkerLog } from '../log/create-log.js';
import type { StreamHub } from './create-stream-hub.js';

export interface ChangeFeed {
  captured(results: readonly CaptureResult[]): void;
  committed(reply: CommittedReply): void;
  queueChanged(): void;
}

const GATHER_MS = 300;

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
    queueChanged: gather,
  };
}
