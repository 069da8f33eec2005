import { isAbsolute, join, resolve } from 'node:path';

/** Every place below the data directory. Nobody else joins such a path. */
export interface DataPaths {
  dataDir: string;
  database: string;
  settingsFile: string;
  /** Hook events that the worker has not taken yet. */
  spoolDir: string;
  /** Spooled files that could not be used. */
  rejectedDir: string;
  socket: string;
  /** Holds the path of the real socket when that of `socket` is too long for the system. */
  socketPointer: string;
  tokenFile: string;
  lockFile: string;
  /** Process id, port and version of the running worker. */
  stateFile: string;
  /** Only the process id, which the hook script can read without a program. */
  pidFile: string;
  /** Folder that exists while a worker is being started. */
  startGate: string;
  logsDir: string;
  backupsDir: string;
  /** Working folder of the observer's own processes; events from there are dropped. */
  observerDir: string;
  /** Exists while hooks must ask for the earlier fix of an error. */
  failureRecallMarker: string;
  /** Settings files of hosts that hold hooks of `claude-mem install`, one per line. */
  installedHooks: string;
  /** What was done to which file of which project. */
  contextFilesLedger: string;
  /** The command, at a place that stays the same wherever it is installed. */
  launcher: string;
}

/** The places below a data directory. Pure: makes no folder. */
export function dataPaths(dataDir: string): DataPaths {
  return {
    dataDir,
    database: join(dataDir, 'claude-mem.db'),
    settingsFile: join(dataDir, 'settings.json'),
    spoolDir: join(dataDir, 'spool'),
    rejectedDir: join(dataDir, 'spool', 'rejected'),
    socket: join(dataDir, 'worker.sock'),
    socketPointer: join(dataDir, 'worker.sock.path'),
    tokenFile: join(dataDir, 'token'),
    lockFile: join(dataDir, 'worker.lock'),
    stateFile: join(dataDir, 'worker.json'),
    pidFile: join(dataDir, 'worker.pid'),
    startGate: join(dataDir, 'starting'),
    logsDir: join(dataDir, 'logs'),
    backupsDir: join(dataDir, 'backups'),
    observerDir: join(dataDir, 'observer'),
    failureRecallMarker: join(dataDir, 'recall-on-failure'),
    installedHooks: join(dataDir, 'installed-hooks'),
    contextFilesLedger: join(dataDir, 'context-files.json'),
    launcher: join(dataDir, 'bin', 'claude-mem'),
  };
}

/** A path a person wrote: `~` is the home folder, and what is not absolute counts from there, so that every process means the same. */
export function expandPath(path: string, home: string): string {
  const expanded =
    path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(1)) : path;
  return isAbsolute(expanded) ? resolve(expanded) : resolve(home, expanded);
}
