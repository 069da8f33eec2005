import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { messageOf } from '@claude-mem/core';
import type { DataPaths } from '@claude-mem/settings';
import { WorkerError } from '../worker-error.js';

/**
 * Creates the folders of the data folder and removes the permissions of other users. Reports, but does not remove, a
 * folder at the path of a file. The database is not checked, because a worker that cannot open it keeps running and
 * reports it.
 */
export function prepareDataDir(paths: DataPaths): void {
  const folders = [
    paths.dataDir,
    paths.spoolDir,
    paths.rejectedDir,
    paths.logsDir,
    paths.backupsDir,
    paths.observerDir,
  ];
  try {
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if ((statSync(folder).mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
    }
  } catch (error) {
    const message = `The data directory ${paths.dataDir} cannot be used: ${messageOf(error)}. Make it a folder that you own, or set CLAUDE_MEM_DATA_DIR.`;
    throw new WorkerError('worker/data-dir-unusable', message, { cause: error });
  }
  const { tokenFile, stateFile, pidFile, socket, socketPointer, lockFile } = paths;
  for (const file of [tokenFile, stateFile, pidFile, socket, socketPointer, lockFile])
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new WorkerError(
        'worker/data-dir-unusable',
        `${file} is a folder where claude-mem keeps a file of its own. Move it away, then run: claude-mem start`,
      );
}
