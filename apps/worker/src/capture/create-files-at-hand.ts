import { pause, type Clock } from '@claude-mem/core';
import type { BranchFiles } from './create-branch-files.js';

/** The files of the branch as far as they can be told at once: those of the last look where a new one takes longer. */
export type FilesAtHand = (root: string) => Promise<readonly string[]>;

/** A session starts without them rather than late. */
const PATIENCE_MS = 30;
/** A look that takes longer is given up. */
const LIMIT_MS = 5_000;
const MOST_ROOTS = 50;

export function createFilesAtHand({
  filesOfBranch,
  clock,
}: {
  filesOfBranch: BranchFiles;
  clock: Clock;
}): FilesAtHand {
  const known = new Map<string, readonly string[]>();
  const looks = new Map<string, Promise<readonly string[]>>();

  const look = async (root: string): Promise<readonly string[]> => {
    const over = new AbortController();
    void pause(clock, LIMIT_MS, over.signal).then(() => over.abort());
    try {
      const files = await filesOfBranch(root, { signal: over.signal });
      if (known.size >= MOST_ROOTS) known.clear();
      known.set(root, files);
      return files;
    } finally {
      over.abort();
      looks.delete(root);
    }
  };

  return async (root) => {
    const running = looks.get(root) ?? look(root);
    looks.set(root, running);
    const stop = new AbortController();
    const late = pause(clock, PATIENCE_MS, stop.signal).then(() => known.get(root) ?? []);
    const files = await Promise.race([running, late]);
    stop.abort();
    return files;
  };
}
