import type { Clock, Logger } from '@claude-mem/core';
import type { ProviderTable } from '@claude-mem/observer';
import type { LoadedSettings } from '@claude-mem/settings';
import type { InstalledPrograms } from '@claude-mem/worker-protocol/local';
import type { LiveSettings } from './lifecycle/create-live-settings.js';
import type { Teardown } from './lifecycle/create-teardown.js';
import type { DayFile } from './log/create-day-file.js';

export interface StartWorkerOptions {
  loadSettings: () => LoadedSettings;
  home: string;
  tmpDir: string;
  userId: number;
  pid: number;
  version: string;
  /** Paths of the installed programs, for hooks and for the launcher. @default not written */
  programs?: InstalledPrograms;
  /** Folder of the built viewer. @default no viewer: its address returns a message */
  viewerDir?: string | null;
  providers: ProviderTable;
  /** PATH for git. @default git is not run */
  searchPath?: string;
  residentBytes: () => number;
  /** Registers the listener for uncaught errors. */
  onUncaughtError?: (listener: (error: unknown) => void) => void;
  /** @default the system clock */
  clock?: Clock;
  /** Ends the process without a shutdown, because another worker can own the files at its paths. */
  abandon: () => void;
  /** Ends the worker cleanly, at any moment. */
  signal: AbortSignal;
}

export interface RunWorkerOptions extends StartWorkerOptions {
  clock: Clock;
  startedAt: number;
  live: LiveSettings;
  dayFile: DayFile;
  log: Logger;
  teardown: Teardown;
  /** False when the file system has no locks. Another worker is then found only by its socket. */
  isLocked: boolean;
  /** Problems of the network settings. */
  networkProblems: readonly string[];
}
