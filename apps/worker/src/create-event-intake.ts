import {
  captureSpooled,
  createCaptureCounters,
  createHookReader,
  createProjectFinder,
  createSpool,
  type CaptureCounters,
  type ReadHook,
  type Spool,
} from '@claude-mem/capture';
import type { Clock, Logger, ProjectFinder } from '@claude-mem/core';
import type { HookEnv } from '@claude-mem/host-adapters';
import type { LiveSettings } from './lifecycle/create-live-settings.js';
import type { Readiness } from './lifecycle/create-readiness.js';
import { isNewerVersion } from './lifecycle/is-newer-version.js';

/** The parts that receive events, before the database is open. */
export interface EventIntake {
  findProject: ProjectFinder;
  readHook: ReadHook;
  counters: CaptureCounters;
  spool: Spool;
  /** Ends this worker when a hook belongs to a newer version. The next event starts the newer worker. */
  yieldToNewer(env: HookEnv): void;
}

export function createEventIntake({
  live,
  readiness,
  home,
  tmpDir,
  version,
  startedAt,
  stop,
  clock,
  log,
}: {
  live: LiveSettings;
  readiness: Pick<Readiness, 'opened'>;
  home: string;
  tmpDir: string;
  version: string;
  startedAt: number;
  stop: AbortController;
  clock: Clock;
  log: Logger;
}): EventIntake {
  const { paths } = live.loaded();
  const findProject = createProjectFinder({ settings: live.current, clock, home, tmpDir });
  const readHook = createHookReader({ dataDir: paths.dataDir, observerDir: paths.observerDir, home });
  const counters = createCaptureCounters();
  const canStore = ({ projectDir }: { projectDir: string | null }) =>
    live.current().enabled && !findProject({ projectDir, cwd: null }).isExcluded;
  const yieldToNewer = ({ version: hookVersion }: HookEnv) => {
    if (!isNewerVersion(hookVersion, version) || stop.signal.aborted) return;
    log.info({ version, hookVersion }, 'A newer version is installed; this worker ends');
    stop.abort();
  };
  const spool = createSpool({
    paths,
    take: (hook) =>
      captureSpooled(
        {
          ...readiness.opened(),
          readHook,
          counters,
          canStore,
          onCaptured: (env) => {
            // The version of an older event may have been removed since.
            if (hook.occurredAtEpoch >= startedAt) yieldToNewer(env);
          },
        },
        hook,
      ),
    clock,
    log,
  });
  return { findProject, readHook, counters, spool, yieldToNewer };
}
