import type { FileStep } from './file-step.js';
import { lineKey } from './diff-lines.js';

/** Net result of all file steps for one file. */
export interface FileChange {
  path: string;
  kind: 'created' | 'modified' | 'deleted' | 'moved';
  /** The previous path of a moved file. */
  from: string | null;
  added: readonly string[];
  removed: readonly string[];
  declarations: readonly string[];
}

export interface FileLedger {
  apply(step: FileStep): void;
  /** Records that the file can be read, so it is not deleted. */
  markRead(path: string): void;
  /** Returns the changes that remain after reverted edits, in order of the first step of each file. */
  changes(): FileChange[];
}

interface Entry {
  path: string;
  isNew: boolean | null;
  isDeleted: boolean;
  from: string | null;
  /** Maps a line key to the line and its net count: positive for added lines, negative for removed lines. */
  lines: Map<string, { line: string; count: number }>;
  hasUnknownEdit: boolean;
  declarations: string[];
}

/**
 * Creates a ledger of the net edits of each file. A reverted edit, or a file that is created and deleted again, results
 * in no change.
 * @param isKnownFile returns true for a file that existed before its first edit
 */
export function createFileLedger(isKnownFile: (path: string) => boolean): FileLedger {
  let entries = new Map<string, Entry>();
  const stashes: Map<string, Entry>[] = [];
  const getEntry = (path: string): Entry => {
    const known = entries.get(path);
    if (known) return known;
    const fresh: Entry = {
      path,
      isNew: null,
      isDeleted: false,
      from: null,
      lines: new Map(),
      hasUnknownEdit: false,
      declarations: [],
    };
    entries.set(path, fresh);
    return fresh;
  };
  const removeEntries = (path: string) => {
    for (const key of [...entries.keys()])
      if (key === path || key.startsWith(`${path}/`)) entries.delete(key);
  };

  return {
    apply(step) {
      switch (step.kind) {
        case 'edit': {
          const isFirst = !entries.has(step.path);
          const entry = getEntry(step.path);
          if (isFirst) entry.isNew = step.isNew ?? (isKnownFile(step.path) ? false : null);
          entry.isDeleted = false;
          if (step.added.length === 0 && step.removed.length === 0) entry.hasUnknownEdit = true;
          for (const line of step.added) count(entry, line, 1);
          for (const line of step.removed) count(entry, line, -1);
          entry.declarations.push(...step.declarations);
          break;
        }
        case 'delete': {
          const known = entries.get(step.path);
          const wasCreated = known !== undefined && known.isNew !== false && known.from === null;
          const wasMoved = known?.from ?? null;
          removeEntries(step.path);
          if (!wasCreated) getEntry(wasMoved ?? step.path).isDeleted = true;
          break;
        }
        case 'move': {
          const before = entries.get(step.from);
          entries.delete(step.from);
          const entry = getEntry(step.path);
          if (before) Object.assign(entry, before, { path: step.path });
          if (before?.isNew !== true) entry.from = before?.from ?? step.from;
          if (entry.from === step.path) entry.from = null;
          break;
        }
        case 'restore':
          if (step.path === null) entries = new Map();
          else removeEntries(step.path);
          break;
        case 'stash':
          stashes.push(entries);
          entries = new Map();
          break;
        case 'unstash': {
          const stashed = stashes.pop();
          if (stashed) entries = new Map([...stashed, ...entries]);
          break;
        }
      }
    },
    markRead(path) {
      if (entries.get(path)?.isDeleted === true) entries.delete(path);
    },
    changes: () => [...entries.values()].flatMap(netChange),
  };
}

function count(entry: Entry, line: string, by: 1 | -1): void {
  const key = lineKey(line);
  if (key === '') return;
  const known = entry.lines.get(key);
  if (known) known.count += by;
  else entry.lines.set(key, { line, count: by });
}

function netChange(entry: Entry): FileChange[] {
  const lines = [...entry.lines.values()];
  const added = lines.filter(({ count }) => count > 0).map(({ line }) => line);
  const removed = lines.filter(({ count }) => count < 0).map(({ line }) => line);
  const { path, from } = entry;
  const change = { path, from, added, removed, declarations: [...new Set(entry.declarations)] };
  if (entry.isDeleted) return [{ ...change, kind: 'deleted', added: [], removed: [] }];
  if (from !== null) return [{ ...change, kind: 'moved' }];
  if (entry.isNew === true) return [{ ...change, kind: 'created' }];
  if (added.length === 0 && removed.length === 0 && !entry.hasUnknownEdit) return [];
  return [{ ...change, kind: 'modified' }];
}
