import { rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileSnapshot } from './file-snapshot.js';
import type { Change } from './change-file.js';
import { removeExcludeLine } from './exclude-lines.js';
import { findBlock, removeBlock } from './our-block.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { reasonOf } from './reason-of.js';
import { RULES_FRAME } from './rules-frame.js';

/** What becomes of a file from which our block goes: no file when nothing else was ever in it. */
export function withoutBlock(current: FileSnapshot, entry: LedgerEntry): Change {
  if (current.kind !== 'text') return undefined;
  const block = findBlock(current.text);
  if (block.kind !== 'one') return undefined;
  const rest = removeBlock(current.text, block, entry.before);
  return entry.isNew && isOnlyFrame(rest) ? null : rest;
}

/** What we write around a block ourselves. */
export const isOnlyFrame = (rest: string): boolean => {
  const text = rest.replaceAll('\r\n', '\n').trim();
  return text === '' || text === RULES_FRAME.trim();
};

/** After a file is gone: git need not be told of it any more, and the folders that we made for it go as far as they are empty. */
export function clearAround(ledger: Ledger, path: string, entry: LedgerEntry): string | null {
  for (const folder of [...entry.madeFolders, ...(entry.kind === 'claude-md-folder' ? [dirname(path)] : [])])
    removeEmptyFolder(folder);
  return releaseExclude(ledger, path, entry);
}

/** Why the line could not be taken out; null when it is out, or another worktree needs it. */
export function releaseExclude(ledger: Ledger, path: string, entry: LedgerEntry): string | null {
  const { exclude } = entry;
  if (exclude === null) return null;
  const isNeeded = [...ledger.files].some(
    ([other, { state, exclude: line }]) =>
      other !== path && state === 'kept' && line?.file === exclude.file && line.pattern === exclude.pattern,
  );
  try {
    if (!isNeeded) removeExcludeLine(exclude.file, exclude.pattern);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

function removeEmptyFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // it holds something, or is gone: both are as it should be
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
