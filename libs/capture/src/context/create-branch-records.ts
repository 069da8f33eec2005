import type { Clock, Logger, Observation, ProjectRef, Store } from '@claude-mem/core';
import { readBranchName } from '@claude-mem/freshness';
import type { Memory } from '@claude-mem/search';
import { createCachedLookup } from './create-cached-lookup.js';

/** Returns the records that match the name of the current branch. The result can come from an earlier lookup. */
export type BranchRecords = (root: string, project: ProjectRef['key']) => Promise<readonly Observation[]>;

/**
 * Creates the lookup of branch records. After an error or a timeout, it returns the records of an earlier lookup, or
 * none.
 */
export function createBranchRecords({
  memory,
  isMemoryOpen,
  store,
  ...rest
}: {
  memory(this: void): Promise<Pick<Memory, 'search'>>;
  /** False until the search is open. A session start does not wait for it. */
  isMemoryOpen(this: void): boolean;
  store: Pick<Store, 'observationsByIds'>;
  clock: Clock;
  log?: Pick<Logger, 'debug'>;
}): BranchRecords {
  const findIds = createCachedLookup<number>({
    ...rest,
    isReady: isMemoryOpen,
    name: 'The records of a branch',
    async lookup(key, { signal }) {
      const { project, branch } = JSON.parse(key) as Key;
      // This import is lazy, because search is large and most sessions are on the main branch.
      const { recallBranch } = await import('@claude-mem/search');
      const found = await recallBranch(await memory(), { branch, project, signal });
      return found.map(({ id }) => id);
    },
  });
  return async (root, project) => {
    const branch = readBranchName(root);
    if (branch === null) return [];
    const ids = await findIds(JSON.stringify({ project, branch } satisfies Key));
    // The store does not return records that were deleted meanwhile.
    return ids.length === 0 ? [] : store.observationsByIds(ids);
  };
}

interface Key {
  project: string;
  branch: string;
}
