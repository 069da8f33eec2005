import type { Clock, Logger, Observation, ProjectRef, Store } from '@claude-mem/core';
import type { Memory } from '@claude-mem/search';
import { createAtHand } from './create-at-hand.js';
import { readBranchName } from '@claude-mem/freshness';

/** What is known of the matter that the branch at hand is named for, as far as it can be told at once. */
export type BranchRecords = (root: string, project: ProjectRef['key']) => Promise<readonly Observation[]>;

export function createBranchRecords({
  memory,
  isOpen,
  store,
  ...rest
}: {
  memory(this: void): Promise<Pick<Memory, 'search'>>;
  /** Whether the memory is open: opening one is nothing that the start of a session waits for. */
  isOpen(this: void): boolean;
  store: Pick<Store, 'observationsByIds'>;
  clock: Clock;
  /** @default nowhere */
  log?: Pick<Logger, 'debug'>;
}): BranchRecords {
  const idsAtHand = createAtHand<number>({
    ...rest,
    isReady: isOpen,
    what: 'What is known of a branch',
    async look(key, { signal }) {
      const { project, branch } = JSON.parse(key) as Key;
      // only now: most sessions are on the main branch, and search is large
      const { recallBranch } = await import('@claude-mem/search');
      const found = await recallBranch(await memory(), { branch, project, signal });
      return found.map(({ id }) => id);
    },
  });
  return async (root, project) => {
    const branch = readBranchName(root);
    if (branch === null) return [];
    const ids = await idsAtHand(JSON.stringify({ project, branch } satisfies Key));
    // what was forgotten since is not there any more
    return ids.length === 0 ? [] : store.observationsByIds(ids);
  };
}

interface Key {
  project: string;
  branch: string;
}
