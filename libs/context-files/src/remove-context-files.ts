import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { blockAsWritten } from './block-as-written.js';
import { clearLeftovers, readSnapshot, replaceSnapshot } from './file-snapshot.js';
import { readLedger, writeLedger, type ContextFileKind, type LedgerEntry } from './ledger.js';
import { findBlock } from './our-block.js';
import { reasonOf } from './reason-of.js';
import { clearAround, releaseExclude, withoutBlock } from './take-away.js';

export interface RemovedContextFiles {
  /** Files that are gone, or without our block. */
  removed: string[];
  left: { path: string; reason: string }[];
}

interface Selection {
  ledgerFile: string;
  kinds: readonly ContextFileKind[];
}

/**
 * Takes our blocks and files out of all projects, as when a host is uninstalled: each file is then as it was before us. They stay
 * out until `allowContextFiles`. Needs neither worker nor git.
 */
export function removeContextFiles({ ledgerFile, kinds }: Selection): RemovedContextFiles {
  const ledger = readLedger(ledgerFile);
  const result: RemovedContextFiles = { removed: [], left: [] };
  if (!existsSync(dirname(ledgerFile))) return result;
  for (const kind of kinds) ledger.awayKinds.add(kind);
  // first, so that a worker does not write them again meanwhile
  writeLedger(ledgerFile, ledger);
  for (const [path, entry] of [...ledger.files]) {
    if (!kinds.includes(entry.kind)) continue;
    if (entry.state === 'away' && blockAsWritten(readSnapshot(path), entry) === null) continue;
    const taken = takeOut(path, entry);
    const reason = typeof taken === 'string' ? taken : null;
    const trouble =
      reason ?? (existsSync(path) ? releaseExclude(ledger, path, entry) : clearAround(ledger, path, entry));
    if (trouble !== null) result.left.push({ path, reason: trouble });
    else if (taken) result.removed.push(path);
    if (reason === null) ledger.files.delete(path);
  }
  writeLedger(ledgerFile, ledger);
  return result;
}

/** The files out of which it would take a block, changing nothing. */
export function findContextFiles({ ledgerFile, kinds }: Selection): string[] {
  const entries = [...readLedger(ledgerFile).files].filter(([, { kind }]) => kinds.includes(kind));
  return entries.filter(([path, entry]) => holdsOurs(path, entry)).map(([path]) => path);
}

function holdsOurs(path: string, entry: LedgerEntry): boolean {
  const current = readSnapshot(path);
  if (entry.state === 'away' && blockAsWritten(current, entry) === null) return false;
  return withoutBlock(current, entry) !== undefined;
}

/** Whether there was a block to take out, or why it stays. */
function takeOut(path: string, entry: LedgerEntry): boolean | string {
  try {
    const current = readSnapshot(path);
    if (current.kind === 'unfit') return current.reason;
    if (clearLeftovers(path)) return 'it is being changed';
    const block = current.kind === 'text' ? findBlock(current.text) : null;
    if (block?.kind === 'broken') return block.reason;
    const after = withoutBlock(current, entry);
    if (after === undefined) return false;
    return replaceSnapshot(path, current, after) || 'it is being changed';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return reasonOf(error);
  }
}

/** Lets the worker keep them again where the settings say so, as when a host is installed; what a person deleted stays deleted. */
export function allowContextFiles({ ledgerFile, kinds }: Selection): void {
  if (!existsSync(ledgerFile)) return;
  const ledger = readLedger(ledgerFile);
  if (!kinds.some((kind) => ledger.awayKinds.has(kind))) return;
  for (const kind of kinds) ledger.awayKinds.delete(kind);
  writeLedger(ledgerFile, ledger);
}
