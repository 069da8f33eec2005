import { fstatSync, readSync } from 'node:fs';
import type { Clock } from '@claude-mem/core';
import {
  deleteLeftovers,
  isSame,
  openPlain,
  readSnapshot,
  replaceSnapshot,
  type FileSnapshot,
} from './file-snapshot.js';
import type { FileText } from './find-block.js';

/** New text of a file. Null deletes the file, undefined keeps it unchanged. */
export type Change = FileText | null | undefined;

/** `busy`: another program is saving the file. Try again later. */
export type ChangeOutcome = 'done' | 'busy';

export interface ChangeOptions {
  clock: Clock;
  signal: AbortSignal;
  /**
   * Modification times of files that claude-mem wrote, by path. They distinguish its own writes from those of other
   * programs.
   */
  ownWrites?: Map<string, number>;
}

/** Time in which a program may save a file a second time. */
const QUIET_MS = 700;
/** Time that an editor may need between truncating and writing a file. */
const SETTLE_MS = 120;
const MAX_WAITS = 10;
const MAX_ATTEMPTS = 5;

/**
 * Changes a file that the user may be editing. Text of the user has priority: the file is replaced only if it did not change since
 * it was read. If an editor writes to the file that was just replaced, its text is restored.
 */
export async function changeFile(
  path: string,
  change: (current: FileSnapshot) => Change,
  { clock, signal, ownWrites }: ChangeOptions,
): Promise<ChangeOutcome> {
  // temporary files contain text of the user and possibly forgotten records, and git would show them
  if (deleteLeftovers(path)) return 'busy';
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = readSnapshot(path);
    const after = change(before);
    if (after === undefined) return 'done';
    if (before.kind !== 'text') {
      if (!replaceSnapshot(path, before, after)) continue;
      storeWriteTime(path, ownWrites);
      return 'done';
    }
    if (ownWrites?.get(path) !== before.mtimeMs && isRecent(before.mtimeMs, clock)) return 'busy';
    using replaced = openFile(path);
    if (replaced === null || !replaceSnapshot(path, before, after)) continue;
    storeWriteTime(path, ownWrites);
    const lateText = await waitForText(replaced, before.text, { clock, signal });
    if (lateText === before.text) return 'done';
    const now = readSnapshot(path);
    const ours: FileSnapshot = after === null ? { kind: 'missing' } : { ...before, text: after };
    if (isSame(now, ours)) replaceSnapshot(path, now, lateText);
    return 'busy';
  }
  return 'busy';
}

function storeWriteTime(path: string, ownWrites: Map<string, number> | undefined): void {
  const written = readSnapshot(path);
  if (written.kind === 'text') ownWrites?.set(path, written.mtimeMs);
  else ownWrites?.delete(path);
}

function isRecent(mtimeMs: number, clock: Clock): boolean {
  // file systems store fractions of a millisecond, the clock does not
  const age = clock.now() - Math.floor(mtimeMs);
  return age >= 0 && age < QUIET_MS;
}

/** Returns the text of the replaced file after any editor has finished writing to it. */
async function waitForText(
  replaced: OpenFile,
  before: FileText,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<FileText> {
  for (let wait = 0; wait < MAX_WAITS; wait += 1) {
    await clock.sleep(SETTLE_MS, { signal }).catch(() => undefined);
    const text = replaced.read();
    if (text !== '' || before === '' || signal.aborted) return text === '' ? before : text;
  }
  return before;
}

/** Opens a file. The open file stays readable after the file was deleted. */
interface OpenFile extends Disposable {
  read(): FileText;
}

/** Returns null when the file was deleted. */
function openFile(path: string): OpenFile | null {
  try {
    const { handle, ...held } = openPlain(path);
    return {
      ...held,
      read() {
        const bytes = Buffer.alloc(fstatSync(handle).size);
        return bytes.toString('latin1', 0, readSync(handle, bytes, 0, bytes.length, 0));
      },
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}
