import { readFileSync, rmSync, statSync } from 'node:fs';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import { HostAdaptersError } from '../host-adapters-error.js';
import { realPathOf } from '../real-path.js';

/** Null when there is no file. */
export function readConfig(file: string): string | null {
  try {
    // Reading a pipe would block forever.
    if (!statSync(file).isFile()) throw brokenConfig(file, 'is not a file');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (error instanceof HostAdaptersError) throw error;
    if (error instanceof TypeError) throw brokenConfig(file, 'is not UTF-8 text');
    throw new HostAdaptersError(
      'host-adapters/unreadable-config',
      `${file} cannot be read (${code}): check its permissions and links, then try again.`,
      { cause: error },
    );
  }
}

/**
 * Null deletes the file.
 * @throws HostAdaptersError `changed-config` when the file was changed since it was read; the file stays unchanged
 */
export function writeConfig(
  file: string,
  { before, after }: { before: string | null; after: string | null },
): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o200;
  if ((mode & 0o222) === 0)
    throw new HostAdaptersError(
      'host-adapters/unwritable-config',
      `${file} is read-only: make it writable, then try again.`,
    );
  if (!replace(file, after, () => readConfig(file) === before))
    throw new HostAdaptersError(
      'host-adapters/changed-config',
      `${file} is changed by another program all the time: end that program, then try again.`,
    );
}

/** Returns false when `onlyIf` returned false, or when another process removed the folder. */
function replace(file: string, after: string | null, onlyIf: () => boolean): boolean {
  try {
    if (after !== null) return writeFileAtomically(file, after, { mode: 0o600, onlyIf });
    if (!onlyIf()) return false;
    rmSync(realPathOf(file), { force: true });
    return true;
  } catch (error) {
    // A simultaneous uninstallation removes the folder when it is empty.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
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
