import { messageOf, noopLogger, pause, type Clock, type Logger } from '@claude-mem/core';
import type { BranchFiles } from './create-branch-files.js';

/** The files of the branch as far as they can be told at once: those of a look a while ago, where there was one. */
export type FilesAtHand = (root: string) => Promise<readonly string[]>;

/** A session starts without them rather than late. */
const PATIENCE_MS = 30;
/** What was seen so lately is good enough; the next look is for the session after this one, and disturbs its start no more. */
const FRESH_MS = 10 * 60_000;
const REST_MS = 500;
/** A look that takes longer is given up. */
const LIMIT_MS = 5_000;
const MOST_ROOTS = 50;

export function createFilesAtHand({
  filesOfBranch,
  clock,
  log = noopLogger,
}: {
  filesOfBranch: BranchFiles;
  clock: Clock;
  /** @default nowhere */
  log?: Pick<Logger, 'debug'>;
}): FilesAtHand {
  const known = new Map<string, { files: readonly string[]; at: number }>();
  const looks = new Map<string, Promise<readonly string[]>>();

  const look = async (root: string, { afterMs }: { afterMs: number }): Promise<readonly string[]> => {
    const over = new AbortController();
    if (afterMs > 0) await pause(clock, afterMs, over.signal);
    void pause(clock, LIMIT_MS, over.signal).then(() => over.abort());
    try {
      const files = await filesOfBranch(root, { signal: over.signal });
      if (known.size >= MOST_ROOTS) known.clear();
      known.set(root, { files, at: clock.now() });
      return files;
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'The files of a branch could not be looked up');
      return known.get(root)?.files ?? [];
    } finally {
      over.abort();
      looks.delete(root);
    }
  };

  return async (root) => {
    const last = known.get(root);
    const isFresh = last !== undefined && clock.now() - last.at < FRESH_MS;
    const running = looks.get(root) ?? look(root, { afterMs: isFresh ? REST_MS : 0 });
    looks.set(root, running);
    if (isFresh) return last.files;
    const stop = new AbortController();
    const late = pause(clock, PATIENCE_MS, stop.signal).then(() => last?.files ?? []);
    const files = await Promise.race([running, late]);
    stop.abort();
    return files;
  };
}
