import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CheckoutHead } from '@claude-mem/core';
import { hasOwnRepository, readSmallFile } from '@claude-mem/host-adapters';

/** Maximum length of a ref in bytes. A file system cannot store longer refs as paths. */
const MAX_REF_LENGTH = 4_096;
/** Maximum size of packed-refs in bytes, enough for about 60,000 refs. */
const MAX_PACKED_BYTES = 4 * 1024 * 1024;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The git folders of a checkout: `own` for this worktree, and `shared` for all worktrees. */
export function findGitFolders(root: string): { own: string; shared: string } {
  const git = join(root, '.git');
  const target = /^gitdir:[ \t]*([^\r\n]+)/.exec(readSmallFile(git) ?? '')?.[1];
  const own = target === undefined ? git : resolve(root, target.trim());
  return { own, shared: resolve(own, readSmallFile(join(own, 'commondir'))?.trim() ?? '.') };
}

/**
 * Reads the branch and the commit of a checkout from the files of git, without starting git. Returns null outside of git, for a forged
 * git pointer, and when the commit cannot be read.
 */
export function readHead(root: string): CheckoutHead | null {
  if (!hasOwnRepository(root)) return null;
  const { own, shared } = findGitFolders(root);
  const head = readSmallFile(join(own, 'HEAD'))?.trim() ?? '';
  if (COMMIT.test(head)) return { branch: null, commit: head };
  const branch = branchIn(head, 'refs/heads/');
  // Git allows this branch name only in repositories that store refs in another format.
  if (branch === null || /(?:^|\/)\.|[\\\0-\x20]/.test(branch)) return null;
  const ref = `refs/heads/${branch}`;
  const loose = readSmallFile(join(shared, ref))?.trim();
  if (loose !== undefined) return COMMIT.test(loose) ? { branch, commit: loose } : null;
  const packed = readSmallFile(join(shared, 'packed-refs'), MAX_PACKED_BYTES);
  if (packed === null && existsSync(join(shared, 'packed-refs'))) return null;
  const end = packed?.indexOf(` ${ref}\n`) ?? -1;
  const commit = packed?.slice(packed.lastIndexOf('\n', end) + 1, end);
  return { branch, commit: end > 0 && commit !== undefined && COMMIT.test(commit) ? commit : null };
}

/** Returns the branch name of a symbolic ref, without the prefix. */
export function branchIn(text: string | null, prefix: string): string | null {
  const ref = /^ref:[ \t]*([^\r\n]+)/.exec(text ?? '')?.[1]?.trim() ?? '';
  return ref.startsWith(prefix) && ref.length > prefix.length && ref.length <= MAX_REF_LENGTH
    ? ref.slice(prefix.length)
    : null;
}
