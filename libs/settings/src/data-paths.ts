import { isAbsolute, join, resolve } from 'node:path';

/** All paths in the data directory. Other code must not build such paths. */
export interface DataPaths {
  dataDir: string;
  database: string;
  settingsFile: string;
  /** Hook events that the worker has not stored yet. */
  spoolDir: string;
  /** Spool files that the worker could not parse. */
  rejectedDir: string;
  socket: string;
  /** Contains the path of the socket when the path `socket` is too long for the system. */
  socketPointer: string;
  tokenFile: string;
  lockFile: string;
  /** Process id, port and version of the running worker. */
  stateFile: string;
  /** Process id of the worker, in a form that the hook script can read without another program. */
  pidFile: string;
  /** Folder that hooks create before they start a worker. */
  startupLock: string;
  logsDir: string;
  backupsDir: string;
  /** Current folder of processes of the observer. Events from this folder are dropped. */
  observerDir: string;
  /** Exists while CLAUDE_MEM_RECALL_ON_FAILURE is on. Hooks then post tool results. */
  failureRecallMarker: string;
  /** List of the host settings files that contain hooks of `claude-mem install`, one per line. */
  installedHooks: string;
  /** Lists the context files that claude-mem maintains in projects. */
  contextFilesLedger: string;
  /** The command, at a path that does not depend on the installation. */
  launcher: string;
}

/** Returns all paths in a data directory. Creates no folder. */
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
    startupLock: join(dataDir, 'starting'),
    logsDir: join(dataDir, 'logs'),
    backupsDir: join(dataDir, 'backups'),
    observerDir: join(dataDir, 'observer'),
    failureRecallMarker: join(dataDir, 'recall-on-failure'),
    installedHooks: join(dataDir, 'installed-hooks'),
    contextFilesLedger: join(dataDir, 'context-files.json'),
    launcher: join(dataDir, 'bin', 'claude-mem'),
  };
}

/** Expands `~` to the home folder. Relative paths are resolved from the home folder, so that the result is the same in every process. */
export function expandPath(path: string, home: string): string {
  const expanded =
    path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(1)) : path;
  return isAbsolute(expanded) ? resolve(expanded) : resolve(home, expanded);
}
