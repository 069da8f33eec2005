import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findWrittenBlock } from './find-written-block.js';
import { deleteLeftovers, readSnapshot, replaceSnapshot } from './file-snapshot.js';
import { readLedger, writeLedger, type ContextFileKind, type LedgerEntry } from './ledger.js';
import { findBlock } from './find-block.js';
import { formatReason } from './format-reason.js';
import { cleanUpAfterFile, releaseExclude, withoutBlock } from './without-block.js';

export interface RemovedContextFiles {
  /** Files that were deleted or whose block was removed. */
  removed: string[];
  skipped: { path: string; reason: string }[];
}

interface Selection {
  ledgerFile: string;
  kinds: readonly ContextFileKind[];
}

/**
 * Removes the context files of all projects during an uninstallation and restores the original files. They are not written again
 * until `allowContextFiles`. Needs neither the worker nor git.
 */
export function removeContextFiles({ ledgerFile, kinds }: Selection): RemovedContextFiles {
  const ledger = readLedger(ledgerFile);
  const result: RemovedContextFiles = { removed: [], skipped: [] };
  if (!existsSync(dirname(ledgerFile))) return result;
  for (const kind of kinds) ledger.awayKinds.add(kind);
  // stored first, so that a running worker does not write the files again
  writeLedger(ledgerFile, ledger);
  for (const [path, entry] of [...ledger.files]) {
    if (!kinds.includes(entry.kind)) continue;
    if (entry.state === 'away' && findWrittenBlock(readSnapshot(path), entry) === null) continue;
    const removal = removeBlockFrom(path, entry);
    const reason = typeof removal === 'string' ? removal : null;
    const problem =
      reason ??
      (existsSync(path) ? releaseExclude(ledger, path, entry) : cleanUpAfterFile(ledger, path, entry));
    if (problem !== null) result.skipped.push({ path, reason: problem });
    else if (removal) result.removed.push(path);
    if (reason === null) ledger.files.delete(path);
  }
  writeLedger(ledgerFile, ledger);
  return result;
}

/** Returns the files from which `removeContextFiles` would remove a block. Changes nothing. */
export function findContextFiles({ ledgerFile, kinds }: Selection): string[] {
  const entries = [...readLedger(ledgerFile).files].filter(([, { kind }]) => kinds.includes(kind));
  return entries.filter(([path, entry]) => hasBlock(path, entry)).map(([path]) => path);
}

function hasBlock(path: string, entry: LedgerEntry): boolean {
  const current = readSnapshot(path);
  if (entry.state === 'away' && findWrittenBlock(current, entry) === null) return false;
  return withoutBlock(current, entry) !== undefined;
}

/** Returns whether a block was removed, or the reason why it was not. */
function removeBlockFrom(path: string, entry: LedgerEntry): boolean | string {
  try {
    const current = readSnapshot(path);
    if (current.kind === 'unfit') return current.reason;
    if (deleteLeftovers(path)) return 'it is being changed';
    const block = current.kind === 'text' ? findBlock(current.text) : null;
    if (block?.kind === 'broken') return block.reason;
    const after = withoutBlock(current, entry);
    if (after === undefined) return false;
    return replaceSnapshot(path, current, after) || 'it is being changed';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return formatReason(error);
  }
}

/** Allows the kinds again during an installation. Files that the user deleted are not written again. */
export function allowContextFiles({ ledgerFile, kinds }: Selection): void {
  if (!existsSync(ledgerFile)) return;
  const ledger = readLedger(ledgerFile);
  if (!kinds.some((kind) => ledger.awayKinds.has(kind))) return;
  for (const kind of kinds) ledger.awayKinds.delete(kind);
  writeLedger(ledgerFile, ledger);
}
