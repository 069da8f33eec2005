import { messageOf, systemClock } from '@claude-mem/core';
import { acquireInstanceLock } from './lifecycle/acquire-instance-lock.js';
import { createLiveSettings } from './lifecycle/create-live-settings.js';
import { createTeardown } from './lifecycle/create-teardown.js';
import { prepareDataDir } from './lifecycle/prepare-data-dir.js';
import { openDayFile } from './log/create-day-file.js';
import { createLog } from './log/create-log.js';
import { useNetworkSettings } from './providers/use-network-settings.js';
import { runWorker } from './run-worker.js';
import type { StartWorkerOptions } from './worker-options.js';

/**
 * Runs one worker until its shutdown. Returns `already-running` when another worker owns the data directory; nothing is changed
 * then.
 */
export async function startWorker(options: StartWorkerOptions): Promise<'already-running' | 'ended'> {
  const { clock = systemClock, version, pid, signal } = options;
  const startedAt = clock.now();
  const live = createLiveSettings({ load: options.loadSettings, clock });
  const { paths, settings } = live.loaded();
  prepareDataDir(paths);
  const lock = acquireInstanceLock(paths.lockFile);
  if (lock.kind === 'taken') return 'already-running';

  const dayFile = openDayFile({ folder: paths.logsDir, clock });
  const log = createLog({ file: dayFile, level: settings.logLevel });
  const teardown = createTeardown({ log });
  if (lock.kind === 'acquired') teardown.add('lock', lock.release);
  else log.error({ error: lock.cause }, 'The data directory cannot be locked');
  log.info({ version, pid, dataDir: paths.dataDir }, 'Worker starting');
  try {
    const isLocked = lock.kind === 'acquired';
    const networkProblems = await useNetworkSettings(settings).catch((error: unknown) => [
      `The network settings cannot be used: ${messageOf(error)}`,
    ]);
    for (const problem of networkProblems) log.warn({}, problem);
    return await runWorker({
      ...options,
      networkProblems,
      clock,
      startedAt,
      live,
      dayFile,
      log,
      teardown,
      isLocked,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return 'ended';
  } finally {
    await teardown.run();
    log.info({ ms: clock.now() - startedAt }, 'Worker ended');
    dayFile.close();
  }
}
