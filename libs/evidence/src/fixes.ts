import { coversRun } from './covers-run.js';
import { CHECKS } from './command-kind.js';
import type { CommandRun } from './command-runs.js';

/** A check that failed and then passed after an edit or a repair command. */
export interface Fix {
  failed: CommandRun;
  passed: CommandRun;
  /** True when the check failed before the first edit of the turn, so the agent did not cause the failure. */
  isPreexisting: boolean;
  /** The command between the two runs that may have repaired the check, or null. */
  between: CommandRun | null;
}

/** Finds one fix for each check: its first failure with an error, and the last run of the check if that run passed. */
export function findFixes(runs: readonly CommandRun[], editedAt: readonly number[]): Fix[] {
  const firstEdit = editedAt[0] ?? Infinity;
  const fixes: Fix[] = [];
  for (const failed of runs) {
    if (failed.outcome !== 'failed' || failed.isUsageError || failed.isScratch || failed.error === null)
      continue;
    if (fixes.some((fix) => isSameCheck(fix.failed, failed))) continue;
    const later = runs.filter((run) => run.at > failed.at && isSameCheck(failed, run) && !run.isStashed);
    const passed = later.findLast((run) => run.outcome === 'passed');
    if (!passed || later.at(-1) !== passed) continue;
    const wasEdited = editedAt.some((at) => at > failed.at && at < passed.at);
    const between = runs.find(
      (run) => run.at > failed.at && run.at < passed.at && run.key !== failed.key && isRepair(run, failed),
    );
    if (!wasEdited && !between && failed.kind !== 'commit') continue;
    fixes.push({ failed, passed, isPreexisting: failed.at < firstEdit, between: between ?? null });
  }
  return fixes;
}

/**
 * Matches the same check, or a larger passing run that contains it. A failed commit hook is fixed by a pass of the
 * check that failed in the hook.
 */
function isSameCheck(failed: CommandRun, run: CommandRun): boolean {
  if (failed.key === run.key || (run.outcome === 'passed' && coversRun(run, failed))) return true;
  if (failed.kind !== 'commit' || !CHECKS.has(run.kind)) return false;
  return run.kind === 'typecheck' && /error TS\d+|mypy|pyright/.test(failed.output);
}

function isRepair(run: CommandRun, failed: CommandRun): boolean {
  return (
    run.outcome === 'passed' &&
    (run.kind === 'format' ||
      /\b(?:fix|--fix|lint:fix|format|fmt)\b/.test(run.displayLine) ||
      (run.kind === failed.kind && /fix/.test(run.displayLine)))
  );
}
