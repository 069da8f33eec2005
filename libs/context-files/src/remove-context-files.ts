import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { readSnapshot, replaceSnapshot } from './file-snapshot.js';
import { awayFrom } from './keep-file.js';
import { readLedger, writeLedger, type ContextFileKind } from './ledger.js';
import { findBlock } from './our-block.js';
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
  for (const [path, entry] of ledger.files) {
    if (!kinds.includes(entry.kind) || entry.state === 'away') continue;
    const current = readSnapshot(path);
    const block = current.kind === 'text' ? findBlock(current.text) : null;
    const after = withoutBlock(current, entry);
    const reason =
      current.kind === 'unfit'
        ? current.reason
        : block?.kind === 'broken'
          ? block.reason
          : after !== undefined && !replaceSnapshot(path, current, after)
            ? 'it is being changed'
            : null;
    const trouble =
      reason ?? (existsSync(path) ? releaseExclude(ledger, path, entry) : clearAround(ledger, path, entry));
    if (trouble !== null) result.left.push({ path, reason: trouble });
    else if (after !== undefined) result.removed.push(path);
    if (reason === null) ledger.files.set(path, awayFrom(entry));
  }
  writeLedger(ledgerFile, ledger);
  return result;
}

/** Lets the worker keep them again where the settings say so, as when a host is installed. */
export function allowContextFiles({ ledgerFile, kinds }: Selection): void {
  if (!existsSync(ledgerFile)) return;
  const ledger = readLedger(ledgerFile);
  const given = kinds.filter((kind) => ledger.awayKinds.delete(kind));
  if (given.length === 0) return;
  for (const [path, { kind, state }] of [...ledger.files])
    if (given.includes(kind) && state === 'away') ledger.files.delete(path);
  writeLedger(ledgerFile, ledger);
}
