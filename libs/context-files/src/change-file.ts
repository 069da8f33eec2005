import { fstatSync, readSync } from 'node:fs';
import type { Clock } from '@claude-mem/core';
import {
  clearLeftovers,
  isSame,
  openPlain,
  readSnapshot,
  replaceSnapshot,
  type FileSnapshot,
} from './file-snapshot.js';
import type { FileText } from './our-block.js';

/** What becomes of a file: a text, null for no file, undefined for what it is. */
export type Change = FileText | null | undefined;

/** `busy`: somebody is at work on the file; to be tried again later. */
export type ChangeOutcome = 'done' | 'busy';

export interface ChangeOptions {
  clock: Clock;
  signal: AbortSignal;
  /** When each file was written here: what was saved at that very time was saved by nobody else. */
  ownWrites?: Map<string, number>;
}

/** Whoever saved a file less than this ago may be about to save it again. */
const QUIET_MS = 700;
/** How long an editor that writes into the file itself may take from emptying to filling it. */
const SETTLE_MS = 120;
const MOST_WAITS = 10;
const ATTEMPTS = 5;

/**
 * Changes a file beside a person who edits it: what they wrote wins. It is read, changed, and replaced only when it still is as
 * read; an editor that writes into the file that was just replaced gets its text back.
 */
export async function changeFile(
  path: string,
  change: (current: FileSnapshot) => Change,
  { clock, signal, ownWrites }: ChangeOptions,
): Promise<ChangeOutcome> {
  // it holds the person's text, and perhaps what was forgotten since; git would show it
  if (clearLeftovers(path)) return 'busy';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = readSnapshot(path);
    const after = change(before);
    if (after === undefined) return 'done';
    if (before.kind !== 'text') {
      if (!replaceSnapshot(path, before, after)) continue;
      note(path, ownWrites);
      return 'done';
    }
    if (ownWrites?.get(path) !== before.mtimeMs && isRecent(before.mtimeMs, clock)) return 'busy';
    using replaced = holdFile(path);
    if (replaced === null || !replaceSnapshot(path, before, after)) continue;
    note(path, ownWrites);
    const late = await settled(replaced, before.text, { clock, signal });
    if (late === before.text) return 'done';
    const now = readSnapshot(path);
    const ours: FileSnapshot = after === null ? { kind: 'missing' } : { ...before, text: after };
    if (isSame(now, ours)) replaceSnapshot(path, now, late);
    return 'busy';
  }
  return 'busy';
}

function note(path: string, ownWrites: Map<string, number> | undefined): void {
  const written = readSnapshot(path);
  if (written.kind === 'text') ownWrites?.set(path, written.mtimeMs);
  else ownWrites?.delete(path);
}

function isRecent(mtimeMs: number, clock: Clock): boolean {
  // the clock knows no parts of a millisecond, file systems do
  const age = clock.now() - Math.floor(mtimeMs);
  return age >= 0 && age < QUIET_MS;
}

/** What the replaced file came to hold once nobody is in the middle of writing into it. */
async function settled(
  replaced: HeldFile,
  before: FileText,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<FileText> {
  for (let wait = 0; wait < MOST_WAITS; wait += 1) {
    await clock.sleep(SETTLE_MS, { signal }).catch(() => undefined);
    const text = replaced.read();
    if (text !== '' || before === '' || signal.aborted) return text === '' ? before : text;
  }
  return before;
}

/** The file itself, whatever becomes of its name. */
interface HeldFile extends Disposable {
  read(): FileText;
}

/** Null when it is gone. */
function holdFile(path: string): HeldFile | null {
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
