import { returnsExitCode } from './check-outcome.js';
import { gitVerb } from './command-kind.js';
import { shownCall, type CommandRun } from './command-runs.js';
import { parseShell } from './parse-shell.js';

/** Verbs that change a repository unless they only read. Commits are reported with their messages. */
const CHANGES = /^(?:push|pull|rebase|merge|cherry-pick|revert|stash|am)$/;
/** Verbs that change a repository with one of these options. */
const CHANGES_WITH: Readonly<Record<string, RegExp>> = {
  branch: /^-(?:[dDmM]|-delete|-move)$/,
  checkout: /^-[bB]$/,
  switch: /^-(?:[cC]|-create)$/,
  tag: /^(?:-[adm]|v?\d)/,
  reset: /^--(?:hard|merge)$/,
  worktree: /^(?:add|remove)$/,
};
const READS_STASH = /^(?:list|show)$/;
/** Options with which a verb changes nothing, or takes back what it began. */
const ONLY_READS =
  /^(?:-l|--(?:list|contains|no-contains|merged|no-merged|points-at|dry-run|show-current-patch|abort|quit)(?:=.*)?)$/;

/** Lists the git commands that changed a repository, if the exit code proves that they succeeded. */
export function gitActionsIn(runs: readonly CommandRun[]): string[] {
  const calls = runs.flatMap((run) => {
    if (run.isScratch || run.exitCode !== 0 || run.outcome === 'interrupted') return [];
    const commands = parseShell(run.line);
    return commands.flatMap((command, index) => {
      const { words } = command;
      const verb = gitVerb(words) ?? '';
      const options = words.slice(words.indexOf(verb) + 1);
      const isChange =
        (CHANGES.test(verb) && !(verb === 'stash' && READS_STASH.test(options[0] ?? ''))) ||
        options.some((word) => CHANGES_WITH[verb]?.test(word));
      if (!isChange || options.some((word) => ONLY_READS.test(word))) return [];
      return returnsExitCode(commands, index) ? [shownCall(command)] : [];
    });
  });
  return [...new Set(calls)];
}
