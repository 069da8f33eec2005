import type { Clock, Logger } from '@claude-mem/core';
import { createAtHand } from './create-at-hand.js';
import type { BranchFiles } from './create-branch-files.js';

/** The files of the branch as far as they can be told at once: those of a look a while ago, where there was one. */
export type FilesAtHand = (root: string) => Promise<readonly string[]>;

export function createFilesAtHand({
  filesOfBranch,
  ...rest
}: {
  filesOfBranch: BranchFiles;
  clock: Clock;
  /** @default nowhere */
  log?: Pick<Logger, 'debug'>;
}): FilesAtHand {
  return createAtHand({ ...rest, look: filesOfBranch, what: 'The files of a branch' });
}
