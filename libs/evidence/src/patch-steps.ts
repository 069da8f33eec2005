import type { FileStep } from './file-step.js';

/** Reads the patch format of `apply_patch`: sections of added, updated, moved and deleted files. */
export function readPatch(patch: string, path: (word: string) => string | null): FileStep[] {
  const steps: FileStep[] = [];
  let edit: {
    path: string;
    removed: string[];
    added: string[];
    isNew: boolean;
    declarations: string[];
  } | null = null;
  const finish = () => {
    if (edit) steps.push({ kind: 'edit', ...edit });
    edit = null;
  };
  for (const line of patch.split('\n').slice(0, 8_000)) {
    const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line.trimEnd());
    if (header) {
      const named = path(header[2]!.trim());
      if (header[1] === 'Move to') {
        const moved: string | undefined = edit?.path;
        if (moved !== undefined && named !== null) {
          steps.push({ kind: 'move', from: moved, path: named });
          edit!.path = named;
        }
        continue;
      }
      finish();
      if (named === null) continue;
      if (header[1] === 'Delete File') steps.push({ kind: 'delete', path: named });
      else edit = { path: named, removed: [], added: [], isNew: header[1] === 'Add File', declarations: [] };
    } else if (edit) {
      if (line.startsWith('+')) edit.added.push(line.slice(1));
      else if (line.startsWith('-')) edit.removed.push(line.slice(1));
      else if (line.startsWith('@@') && line.length > 3) edit.declarations.push(line.replace(/^@@\s*/, ''));
    }
  }
  finish();
  return steps;
}
