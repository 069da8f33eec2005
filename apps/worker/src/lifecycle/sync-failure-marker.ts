import { rmSync, writeFileSync } from 'node:fs';
import type { DataPaths } from '@claude-mem/settings';
import type { LiveSettings } from './create-live-settings.js';
import type { Logger } from '@claude-mem/core';

/** Creates the file that makes hooks ask for the earlier fix of an error, and removes it when the setting is off. */
export async function syncFailureMarker({
  paths: { failureRecallMarker },
  live,
  log,
  signal,
}: {
  paths: DataPaths;
  live: LiveSettings;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  while (!signal.aborted) {
    const { enabled, recallOnFailure } = live.current();
    try {
      if (enabled && recallOnFailure) writeFileSync(failureRecallMarker, '', { mode: 0o600 });
      else rmSync(failureRecallMarker, { force: true });
    } catch (error) {
      log.warn({ error }, 'The file that makes hooks ask for earlier fixes cannot be changed');
    }
    await live.changed(['enabled', 'recallOnFailure'], { signal });
  }
}
