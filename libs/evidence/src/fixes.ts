import { coversRun } from './covers-run.js';
import { CHECKS } from './command-kind.js';
import type { CommandRun } from './command-runs.js';

/** A check that failed and, after files had been edited, passed. */
export interface Fix {
  failed: CommandRun;
  passed: CommandRun;
  /** Whether it failed before the first edit of the turn: then the fault was there before the agent. */
  wasThereBefore: boolean;
  /** What ran between them and may have repaired it, where no file was edited. */
  between: CommandRun | null;
}

/** One fix per check: its first failure with a real error, and the pass that ended it. */
export function fixesIn(runs: readonly CommandRun[], editedAt: readonly number[]): Fix[] {
  const firstEdit = editedAt[0] ?? Infinity;
  const fixes: Fix[] = [];
  for (const failed of runs) {
    if (failed.outcome !== 'failed' || failed.isSlip || failed.isScratch || failed.error === null) continue;
    if (fixes.some((fix) => sameCheck(fix.failed, failed))) continue;
    const later = runs.filter((run) => run.at > failed.at && sameCheck(failed, run) && !run.isStashed);
    const passed = later.findLast((run) => run.outcome === 'passed');
    if (!passed || later.at(-1) !== passed) continue;
    const wasEdited = editedAt.some((at) => at > failed.at && at < passed.at);
    const between = runs.find(
      (run) => run.at > failed.at && run.at < passed.at && run.key !== failed.key && repairs(run, failed),
    );
    if (!wasEdited && !between && failed.kind !== 'commit') continue;
    fixes.push({ failed, passed, wasThereBefore: failed.at < firstEdit, between: between ?? null });
  }
  return fixes;
}

/** The same check, or a larger run that contains it and passed. A failed commit hook is passed by the check that it had failed in. */
function sameCheck(failed: CommandRun, run: CommandRun): boolean {
  if (failed.key === run.key || (run.outcome === 'passed' && coversRun(run, failed))) return true;
  if (failed.kind !== 'commit' || !CHECKS.has(run.kind)) return false;
  return run.kind === 'typecheck' && /error TS\d+|mypy|pyright/.test(failed.output);
}

function repairs(run: CommandRun, failed: CommandRun): boolean {
  return (
    run.outcome === 'passed' &&
    (run.kind === 'format' ||
      /\b(?:fix|--fix|lint:fix|format|fmt)\b/.test(run.shown) ||
      (run.kind === failed.kind && /fix/.test(run.shown)))
  );
}
