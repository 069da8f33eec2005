import { readFileSync } from 'node:fs';
import { isRecord } from '@claude-mem/core';
import { writeFileAtomically } from '@claude-mem/core/write-file';

export const CONTEXT_FILE_KINDS = ['claude-md', 'claude-md-folder', 'cursor-rules'] as const;
/** CLAUDE.md of the project, CLAUDE.md of a folder in it, or the rules file of Cursor. */
export type ContextFileKind = (typeof CONTEXT_FILE_KINDS)[number];

/** What we did to a file: enough to take it back, and to see what a person did to it since. */
export interface LedgerEntry {
  kind: ContextFileKind;
  /** The checkout that it is in. */
  root: string;
  /** `away`: it, or our block, was taken out, and stays out until a person wants it again. */
  state: 'kept' | 'away';
  /** The whole file is ours. */
  isNew: boolean;
  /** Line ends that we put before our block. */
  before: string;
  /** Where we told git to leave the file alone, and with which line. */
  exclude: { file: string; pattern: string } | null;
  /** Folders that we made for it, the innermost first. */
  madeFolders: readonly string[];
  /** Digest of the block as we wrote it last; '' before there was one. */
  block: string;
  /** Ids of the records in it. */
  shown: readonly number[];
  tokens: number;
}

export interface Ledger {
  /** By path. */
  files: Map<string, LedgerEntry>;
  /** Checkouts from which a person had all taken out. */
  awayRoots: Set<string>;
  /** Kinds that were uninstalled. */
  awayKinds: Set<ContextFileKind>;
}

/** A ledger that cannot be read is an empty one: whatever stands in files is then found by its marks. */
export function readLedger(file: string): Ledger {
  const stored = parse(file);
  const files = isRecord(stored['files']) ? Object.entries(stored['files']) : [];
  return {
    files: new Map(files.filter((entry): entry is [string, LedgerEntry] => isEntry(entry[1]))),
    awayRoots: new Set(textsOf(stored['awayRoots'])),
    awayKinds: new Set(textsOf(stored['awayKinds']).filter(isKind)),
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
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);
