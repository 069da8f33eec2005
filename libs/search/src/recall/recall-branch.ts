import type { Observation } from '@claude-mem/core';
import type { Memory } from '../memory.js';
import { isOwnMatter } from './is-relevant.js';

export interface BranchRecallRequest {
  /** Name of the branch, as git has it. */
  branch: string;
  /** Name or key. */
  project: string;
  /** @default 5 */
  limit?: number;
  signal?: AbortSignal;
}

const LOOKED_AT = 20;
/** A name is a few words, each chosen to say what the work is: one of them is enough. */
const OWN_MATTER = 1 / 10;

/**
 * What a memory holds on the matter that a branch is named for, best first: all that is known of a session before its first prompt.
 * Of `someone/fix-voucher-total` the last part counts.
 * @throws SearchError as `search` does; the signal's reason when aborted
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
