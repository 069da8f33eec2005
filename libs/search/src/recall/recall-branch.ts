import type { Observation } from '@claude-mem/core';
import type { Memory } from '../memory.js';
import { isOwnMatter } from './is-relevant.js';

export interface BranchRecallRequest {
  /** Name of the branch in git. */
  branch: string;
  /** Name or key of the project. */
  project: string;
  /** @default 5 */
  limit?: number;
  signal?: AbortSignal;
}

const LOOKED_AT = 20;
/** A branch name has few words, each chosen to describe the work, so one matching word is enough. */
const OWN_MATTER = 1 / 10;

/**
 * Returns records about the subject of a branch name, best first: the only knowledge about a session before its first
 * prompt. Of `someone/fix-voucher-total` the last part counts.
 * @throws SearchError like `search`, or the reason of the signal
 */
export async function recallBranch(
  memory: Pick<Memory, 'search'>,
  { branch, project, limit = 5, signal }: BranchRecallRequest,
): Promise<readonly Observation[]> {
  const name = branch.split('/').at(-1) ?? '';
  const query = name.replaceAll(/[-_]+/g, ' ').trim();
  if (query === '') return [];
  const { items } = await memory.search({
    query,
    project,
    limit: LOOKED_AT,
    explain: true,
    meaning: false,
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  return items
    .filter(
      ({ item, evidence }) => item.supersededBy === null && evidence && isOwnMatter(evidence, OWN_MATTER),
    )
    .map(({ item }) => item)
    .slice(0, limit);
}
