import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '@claude-mem/core';

export interface ChosenFolder {
  /** Relative to the root, with `/`. */
  folder: string;
  /** Newest first. */
  observations: readonly Observation[];
}

const MOST_FOLDERS = 20;
/** A record that only read more files than this is not about any folder. */
const MOST_READ = 8;
const LONGEST_PATH = 1_000;

/** What tools make, bring along, or read file by file; folders with a leading dot are left alone anyway. */
const TOOL_FOLDERS = new Set(
  (
    'node_modules bower_components vendor third_party Pods Carthage site-packages __pycache__ venv env ' +
    'dist build out output target bin obj coverage tmp temp logs ' +
    'res resources assets public static pages content posts _posts migrations fixtures __fixtures__ testdata __snapshots__'
  ).split(' '),
);

/**
 * Folders in which work really happened: each holds a file that a record changed and that is there now. Nothing but plain folders
 * of this one checkout.
 */
export function chooseFolders(root: string, observations: readonly Observation[]): ChosenFolder[] {
  const newestFirst = [...observations].sort((a, b) => b.createdAtEpoch - a.createdAtEpoch || b.id - a.id);
  const folders = new Set<string>();
  const looked = new Map<string, boolean>();
  for (const file of newestFirst.flatMap(({ filesModified }) => filesModified)) {
    if (folders.size >= MOST_FOLDERS) break;
    const folder = folderOf(file);
    if (folder === null || folders.has(folder)) continue;
    const isFit = looked.get(folder) ?? isPlainFolder(root, folder);
    looked.set(folder, isFit);
    if (isFit && isFile(join(root, file))) folders.add(folder);
  }
  return [...folders].map((folder) => ({
    folder,
    observations: newestFirst.filter(({ filesModified, filesRead }) =>
      [...filesModified, ...(filesRead.length <= MOST_READ ? filesRead : [])].some(
        (file) => folderOf(file) === folder,
      ),
    ),
  }));
}

/** The folder of a path relative to the root; null for the root itself and for all that is no such path. */
function folderOf(file: string): string | null {
  // eslint-disable-next-line no-control-regex -- such a name cannot be told to git
  if (file.length > LONGEST_PATH || /[\u0000-\u001f\\]|:\/\//.test(file)) return null;
  const parts = file.split('/');
  const folders = parts.slice(0, -1);
  if (folders.length === 0 || parts.includes('')) return null;
  return folders.some((part) => part.startsWith('.') || part === '~' || TOOL_FOLDERS.has(part))
    ? null
    : folders.join('/');
}

/** No link on the way, and no other repository (a submodule, a worktree). */
export function isPlainFolder(root: string, folder: string): boolean {
  try {
    if (realpathSync.native(join(root, folder)) !== join(root, folder)) return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
  const parts = folder.split('/');
  return parts.every((_, index) => !existsSync(join(root, ...parts.slice(0, index + 1), '.git')));
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
