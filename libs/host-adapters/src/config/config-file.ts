import { readFileSync, rmSync, statSync } from 'node:fs';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import { HostAdaptersError } from '../host-adapters-error.js';
import { realPathOf } from '../real-path.js';

/** Null when there is no file. */
export function readConfig(file: string): string | null {
  try {
    // a pipe would be waited for without end
    if (!statSync(file).isFile()) throw brokenConfig(file, 'is not a file');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof HostAdaptersError) throw error;
    if (error instanceof TypeError) throw brokenConfig(file, 'is not UTF-8 text');
    throw new HostAdaptersError(
      'host-adapters/unreadable-config',
      `${file} cannot be read: check its permissions, then try again.`,
      { cause: error },
    );
  }
}

/** Null takes the file away. */
export function writeConfig(file: string, text: string | null): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o200;
  if ((mode & 0o222) === 0)
    throw new HostAdaptersError(
      'host-adapters/unwritable-config',
      `${file} is read-only: make it writable, then try again.`,
    );
  try {
    if (text === null) rmSync(realPathOf(file), { force: true });
    else writeFileAtomically(file, text, { mode: 0o600 });
  } catch (error) {
    throw new HostAdaptersError(
      'host-adapters/unwritable-config',
      `${file} cannot be written: check free space and permissions, then try again.`,
      { cause: error },
    );
  }
}

export function brokenConfig(file: string, problem: string): HostAdaptersError {
  return new HostAdaptersError(
    'host-adapters/broken-config',
    `${file} ${problem}. It is left as it is: repair it, then try again.`,
    { data: { file } },
  );
}
