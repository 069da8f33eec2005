import { messageOf, type Logger } from '@claude-mem/core';
import type { ContextFiles } from '@claude-mem/context-files';
import type { ChangeFeed } from '../stream/create-change-feed.js';

/** Returns a feed that also updates the context files, in the background. */
export function feedContextFiles(feed: ChangeFeed, files: ContextFiles, log: Logger): ChangeFeed {
  const later = (woken: Promise<void>) =>
    void woken.catch((error: unknown) =>
      log.warn({ reason: messageOf(error) }, 'Context files could not be updated after a change'),
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
