import { messageOf, pause, type Clock, type Observation, type ProjectRef } from '@claude-mem/core';
import type { Memory } from '@claude-mem/search';
import type { WorkerLog } from '../log/create-log.js';
import { readBranchName } from './read-branch-name.js';

/** What is known of the matter that the branch at hand is named for, as far as it can be told at once. */
export type BranchRecords = (root: string, project: ProjectRef['key']) => Promise<readonly Observation[]>;

/** A session starts without them rather than late. */
const PATIENCE_MS = 30;

export function createBranchRecords({
  memory,
  clock,
  log,
}: {
  memory(): Promise<Pick<Memory, 'search'>>;
  clock: Clock;
  log: WorkerLog;
}): BranchRecords {
  const find = async (root: string, project: string, signal: AbortSignal) => {
    const branch = await readBranchName(root);
    if (branch === null) return [];
    // only now: most starts are on the main branch, and search is large
    const { recallBranch } = await import('@claude-mem/search');
    return recallBranch(await memory(), { branch, project, signal });
  };
  return async (root, project) => {
    const stop = new AbortController();
    const found = find(root, project, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted)
        log.warn({ reason: messageOf(error) }, 'What is known of the branch could not be looked up');
      return [];
    });
    const late = pause(clock, PATIENCE_MS, stop.signal).then(() => []);
    const records = await Promise.race([found, late]);
    stop.abort();
    return records;
  };
}
