import { posix } from 'node:path';
import type { CommandRun } from './command-runs.js';

/**
 * Returns true when the later run is the same check, or a larger run of the same program that contains the earlier run.
 */
export function coversRun(later: CommandRun, earlier: CommandRun): boolean {
  const isSame = later.kind === 'commit' || later.program === earlier.program;
  return isSame && isLaterRun(later, earlier) && containsTargets(later.targets, earlier.targets);
}

/**
 * Returns true when the later run may contain the earlier run. This includes a later run of another program without
 * targets, such as `npm test` after `npx vitest src`.
 */
export function mayCoverRun(later: CommandRun, earlier: CommandRun): boolean {
  const isOther = firstWord(later) !== firstWord(earlier) && later.targets.length === 0;
  return coversRun(later, earlier) || (isOther && isLaterRun(later, earlier));
}

const firstWord = ({ program }: CommandRun) => program.split(' ', 1)[0];

function isLaterRun(later: CommandRun, earlier: CommandRun): boolean {
  return (
    later.at > earlier.at &&
    later.kind === earlier.kind &&
    later.outcome !== 'interrupted' &&
    !later.isStashed &&
    !later.isScratch &&
    isWithin(earlier.folder, later.folder)
  );
}

function isWithin(folder: string | null, parent: string | null): boolean {
  if (folder === null || parent === null) return false;
  const [inner, outer] = [folder, parent].map((path) => `${posix.normalize(path).replace(/\/$/, '')}/`);
  return inner!.startsWith(outer!) || outer === './';
}

function containsTargets(later: readonly string[], earlier: readonly string[]): boolean {
  const isFilter = (target: string) => target.startsWith('-');
  const [wide, narrow] = [later, earlier].map((targets) => targets.filter((target) => !isFilter(target)));
  const isPathIn = (path: string) =>
    wide!.some((other) => path.includes(other.replace(/(?:\/?\.\.\.|\/)$/, '')));
  return (
    (wide!.length === 0 || (narrow!.length > 0 && narrow!.every(isPathIn))) &&
    later.filter(isFilter).every((filter) => earlier.some((other) => isFilterIn(other, filter)))
  );
}

/** `-run TestCart` and `-run "TestCart|TestUser"` contain `-run TestCartTotal`. */
function isFilterIn(narrow: string, wide: string): boolean {
  const [option = '', ...alternatives] = wide.split(/[ =|]/);
  return (
    narrow.startsWith(option) &&
    narrow
      .slice(option.length + 1)
      .split('|')
      .every((name) => alternatives.some((other) => name.includes(other)))
  );
}
