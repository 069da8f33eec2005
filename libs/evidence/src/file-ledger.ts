import type { FileStep } from './file-step.js';
import { lineKey } from './line-difference.js';

/** What all steps of the work came to for one file. */
export interface FileChange {
  path: string;
  kind: 'created' | 'modified' | 'deleted' | 'moved';
  /** Where it was before, when moved. */
  from: string | null;
  added: readonly string[];
  removed: readonly string[];
  around: readonly string[];
}

export interface FileLedger {
  take(step: FileStep): void;
  /** A file that can be read is not deleted, whatever a command did before. */
  sawFile(path: string): void;
  /** What is left when everything that was undone again is taken off, in order of first touch. */
  changes(): FileChange[];
}

interface Entry {
  path: string;
  isNew: boolean | null;
  isDeleted: boolean;
  from: string | null;
  /** Line key → line and how often it is more there (positive) or less (negative) than before. */
  lines: Map<string, { line: string; count: number }>;
  hasBlindEdit: boolean;
  around: string[];
}

/** Keeps the balance of edits per file: an edit that is taken back, a file made and removed again, leave nothing. */
export function createFileLedger(wasKnown: (path: string) => boolean): FileLedger {
  let entries = new Map<string, Entry>();
  const stashes: Map<string, Entry>[] = [];
  const entryOf = (path: string): Entry => {
    const known = entries.get(path);
    if (known) return known;
    const fresh: Entry = {
      path,
      isNew: null,
      isDeleted: false,
      from: null,
      lines: new Map(),
      hasBlindEdit: false,
      around: [],
    };
    entries.set(path, fresh);
    return fresh;
  };
  const drop = (path: string) => {
    for (const key of [...entries.keys()])
      if (key === path || key.startsWith(`${path}/`)) entries.delete(key);
  };

  return {
    take(step) {
      switch (step.kind) {
        case 'edit': {
          const isFirst = !entries.has(step.path);
          const entry = entryOf(step.path);
          if (isFirst) entry.isNew = step.isNew ?? (wasKnown(step.path) ? false : null);
          entry.isDeleted = false;
          if (step.added.length === 0 && step.removed.length === 0) entry.hasBlindEdit = true;
          for (const line of step.added) count(entry, line, 1);
          for (const line of step.removed) count(entry, line, -1);
          entry.around.push(...step.around);
          break;
        }
        case 'delete': {
          const known = entries.get(step.path);
          const wasMade = known !== undefined && known.isNew !== false && known.from === null;
          const wasMoved = known?.from ?? null;
          drop(step.path);
          if (!wasMade) entryOf(wasMoved ?? step.path).isDeleted = true;
          break;
        }
        case 'move': {
          const before = entries.get(step.from);
          entries.delete(step.from);
          const entry = entryOf(step.path);
          if (before) Object.assign(entry, before, { path: step.path });
          if (before?.isNew !== true) entry.from = before?.from ?? step.from;
          if (entry.from === step.path) entry.from = null;
          break;
        }
        case 'restore':
          if (step.path === null) entries = new Map();
          else drop(step.path);
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
    sawFile(path) {
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
  const change = { path, from, added, removed, around: [...new Set(entry.around)] };
  if (entry.isDeleted) return [{ ...change, kind: 'deleted', added: [], removed: [] }];
  if (from !== null) return [{ ...change, kind: 'moved' }];
  if (entry.isNew === true) return [{ ...change, kind: 'created' }];
  if (added.length === 0 && removed.length === 0 && !entry.hasBlindEdit) return [];
  return [{ ...change, kind: 'modified' }];
}
