import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { realPathOf } from '../real-path.js';

/** A git checkout and the repository it belongs to. */
export interface Repository {
  /** Identity: folder of the main checkout, or the repository itself when it is bare. Shared by all worktrees. */
  main: string;
  /** The checkout at hand, which file paths are relative to. */
  checkout: string;
}

const MAX_LEVELS = 64;
const MAX_FILE_BYTES = 65_536;

/**
 * The repository a folder lies in, read from git's own files without starting git. Looks only upwards, at most 64 levels,
 * so the size of a folder does not matter. `isBarrier` says where not to look for one: the home folder of a person who keeps
 * it under git must not swallow everything below it.
 */
export function findRepository(
  folder: string,
  { isBarrier }: { isBarrier: (folder: string) => boolean },
): Repository | null {
  let current = folder;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const repository = isBarrier(current) ? null : repositoryAt(current);
    if (repository) return repository;
    const parent = dirname(current);
    if (parent === current) return null;
    current = parent;
  }
  return null;
}

function repositoryAt(folder: string): Repository | null {
  const git = join(folder, '.git');
  const kind = kindOf(git);
  if (kind === 'folder' && isRepositoryFolder(git)) return ofCommonDir(commonDirOf(git), folder);
  if (kind === 'file') return ofGitFile(git, folder);
  return kind === null && isRepositoryFolder(folder) ? ofCommonDir(folder, folder) : null;
}

/** A `.git` file points to the folder that git uses for a worktree, a submodule or a repository kept elsewhere. */
function ofGitFile(file: string, folder: string): Repository | null {
  const target = /^gitdir:[ \t]*([^\r\n]+)/.exec(readSmallFile(file) ?? '')?.[1]?.trim();
  if (!target) return null;
  const gitDir = realPathOf(resolve(folder, target));
  if (kindOf(gitDir) === 'folder') return ofCommonDir(commonDirOf(gitDir), folder);
  const lost = /^(.+)[\\/]worktrees[\\/][^\\/]+[\\/]?$/.exec(gitDir)?.[1];
  return lost === undefined ? { main: folder, checkout: folder } : ofCommonDir(lost, folder);
}

function commonDirOf(gitDir: string): string {
  const common = readSmallFile(join(gitDir, 'commondir'))?.trim();
  return common ? realPathOf(resolve(gitDir, common)) : realPathOf(gitDir);
}

function ofCommonDir(commonDir: string, checkout: string): Repository {
  if (basename(commonDir) === '.git') return { main: dirname(commonDir), checkout };
  const worktree = coreWorktree(commonDir);
  const main = worktree === null ? commonDir : realPathOf(resolve(commonDir, worktree));
  return { main, checkout };
}

/** Where the main checkout of a submodule is; other repositories do not say. */
function coreWorktree(commonDir: string): string | null {
  const config = readSmallFile(join(commonDir, 'config')) ?? '';
  const core = /^[ \t]*\[core\][^[]*/m.exec(config)?.[0] ?? '';
  return /^[ \t]*worktree[ \t]*=[ \t]*"?([^"\r\n]+?)"?[ \t]*$/m.exec(core)?.[1] ?? null;
}

function isRepositoryFolder(folder: string): boolean {
  return kindOf(join(folder, 'HEAD')) === 'file' && kindOf(join(folder, 'objects')) === 'folder';
}

function kindOf(path: string): 'file' | 'folder' | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null; // not readable is as good as not there
    throw error;
  }
}

function readSmallFile(path: string): string | null {
  try {
    const found = statSync(path);
    // a pipe or a device would be waited for without end
    return found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
