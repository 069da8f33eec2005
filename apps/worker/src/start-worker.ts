import { messageOf, systemClock, type Clock } from '@claude-mem/core';
import type { LoadedSettings } from '@claude-mem/settings';
import type { InstalledPrograms } from '@claude-mem/worker-protocol/local';
import { acquireInstanceLock } from './lifecycle/acquire-instance-lock.js';
import { createLiveSettings } from './lifecycle/create-live-settings.js';
import { createTeardown } from './lifecycle/create-teardown.js';
import { prepareDataDir } from './lifecycle/prepare-data-dir.js';
import { openDayFile } from './log/create-day-file.js';
import { createLog } from './log/create-log.js';
import { useNetworkSettings } from './providers/use-network-settings.js';
import type { ProviderTable } from '@claude-mem/observer';
import { runWorker } from './run-worker.js';

export interface StartWorkerOptions {
  loadSettings: () => LoadedSettings;
  home: string;
  tmpDir: string;
  userId: number;
  pid: number;
  version: string;
  /** Where the installed programs are, for hooks and for the launcher. @default not written down */
  programs?: InstalledPrograms;
  /** Where the built viewer is. @default there is none, and its address says so */
  viewerDir?: string | null;
  providers: ProviderTable;
  /** Where programs are looked for (PATH). @default none are run */
  searchPath?: string;
  residentBytes: () => number;
  /** Hands over the listener for errors that nobody caught. */
  onStray?: (listener: (error: unknown) => void) => void;
  /** @default the machine's */
  clock?: Clock;
  /** Ends the process without closing anything: what lies at its paths is no longer its own. */
  abandon: () => void;
  /** Ends the worker cleanly, at any moment. */
  signal: AbortSignal;
}

/**
 * Runs one worker from its start to its clean end. `already-running`: another one owns the data directory, and nothing was
 * touched.
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
      `The settings of the network cannot be used: ${messageOf(error)}`,
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
