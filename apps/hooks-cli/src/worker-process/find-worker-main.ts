import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readIfFile, WORKER_PATH_FILE } from '@claude-mem/worker-protocol/local';

/**
 * Returns the path of the worker program: beside this package, in the workspace or installed. Otherwise the path that the last
 * start from the command line stored. Null when neither file exists.
 * @param ownFolder folder of the files of this program
 */
export function findWorkerMain(ownFolder: string, dataDir: string): string | null {
  const beside = [
    resolve(ownFolder, '../../worker/dist/main.js'),
    resolve(ownFolder, '../node_modules/@claude-mem/worker/dist/main.js'),
  ];
  return [...beside, ...readLine(join(dataDir, WORKER_PATH_FILE))].find((file) => existsSync(file)) ?? null;
}

function readLine(file: string): string[] {
  const line = readIfFile(file)?.split('\n')[0] ?? '';
  return line === '' ? [] : [line];
}
