import { readFileSync } from 'node:fs';
import { isRecord } from '@claude-mem/core';
import { writeFileAtomically } from '@claude-mem/core/write-file';

export const CONTEXT_FILE_KINDS = ['claude-md', 'claude-md-folder', 'cursor-rules'] as const;
/** CLAUDE.md of the project, CLAUDE.md of a folder in it, or the rules file of Cursor. */
export type ContextFileKind = (typeof CONTEXT_FILE_KINDS)[number];

/** State of a context file: enough to undo all changes, and to detect changes of the user. */
export interface LedgerEntry {
  kind: ContextFileKind;
  /** Root of the checkout. */
  root: string;
  /** `away`: the file or its block was removed and is not written again until the user restores it. */
  state: 'kept' | 'away';
  /** True when claude-mem created the file. */
  isNew: boolean;
  /** Line ends that were added before the block. */
  before: string;
  /** Line that was added to the exclude file of git. */
  exclude: { file: string; pattern: string } | null;
  /** Folders that were created for the file, innermost first. */
  madeFolders: readonly string[];
  /** Digest of the last written block. Empty before the first write. */
  block: string;
  /** Ids of the records in the block. */
  shown: readonly number[];
  tokens: number;
}

export interface Ledger {
  /** Entries by absolute path. */
  files: Map<string, LedgerEntry>;
  /** Roots of checkouts from which the user removed all files. */
  awayRoots: Set<string>;
  /** Kinds that an uninstallation removed. */
  awayKinds: Set<ContextFileKind>;
}

/** Returns an empty ledger when its content is invalid. Existing blocks are then found by their markers. */
export function readLedger(file: string): Ledger {
  const stored = parse(file);
  const files = isRecord(stored['files']) ? Object.entries(stored['files']) : [];
  return {
    files: new Map(files.filter((entry): entry is [string, LedgerEntry] => isEntry(entry[1]))),
    awayRoots: new Set(toTexts(stored['awayRoots'])),
    awayKinds: new Set(toTexts(stored['awayKinds']).filter(isKind)),
  };
}

export function writeLedger(file: string, { files, awayRoots, awayKinds }: Ledger): void {
  const stored = {
    files: Object.fromEntries(files),
    awayRoots: [...awayRoots],
    awayKinds: [...awayKinds],
  };
  writeFileAtomically(file, `${JSON.stringify(stored, null, 1)}\n`);
}

function parse(file: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(parsed) ? parsed : {};
  } catch (error) {
    const isExpected = error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isExpected) throw error;
    return {};
  }
}

function isEntry(value: unknown): value is LedgerEntry {
  if (!isRecord(value)) return false;
  const { kind, root, state, isNew, before, exclude, madeFolders, block, shown, tokens } = value;
  return (
    isKind(kind) &&
    typeof root === 'string' &&
    (state === 'kept' || state === 'away') &&
    typeof isNew === 'boolean' &&
    typeof before === 'string' &&
    /^[\r\n]*$/.test(before) &&
    (exclude === null || (isRecord(exclude) && [exclude['file'], exclude['pattern']].every(isText))) &&
    Array.isArray(madeFolders) &&
    madeFolders.every(isText) &&
    typeof block === 'string' &&
    Array.isArray(shown) &&
    shown.every((id) => Number.isSafeInteger(id)) &&
    Number.isSafeInteger(tokens)
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isKind = (value: unknown): value is ContextFileKind =>
  CONTEXT_FILE_KINDS.some((kind) => kind === value);
const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);
