import { isSavedByAgent, MAX_AGENT_RECORDS, type Observation } from '@claude-mem/core';
import { byNewest } from './by-newest.js';
import { formatInformativeTitle } from './index-line.js';

export interface SkippedRecord {
  id: number;
  reason: string;
}

/** Reason of records that the budget excludes. All other reasons depend on the record. */
export const NO_ROOM = 'no room';

const TYPE_WEIGHT: Readonly<Record<string, number>> = {
  decision: 1.3,
  bugfix: 1.15,
  feature: 1.1,
  discovery: 1,
  refactor: 0.9,
  change: 0.8,
};
const HALF_LIFE_MS = 14 * 86_400_000;
/** Minimum recency factor of old records. */
const MIN_RECENCY = 0.15;
const FILE_WEIGHT = 2.5;
/** Factor of a record whose files changed or whose branch was deleted. */
const STALE_WEIGHT = 0.7;
const FILES_DELETED = 'its files were deleted';
const BRANCH_OPEN = 'it is of another branch that is not merged';
/** Number of newest records that are always ranked first. */
const ALWAYS_FIRST = 5;
const MAX_CURRENT = 8;

/**
 * Orders observations for the start of a session.
 *
 * - `current`: the newest records that changed a file of the branch, and records about the name of the branch, newest first.
 * - `ranked`: all others. The five newest come first, then type, age and files of the branch decide. Age counts from the newest record.
 * - `skipped`: superseded records, records with the same title as a newer or saved one, records whose files were deleted, and records of
 *   another open branch.
 *
 * S06: shows only a few records that agents saved, after all records that a person saved.
 */
export function rankObservations(
  observations: readonly Observation[],
  {
    pinned,
    files,
    onBranch = [],
  }: {
    pinned: readonly Observation[];
    files: readonly string[];
    onBranch?: readonly Observation[];
  },
): { current: Observation[]; ranked: Observation[]; skipped: SkippedRecord[] } {
  const skipped: SkippedRecord[] = [];
  const ids = new Set(pinned.map(({ id }) => id));
  const titles = new Map(pinned.map((observation) => [titleKey(observation), observation.id]));
  const paths = listPathSuffixes(files);
  const distinct: Observation[] = [];
  const candidates = [...observations, ...onBranch].sort(
    (a, b) => Number(isManual(b)) - Number(isManual(a)) || byNewest(a, b),
  );
  for (const observation of candidates) {
    if (ids.has(observation.id)) continue;
    ids.add(observation.id);
    const key = titleKey(observation);
    const duplicateId = titles.get(key);
    if (key === '') skipped.push({ id: observation.id, reason: 'no text' });
    else if (observation.supersededBy !== null)
      skipped.push({ id: observation.id, reason: `superseded by #${observation.supersededBy}` });
    else if (observation.freshness?.verdict === 'gone')
      skipped.push({ id: observation.id, reason: FILES_DELETED });
    else if (observation.freshness?.branch?.state === 'open')
      skipped.push({ id: observation.id, reason: BRANCH_OPEN });
    else if (duplicateId !== undefined)
      skipped.push({ id: observation.id, reason: `same title as #${duplicateId}` });
    else {
      titles.set(key, observation.id);
      distinct.push(observation);
    }
  }
  distinct.sort(byNewest);
  const tooMany = new Set(distinct.filter(isSavedByAgent).slice(MAX_AGENT_RECORDS));
  const reason = `only ${MAX_AGENT_RECORDS} records that agents saved are shown`;
  skipped.push(...[...tooMany].map(({ id }) => ({ id, reason })));
  const remaining = manualBeforeAgents(distinct.filter((observation) => !tooMany.has(observation)));
  const newest = distinct[0]?.createdAtEpoch ?? 0;
  const changedFiles = remaining
    .filter(({ filesModified }) => filesModified.some((file) => paths.has(file)))
    .slice(0, MAX_CURRENT);
  const currentIds = new Set([...changedFiles, ...onBranch].map(({ id }) => id));
  const current = remaining.filter(({ id }) => currentIds.has(id));
  const others = remaining.filter(({ id }) => !currentIds.has(id));
  const valued = others.map((observation, rank) => ({
    observation,
    rank,
    value: rank < ALWAYS_FIRST ? Infinity : computeValue(observation, newest, paths),
  }));
  valued.sort((a, b) => (a.value === b.value ? a.rank - b.rank : b.value - a.value));
  return { current, ranked: manualBeforeAgents(valued.map(({ observation }) => observation)), skipped };
}

const isManual = ({ source }: Observation) => source === 'manual';

/** Moves records that a person saved before records that agents saved. All other records keep their positions. */
function manualBeforeAgents(observations: readonly Observation[]): Observation[] {
  const saved = [...observations.filter(isManual), ...observations.filter(isSavedByAgent)].values();
  return observations.map((observation) =>
    isManual(observation) || isSavedByAgent(observation) ? (saved.next().value ?? observation) : observation,
  );
}

function computeValue(observation: Observation, newest: number, paths: ReadonlySet<string>): number {
  const recency =
    MIN_RECENCY + (1 - MIN_RECENCY) * 0.5 ** ((newest - observation.createdAtEpoch) / HALF_LIFE_MS);
  const isAboutFiles =
    paths.size > 0 &&
    [...observation.filesModified, ...observation.filesRead].some((file) => paths.has(file));
  const { staleCount = 0, branch = null } = observation.freshness ?? {};
  const isStale = staleCount > 0 || branch?.state === 'abandoned';
  return (
    (TYPE_WEIGHT[observation.type] ?? 1) *
    recency *
    (isAboutFiles ? FILE_WEIGHT : 1) *
    (isStale ? STALE_WEIGHT : 1)
  );
}

/** Records with the same key are duplicates. */
export const titleKey = (observation: Observation) =>
  formatInformativeTitle(observation).slice(0, 200).toLowerCase().replace(/\s+/g, ' ');

/** Paths of the branch can be absolute, but records contain paths relative to the project. */
function listPathSuffixes(files: readonly string[]): Set<string> {
  const suffixes = new Set<string>();
  for (const file of files.slice(0, 500)) {
    const parts = file.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
    const fewest = Math.max(0, parts.length - 12);
    for (let start = parts.length - 1; start >= fewest; start -= 1)
      suffixes.add(parts.slice(start).join('/'));
  }
  // a bare file name matches only if the complete path is this name
  for (const file of files) if (/[\\/]/.test(file)) suffixes.delete(file.split(/[\\/]/).at(-1) ?? '');
  return suffixes;
}
