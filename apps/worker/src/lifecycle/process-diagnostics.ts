import type { Diagnostic } from './diagnostic.js';

/** State of the process and its environment. */
export interface Surroundings {
  /** Problems of the listeners. */
  listeners: readonly string[];
  /** The problem of the port; null if the port is open. */
  port: string | null;
  isLocked: boolean;
  settings: readonly string[];
  lostLogLines: number;
  /** Events that a hook could not write to disk. */
  blankEvents: number;
  uncaughtErrors: number;
}

export function processDiagnostics(found: Surroundings): Diagnostic[] {
  const { listeners, port, isLocked, settings, lostLogLines, blankEvents, uncaughtErrors } = found;
  return [
    ...listeners.map((message) => (message === port ? portDiagnostic(message) : hooksDiagnostic(message))),
    ...(isLocked ? [] : [NOT_LOCKED]),
    ...settings.map(settingDiagnostic),
    ...(lostLogLines > 0 ? [lostLinesDiagnostic(lostLogLines)] : []),
    ...(blankEvents > 0 ? [blankEventsDiagnostic(blankEvents)] : []),
    ...(uncaughtErrors > 0 ? [uncaughtErrorsDiagnostic(uncaughtErrors)] : []),
  ];
}

const portDiagnostic = (message: string): Diagnostic => ({
  code: 'port-taken',
  severity: 'warning',
  message,
  action:
    'Hooks do not use the port. To use a free port: claude-mem settings set CLAUDE_MEM_WORKER_PORT 0, then claude-mem restart',
  link: 'settings',
});

const hooksDiagnostic = (message: string): Diagnostic => ({
  code: 'hooks-unreachable',
  severity: 'error',
  message,
  action: 'Events stay in the spool. Run: claude-mem restart, then claude-mem doctor',
  link: 'logs',
});

const NOT_LOCKED: Diagnostic = {
  code: 'folder-not-locked',
  severity: 'warning',
  message: 'The data folder cannot be locked. The log contains the reason.',
  action: 'Use a data folder on a local disk: set CLAUDE_MEM_DATA_DIR in the environment.',
  link: 'logs',
};

const settingDiagnostic = (message: string): Diagnostic => ({
  code: 'setting-ignored',
  severity: 'warning',
  message,
  action: 'Correct the value. To see its source, run: claude-mem settings',
  link: 'settings',
});

const lostLinesDiagnostic = (count: number): Diagnostic => ({
  code: 'log-lines-lost',
  severity: 'warning',
  message: `${count === 1 ? 'One log line' : `${count} log lines`} could not be written.`,
  action: 'Check the free disk space and the permissions of the log folder.',
});

const blankEventsDiagnostic = (count: number): Diagnostic => ({
  code: 'events-blank',
  severity: 'error',
  message: `Events without content: ${count}. The disk was probably full when the hooks wrote them.`,
  action: 'Free disk space, then run: claude-mem restart',
});

const uncaughtErrorsDiagnostic = (count: number): Diagnostic => ({
  code: 'internal-errors',
  severity: 'warning',
  message: `${count === 1 ? 'One internal error' : `${count} internal errors`} since the worker started.`,
  action: 'See the log for details. The worker continues.',
  link: 'logs',
});
