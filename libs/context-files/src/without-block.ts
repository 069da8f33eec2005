import { rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileSnapshot } from './file-snapshot.js';
import type { Change } from './change-file.js';
import { removeExcludeLine } from './exclude-lines.js';
import { findBlock, removeBlock } from './find-block.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { formatReason } from './format-reason.js';
import { RULES_FRAME } from './rules-frame.js';

/** Returns the file without its block. Null when claude-mem created the file and it contains nothing else. */
export function withoutBlock(current: FileSnapshot, entry: LedgerEntry): Change {
  if (current.kind !== 'text') return undefined;
  const block = findBlock(current.text);
  if (block.kind !== 'one') return undefined;
  const rest = removeBlock(current.text, block, entry.before);
  return entry.isNew && isOnlyFrame(rest) ? null : rest;
}

/** Whether the text contains only the front matter that claude-mem writes around a block. */
export const isOnlyFrame = (rest: string): boolean => {
  const text = rest.replaceAll('\r\n', '\n').trim();
  return text === '' || text === RULES_FRAME.trim();
};

/** Removes the exclude line of a deleted file, and empty folders that were created for it. Returns a problem or null. */
export function cleanUpAfterFile(ledger: Ledger, path: string, entry: LedgerEntry): string | null {
  for (const folder of [...entry.madeFolders, ...(entry.kind === 'claude-md-folder' ? [dirname(path)] : [])])
    removeEmptyFolder(folder);
  return releaseExclude(ledger, path, entry);
}

/** Removes the exclude line unless another worktree needs it. Returns why the line could not be removed, or null. */
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
    return formatReason(error);
  }
}

function removeEmptyFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // the folder is not empty or does not exist
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
