import { existsSync } from 'node:fs';
import {
  messageOf,
  pause,
  type Clock,
  type Observation,
  type ObservationFreshness,
  type Store,
  type ProjectFinder,
  type Logger,
} from '@claude-mem/core';
import type { RunGit } from './git/create-git.js';
import { readHead } from './git/read-head.js';
import { createRecordCheck, type RecordCheck } from './create-record-check.js';

/** Finds records whose files were changed, moved or deleted after the record was stored. */
export interface Freshness {
  /** Requests a check of the records of a project. */
  wake(projectId: number, root: string): void;
  /**
   * Adds the known state of the files to each record. A verdict counts only while the commit for which it was
   * computed is checked out.
   * @param options.root counts only verdicts for this checkout. @default any
   */
  label<Item extends Observation>(
    records: readonly Item[],
    options?: { root?: string | null },
  ): Promise<readonly Item[]>;
  /** Checks records until the signal is aborted. */
  run(): Promise<void>;
}

const TICK_MS = 2_000;
/** Checks start when no event has arrived for this time, in milliseconds. */
const QUIET_MS = 2_000;
/** Interval in milliseconds at which commits of other programs are detected. */
const HEAD_CHECK_MS = 30_000;
const MAX_CHECKOUTS = 20;

interface Watched {
  projectId: number;
  check: RecordCheck;
  isWaiting: boolean;
}

/**
 * Creates the service that compares records with the files of their checkouts. It works after `run()` was called,
 * whenever no event has arrived for two seconds.
 * @param options.store the records and their verdicts
 * @param options.findProject returns the checkout of a project, and whether the project is excluded
 * @param options.lastEventAt epoch milliseconds
 */
export function createFreshness({
  store,
  git,
  findProject,
  lastEventAt,
  clock,
  log,
  signal,
}: {
  store: Pick<Store, 'listProjects' | 'listObservationFiles' | 'setFreshness' | 'freshnessOf'>;
  git: RunGit;
  findProject: ProjectFinder;
  lastEventAt(): number;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  signal: AbortSignal;
}): Freshness {
  /** Watched checkouts by folder, in the order of the last `wake`. */
  const watched = new Map<string, Watched>();
  let headCheckedAt = 0;

  const wake = (projectId: number, root: string) => {
    const known = watched.get(root);
    const isKnown = known?.projectId === projectId;
    const check = isKnown ? known.check : createRecordCheck({ store, git, projectId, root, signal });
    check.restart();
    // A project has one set of verdicts, which belongs to the checkout that was used last.
    for (const one of watched.values()) if (one.projectId === projectId) one.isWaiting = false;
    watched.delete(root);
    watched.set(root, { projectId, check, isWaiting: true });
    const [oldest] = watched.keys();
    if (watched.size > MAX_CHECKOUTS && oldest !== undefined) watched.delete(oldest);
  };

  /** Checks the projects with the latest activity, because their files may have changed while no worker was running. */
  const wakeAll = async () => {
    const projects = await store.listProjects();
    const isWatched = (id: number) => [...watched.values()].some(({ projectId }) => projectId === id);
    const byActivity = projects.toSorted((a, b) => (a.lastActivityEpoch ?? 0) - (b.lastActivityEpoch ?? 0));
    for (const { id, key } of byActivity.slice(-MAX_CHECKOUTS)) {
      const { project, root, isExcluded } = findProject({ projectDir: key, cwd: null });
      if (project?.key === key && root !== null && !isExcluded && !isWatched(id)) wake(id, root);
    }
  };

  const isQuiet = () => !signal.aborted && clock.now() - lastEventAt() >= QUIET_MS;

  const checkWaiting = async () => {
    for (const one of watched.values()) {
      while (one.isWaiting && isQuiet()) {
        // After an error, the checkout is not checked until the next `wake`.
        one.isWaiting = false;
        if (await one.check.step()) one.isWaiting = true;
      }
    }
  };

  const tick = async () => {
    if (isQuiet() && clock.now() - headCheckedAt >= HEAD_CHECK_MS) {
      headCheckedAt = clock.now();
      const current = new Map([...watched.values()].map((one) => [one.projectId, one]));
      for (const { projectId, check, isWaiting } of current.values())
        if (!isWaiting && check.isOutdated()) wake(projectId, check.root);
    }
    await checkWaiting();
  };

  return {
    wake,
    async label(records, { root = null } = {}) {
      if (records.length === 0) return records;
      const rows = await store.freshnessOf(records.map(({ id }) => id));
      const known = new Map(
        current(rows.filter(({ checkout }) => root === null || checkout === root)).map((row) => [
          row.observationId,
          row.freshness,
        ]),
      );
      return records.map((record) => {
        const freshness = known.get(record.id);
        const isKnown = freshness && (freshness.verdict !== 'unknown' || freshness.branch !== null);
        return isKnown ? { ...record, freshness } : record;
      });
    },
    async run() {
      const attempt = async (work: () => Promise<void>) => {
        try {
          await work();
        } catch (error) {
          if (!signal.aborted)
            log.warn({ reason: messageOf(error) }, 'Records could not be compared with their files');
        }
      };
      await attempt(wakeAll);
      while (!signal.aborted) {
        await pause(clock, TICK_MS, signal);
        await attempt(tick);
      }
    },
  };
}

/** Returns the verdicts for the commits that are checked out. */
function current(rows: readonly ObservationFreshness[]): readonly ObservationFreshness[] {
  const commits = new Map<string, string | null | undefined>();
  for (const { checkout } of rows)
    if (!commits.has(checkout))
      commits.set(checkout, existsSync(checkout) ? (readHead(checkout)?.commit ?? null) : undefined);
  return rows.filter(({ checkout, headCommit }) => commits.get(checkout) === headCommit);
}
