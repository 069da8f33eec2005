import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Returns the folder of the shared data sets, or null if it does not exist. */
export function sharedFolder(): string | null {
  const folder = resolve(
    process.env['CLAUDE_MEM_SHARED'] ?? join(import.meta.dirname, '..', '..', '..', '..', 'shared'),
  );
  return existsSync(join(folder, 'data')) ? folder : null;
}

export function readText(folder: string, ...path: readonly string[]): string {
  return readBytes(folder, ...path).toString('utf8');
}

/** Reads a file of the data folder. Unpacks files that end with `.gz`. */
export function readBytes(folder: string, ...path: readonly string[]): Buffer {
  const file = join(folder, 'data', ...path);
  const bytes = readFileSync(file);
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

export function readLines<Line>(folder: string, ...path: readonly string[]): Line[] {
  return readText(folder, ...path)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
}
