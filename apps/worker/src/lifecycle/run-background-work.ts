import { statSync } from 'node:fs';
import { pause, type Clock, type Logger } from '@claude-mem/core';
import type { Spool } from '@claude-mem/capture';
import type { InstalledPrograms } from '@claude-mem/worker-protocol/local';
import type { DayFile } from '../log/create-day-file.js';
import type { OpenMemory } from '../open-memory.js';
import type { StreamHub } from '../stream/create-stream-hub.js';
import type { LiveSettings } from './create-live-settings.js';
import { runUpkeep } from './run-upkeep.js';
import { syncFailureMarker } from './sync-failure-marker.js';
import { syncPrograms } from './sync-programs.js';

const TICK_MS = 5_000;

/** Runs everything that no request waits for, until the signal is aborted. */
export async function runBackgroundWork({
  memory,
  live,
  spool,
  hub,
  dayFile,
  programs,
  version,
  lastEventAt,
  isLockLost,
  abandon,
  clock,
  log,
  signal,
}: {
  memory: OpenMemory;
  live: LiveSettings;
  spool: Spool;
  hub: StreamHub;
  dayFile: DayFile;
  programs: InstalledPrograms | undefined;
  version: string;
  lastEventAt(): number;
  /** True when another worker can own the data directory. */
  isLockLost(): boolean;
  abandon(): void;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { paths } = live.loaded();
  const tick = async () => {
    while (!signal.aborted) {
      live.refresh();
      hub.sendHeartbeat();
      if (isLockLost()) {
        log.warn({}, 'The data directory was removed or replaced; this worker ends');
        abandon();
      }
      await pause(clock, TICK_MS, signal);
    }
  };
  await Promise.all([
    memory.observer.run(),
    memory.searching.run(),
    memory.contextFiles.run(),
    memory.forgetBin.run(),
    memory.freshness.run(),
    spool.watch({ signal }),
    syncFailureMarker({ paths, live, log, signal }),
    syncPrograms({ programs, version, paths, log }),
    runUpkeep({ storage: memory.storage, spool, dayFile, lastEventAt, clock, log, signal }),
    tick(),
  ]);
}

/** Returns a function that is true when the lock file was removed or replaced. */
export function watchLockFile(file: string): () => boolean {
  const inode = () => statSync(file, { throwIfNoEntry: false })?.ino;
  const own = inode();
  return () => inode() !== own;
}
