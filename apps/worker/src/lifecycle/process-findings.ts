import type { Finding } from './finding.js';

/** What the process knows about its surroundings. */
export interface Surroundings {
  /** What keeps it from being reached. */
  doors: readonly string[];
  /** The one of them that is about the port; null where it listens. */
  port: string | null;
  isLocked: boolean;
  settings: readonly string[];
  lostLogLines: number;
  /** Events that a hook could not write to disk. */
  blankEvents: number;
  /** Errors that nobody caught. */
  strays: number;
}

export function processFindings(found: Surroundings): Finding[] {
  const { doors, port, isLocked, settings, lostLogLines, blankEvents, strays } = found;
  return [
    ...doors.map((message) => (message === port ? portFinding(message) : hooksFinding(message))),
    ...(isLocked ? [] : [NOT_LOCKED]),
    ...settings.map(settingFinding),
    ...(lostLogLines > 0 ? [lostLinesFinding(lostLogLines)] : []),
    ...(blankEvents > 0 ? [blankEventsFinding(blankEvents)] : []),
    ...(strays > 0 ? [straysFinding(strays)] : []),
  ];
}

const portFinding = (message: string): Finding => ({
  code: 'port-taken',
  severity: 'warning',
  message,
  action:
    'Hooks do not need it. For the service: claude-mem settings set CLAUDE_MEM_WORKER_PORT 0, then restart.',
  link: 'settings',
});

const hooksFinding = (message: string): Finding => ({
  code: 'hooks-unreachable',
  severity: 'error',
  message,
  action: 'Events are kept in the spool. Run: claude-mem restart, then claude-mem doctor',
  link: 'logs',
});

const NOT_LOCKED: Finding = {
  code: 'folder-not-locked',
  severity: 'warning',
  message: 'The data directory cannot be locked; the log says why.',
  action: 'A data directory on a local disk can: set CLAUDE_MEM_DATA_DIR in the environment.',
  link: 'logs',
};

const settingFinding = (message: string): Finding => ({
  code: 'setting-ignored',
  severity: 'warning',
  message,
  action: 'Correct it where it is set: claude-mem settings says where.',
  link: 'settings',
});

const lostLinesFinding = (count: number): Finding => ({
  code: 'log-lines-lost',
  severity: 'warning',
  message: `${count === 1 ? 'A log line' : `${count} log lines`} could not be written.`,
  action: 'Look for free space, and whether the folder of the logs may be written.',
});

const blankEventsFinding = (count: number): Finding => ({
  code: 'events-blank',
  severity: 'error',
  message: `Events came without content (${count}), which happens when the disk is full: look for free space.`,
  action: 'Make room on the disk, then run: claude-mem restart',
});

const straysFinding = (count: number): Finding => ({
  code: 'internal-errors',
  severity: 'warning',
  message: `${count === 1 ? 'An internal error' : `${count} internal errors`} since the start; the log says more.`,
  action: 'Look at the errors in the log; it goes on meanwhile.',
  link: 'logs',
});
