import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readIfFile, WORKER_PATH_FILE } from '@claude-mem/worker-protocol/local';

/**
 * The worker's program: beside this package, whether in the workspace or installed, else where the last start by hand
 * found it. Null when there is none.
 * @param ownFolder where this program's files are
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
