import { statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside, isLink, realPathOf } from '../real-path.js';
import { readSmallFile } from './read-small-file.js';

/** A git checkout and its repository. */
export interface Repository {
  /** The identity: folder of the main checkout, or the repository itself when it is bare. All worktrees share it. */
  main: string;
  /** The current checkout, to which file paths are relative. */
  checkout: string;
  /** Git's folder for this checkout, as the checkout names it. */
  gitDir: string;
}

const MAX_LEVELS = 64;
const MAX_PATH = 4_096;

/**
 * Finds the repository of a folder from git's own files, without starting git. Searches at most 64 parent folders, so
 * the size of a folder does not matter. `isBarrier` stops the search: a home folder under git must not include
 * everything below it.
 */
export function findRepository(
  folder: string,
  { isBarrier }: { isBarrier: (folder: string) => boolean },
): Repository | null {
  const found = findCheckout(folder, isBarrier);
  return found && { ...found, main: mainOfCheckout(found) };
}

/**
 * Checks whether the repository that git uses in a checkout belongs to the checkout, because git follows every
 * pointer and link, also to the repository of another project.
 */
export function hasOwnRepository(checkout: string): boolean {
  const found = kindOf(join(checkout, '.git')) === null ? null : checkoutAt(checkout);
  if (found === null) return false;
  const commonDir = commonDirOfWorktree(found);
  if (commonDir !== null) return [found.gitDir, commonDir].every(hasNoLinks);
  const isOwn = found.gitDir === join(checkout, '.git') || isNamedBy(found);
  return isOwn && hasNoLinks(found.gitDir) && statOrNull(join(found.gitDir, 'commondir')) === null;
}

function hasNoLinks(gitDir: string): boolean {
  return ['HEAD', 'config', 'objects', 'packed-refs', 'refs'].every((name) => !isLink(join(gitDir, name)));
}

type Checkout = Pick<Repository, 'checkout' | 'gitDir'>;

function findCheckout(folder: string, isBarrier: (folder: string) => boolean): Checkout | null {
  let current = folder;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const found = isBarrier(current) ? null : checkoutAt(current);
    if (found) return found;
    const parent = dirname(current);
    if (parent === current) return null;
    current = parent;
  }
  return null;
}

function checkoutAt(folder: string): Checkout | null {
  const git = join(folder, '.git');
  const kind = kindOf(git);
  if (kind === 'folder')
    return isRepositoryFolder(git) ? { checkout: folder, gitDir: realPathOf(git) } : null;
  if (kind === 'file') {
    const gitDir = gitDirNamedBy(folder);
    return gitDir === null ? null : { checkout: folder, gitDir };
  }
  if (!isRepositoryFolder(folder)) return null;
  return { checkout: basename(folder) === '.git' ? dirname(folder) : folder, gitDir: folder };
}

/** A `.git` file names the folder that git uses for a worktree, a submodule or a repository stored elsewhere. */
function gitDirNamedBy(folder: string): string | null {
  const target = /^gitdir:[ \t]*([^\r\n]+)/.exec(readSmallFile(join(folder, '.git')) ?? '')?.[1]?.trim();
  return target ? realPathOf(resolve(folder, target)) : null;
}

/**
 * The main checkout of a checkout's repository. A git folder elsewhere counts only when it names this checkout: otherwise an
 * unpacked archive could claim the memory of any repository. `core.worktree` of a bare repository never counts, since every clone
 * can contain files that look like one.
 */
function mainOfCheckout({ checkout, gitDir }: Checkout): string {
  if (gitDir === join(checkout, '.git') || gitDir === checkout) return checkout;
  const commonDir = commonDirOfWorktree({ checkout, gitDir });
  if (commonDir !== null) return mainOfCommonDir(commonDir);
  return isNamedBy({ checkout, gitDir }) ? mainOfSubmodule({ checkout, gitDir }) : checkout;
}

function isNamedBy({ checkout, gitDir }: Checkout): boolean {
  const worktree = coreWorktree(gitDir);
  return worktree !== null && isSameFile(worktree, checkout);
}

/** The git folder that all worktrees share; null when this is not a linked worktree of it. */
function commonDirOfWorktree({ checkout, gitDir }: Checkout): string | null {
  const common = readSmallFile(join(gitDir, 'commondir'))?.trim();
  const backLink = readSmallFile(join(gitDir, 'gitdir'))?.trim();
  if (!common || !backLink) return null;
  const commonDir = realPathOf(resolve(gitDir, common));
  const checkoutFile = resolve(gitDir, backLink);
  const isLinked =
    basename(checkoutFile) === '.git' &&
    isSameFile(dirname(checkoutFile), checkout) &&
    isSameFile(dirname(gitDir), join(commonDir, 'worktrees'));
  return isLinked ? commonDir : null;
}

function mainOfCommonDir(commonDir: string): string {
  if (basename(commonDir) === '.git') return dirname(commonDir);
  const worktree = coreWorktree(commonDir);
  const isNamed = worktree !== null && checkoutAt(worktree)?.gitDir === commonDir;
  return isNamed ? mainOfSubmodule({ checkout: worktree, gitDir: commonDir }) : commonDir;
}

/** A submodule in a worktree belongs to the submodule at the same path of the main checkout. */
function mainOfSubmodule({ checkout, gitDir }: Checkout): string {
  const superproject = findCheckout(dirname(checkout), () => false);
  // Every step leads into an outer git folder, so the recursion ends.
  if (superproject === null || !isInside(gitDir, join(superproject.gitDir, 'modules'))) return checkout;
  return join(mainOfCheckout(superproject), relative(superproject.checkout, checkout));
}

/** The checkout that the configuration of a git folder names. Git sets it for submodules. */
function coreWorktree(gitDir: string): string | null {
  for (const file of ['config.worktree', 'config']) {
    const worktree = readConfigValue(readSmallFile(join(gitDir, file)) ?? '', 'core', 'worktree');
    if (worktree !== null && worktree.length <= MAX_PATH) return realPathOf(resolve(gitDir, worktree));
  }
  return null;
}

/** Compares strings without a regular expression, which can take hours on untrusted text. */
function readConfigValue(text: string, section: string, name: string): string | null {
  let isInSection = false;
  for (const line of text.split('\n').map((each) => each.trim())) {
    const equals = line.indexOf('=');
    if (line.startsWith('[')) isInSection = line.startsWith(`[${section}]`);
    else if (isInSection && equals !== -1 && line.slice(0, equals).trim() === name) {
      const value = line.slice(equals + 1).trim();
      return /^"(.+)"$/.exec(value)?.[1] ?? (value || null);
    }
  }
  return null;
}

function isRepositoryFolder(folder: string): boolean {
  return kindOf(join(folder, 'HEAD')) === 'file' && kindOf(join(folder, 'objects')) === 'folder';
}

function kindOf(path: string): 'file' | 'folder' | null {
  const found = statOrNull(path);
  return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : null;
}

/** Compares the files and not their names, since a name can differ in case or lead through a link. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [statOrNull(one), statOrNull(other)];
  return a !== null && b !== null && a.dev === b.dev && a.ino === b.ino;
}

function statOrNull(path: string): BigIntStats | null {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true }) ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null; // An unreadable path counts as missing.
    throw error;
  }
}
