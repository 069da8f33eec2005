import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '@claude-mem/core';

export interface ChosenFolder {
  /** Relative to the root, with `/`. */
  folder: string;
  /** Newest first. */
  observations: readonly Observation[];
}

const MAX_FOLDERS = 20;
/** A record that only read more files than this is not about any folder. */
const MAX_FILES_READ = 8;
const MAX_PATH_LENGTH = 1_000;

/** Folders that tools create or process file by file. Folders with a leading dot are always skipped. */
const TOOL_FOLDERS = new Set(
  (
    'node_modules bower_components vendor third_party Pods Carthage site-packages __pycache__ venv env ' +
    'dist build out output target bin obj coverage tmp temp logs ' +
    'res resources assets public static pages content posts _posts migrations fixtures __fixtures__ testdata __snapshots__'
  ).split(' '),
);

/**
 * Returns the folders of the checkout that contain an existing file that a record changed. Skips links, other repositories and
 * folders of tools.
 */
export function chooseFolders(root: string, observations: readonly Observation[]): ChosenFolder[] {
  const newestFirst = [...observations].sort((a, b) => b.createdAtEpoch - a.createdAtEpoch || b.id - a.id);
  const folders = new Set<string>();
  const checked = new Map<string, boolean>();
  for (const file of newestFirst.flatMap(({ filesModified }) => filesModified)) {
    if (folders.size >= MAX_FOLDERS) break;
    const folder = findFolder(file);
    if (folder === null || folders.has(folder)) continue;
    const isPlain = checked.get(folder) ?? isPlainFolder(root, folder);
    checked.set(folder, isPlain);
    if (isPlain && isFile(join(root, file))) folders.add(folder);
  }
  return [...folders].map((folder) => ({
    folder,
    observations: newestFirst.filter(({ filesModified, filesRead }) =>
      [...filesModified, ...(filesRead.length <= MAX_FILES_READ ? filesRead : [])].some(
        (file) => findFolder(file) === folder,
      ),
    ),
  }));
}

/** Returns the folder of a file, relative to the root. Null for the root, for invalid paths and for skipped folders. */
function findFolder(file: string): string | null {
  // eslint-disable-next-line no-control-regex -- such a name cannot be passed to git
  if (file.length > MAX_PATH_LENGTH || /[\u0000-\u001f\\]|:\/\//.test(file)) return null;
  const parts = file.split('/');
  const folders = parts.slice(0, -1);
  if (folders.length === 0 || parts.includes('')) return null;
  return folders.some((part) => part.startsWith('.') || part === '~' || TOOL_FOLDERS.has(part))
    ? null
    : folders.join('/');
}

/** Whether the path contains no link and no other repository, such as a submodule or a worktree. */
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
