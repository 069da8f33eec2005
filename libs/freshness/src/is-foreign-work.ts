import type { CheckoutHead } from '@claude-mem/core';

/** Maximum number of commits in which the work of a branch is searched for. */
const MOST_COMMITS = 5_000;
/** Maximum number of files of a branch whose contents are searched for. */
const MOST_FILES = 200;
const RAW = ['-r', '--raw', '--no-renames', '--no-abbrev', '--no-ext-diff', '-z'];

/**
 * Whether it is proven that no other commit of the current branch contains the work up to a commit: no file that the work changed
 * has the same content in a later commit of the current branch.
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
  // an earlier commit of the branch is checked out, for example by a bisection
  if (base === undefined || (head.branch === null && base === head.commit)) return false;
  const difference = await read(['diff-tree', ...RAW, base, commit]);
  const work = blobsIn(difference).slice(0, MOST_FILES);
  // another commit can contain the same deletions
  if (work.length === 0) return false;
  const commits = await read(['rev-list', `--max-count=${MOST_COMMITS}`, head.commit ?? '', `^${base}`]);
  if (commits === null || commits.split('\n').length > MOST_COMMITS) return false;
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
