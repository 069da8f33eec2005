import { messageOf } from '@claude-mem/core';
import type { ContextFiles } from '@claude-mem/context-files';
import type { Capture } from '../capture/create-capture.js';
import type { WorkerLog } from '../log/create-log.js';
import type { ChangeFeed } from '../stream/create-change-feed.js';

/** What is told to the stream also reaches the files that tell of it; nobody waits for them. */
export function feedContextFiles(feed: ChangeFeed, files: ContextFiles, log: WorkerLog): ChangeFeed {
  const later = (woken: Promise<void>) =>
    void woken.catch((error: unknown) =>
      log.warn({ reason: messageOf(error) }, 'Context files could not be told of a change'),
    );
  return {
    ...feed,
    committed(reply) {
      feed.committed(reply);
      const sessionId = reply.observations[0]?.sessionId ?? reply.summary?.sessionId;
      if (sessionId !== undefined) later(files.wakeSession(sessionId));
      if (reply.withdrawnId !== undefined) files.wakeAll();
    },
    saved(observation) {
      feed.saved(observation);
      later(files.wakeProject(observation.projectId));
    },
    edited(observation) {
      feed.edited(observation);
      later(files.wakeProject(observation.projectId));
    },
    forgotten(result) {
      feed.forgotten(result);
      files.wakeAll();
    },
    restored(result) {
      feed.restored(result);
      files.wakeAll();
    },
  };
}

/** A session that starts in a checkout has its files looked at. */
export function wakeAtStart(capture: Capture, files: ContextFiles): Capture {
  return {
    async take(event, origin) {
      const outcome = await capture.take(event, origin);
      const { root } = outcome.found;
      if (event.kind === 'session-start' && outcome.kind === 'committed' && root !== null) files.wake(root);
      return outcome;
    },
  };
}
