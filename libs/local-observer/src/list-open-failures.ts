import { CHECKS, mayCoverRun, type CommandRun, type TurnEvidence } from '@claude-mem/evidence';
import { unquoted } from './text/unquoted.js';

/** Lists the failed checks that no later run can contain, and the passes that do not apply to the final state. */
export function listOpenFailures({ evidence }: { evidence: TurnEvidence }): string[] {
  const last = listLastRuns(evidence.commands);
  const isEditedAfter = (run: CommandRun) => evidence.edits.some(({ at }) => at > run.at);
  const failing = last
    .filter(
      (run) =>
        run.outcome === 'failed' &&
        (CHECKS.has(run.kind) || (run.kind === 'commit' && evidence.commits.length === 0)),
    )
    .filter((run) => !evidence.commands.some((later) => mayCoverRun(later, run)))
    .filter((run) => !evidence.fixes.some(({ failed }) => failed.key === run.key))
    .map(
      (run) =>
        `\`${run.displayLine}\` ${isEditedAfter(run) ? 'failed before the last edit' : 'still failed at its last run'}${run.error === null ? '' : `: “${unquoted(run.error)}”`}`,
    );
  const stashed = evidence.commands
    .filter((run) => run.isStashed && run.outcome === 'passed')
    .map(
      (run) => `\`${run.displayLine}\` ran with the changes stashed away: its pass says nothing about them`,
    );
  return [...failing, ...stashed];
}

/** Returns the last run of each command that can succeed or fail, in their order. */
export function listLastRuns(runs: readonly CommandRun[]): CommandRun[] {
  const last = new Map<string, CommandRun>();
  for (const run of runs) {
    if (
      run.isScratch ||
      run.isUsageError ||
      run.outcome === 'interrupted' ||
      run.kind === 'inspect' ||
      run.kind === 'format'
    )
      continue;
    if (run.kind === 'run' && run.outcome === 'passed' && !last.has(run.key)) continue;
    last.delete(run.key);
    last.set(run.key, run);
  }
  return [...last.values()];
}
