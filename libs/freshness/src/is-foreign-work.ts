import type { CheckoutHead } from '@claude-mem/core';

/** Maximum number of commits of the current branch that are searched. */
const MAX_COMMITS = 5_000;
/** Maximum number of changed files that are compared. */
const MAX_FILES = 200;
const RAW = ['-r', '--raw', '--no-renames', '--no-abbrev', '--no-ext-diff', '-z'];

/**
 * Returns true if no commit of the current branch contains the work of another branch up to `commit`. This is proven
 * if no changed file has the same content in a later commit of the current branch.
 */
export async function isForeignWork(
  commit: string,
  {
    head,
    read,
  }: {
    head: CheckoutHead;
    /** Returns the output of git, or null when git fails. */
    read: (args: readonly string[], input?: string) => Promise<string | null>;
  },
): Promise<boolean> {
  const base = (await read(['merge-base', commit, head.commit ?? '']))?.trim();
  // Nothing is proven without a common ancestor, or when an earlier commit of the branch is checked out, as in a
  // bisection.
  if (base === undefined || (head.branch === null && base === head.commit)) return false;
  const difference = await read(['diff-tree', ...RAW, base, commit]);
  const work = blobsIn(difference).slice(0, MAX_FILES);
  // Deletions alone prove nothing, because other commits can contain the same deletions.
  if (work.length === 0) return false;
  const commits = await read(['rev-list', `--max-count=${MAX_COMMITS}`, head.commit ?? '', `^${base}`]);
  if (commits === null || commits.split('\n').length > MAX_COMMITS) return false;
  const changes = await read(
    ['diff-tree', '--stdin', ...RAW, '--', ...work.map(({ path }) => path)],
    commits,
  );
  const known = new Set(blobsIn(changes).map(({ path, blob }) => `${blob} ${path}`));
  return changes !== null && !work.some(({ path, blob }) => known.has(`${blob} ${path}`));
}

/** Lists the contents of the files in the output of `git diff-tree --raw -z`, except deleted files. */
function blobsIn(list: string | null): { path: string; blob: string }[] {
  const changes = (list ?? '').matchAll(/:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [AMT]\0([^\0]+)\0/g);
  return [...changes].map(([, blob = '', path = '']) => ({ path, blob }));
}
