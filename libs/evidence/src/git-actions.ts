import { returnsExitCode } from './check-outcome.js';
import { findGitVerb } from './command-kind.js';
import { formatCall, type CommandRun } from './command-runs.js';
import { parseShell } from './parse-shell.js';

/**
 * Verbs that change a repository unless an option makes them read-only. Commits are excluded because they are reported
 * with their messages.
 */
const CHANGING_VERBS = /^(?:push|pull|rebase|merge|cherry-pick|revert|stash|am)$/;
/** Verbs that change a repository only with one of these options. */
const CHANGING_OPTIONS: Readonly<Record<string, RegExp>> = {
  branch: /^-(?:[dDmM]|-delete|-move)$/,
  checkout: /^-[bB]$/,
  switch: /^-(?:[cC]|-create)$/,
  tag: /^(?:-[adm]|v?\d)/,
  reset: /^--(?:hard|merge)$/,
  worktree: /^(?:add|remove)$/,
};
const READS_STASH = /^(?:list|show)$/;
/** Options with which a verb changes nothing or aborts an operation. */
const READ_ONLY_OPTIONS =
  /^(?:-l|--(?:list|contains|no-contains|merged|no-merged|points-at|dry-run|show-current-patch|abort|quit)(?:=.*)?)$/;

/** Lists the git commands that changed a repository, if the exit code proves that they succeeded. */
export function findGitActions(runs: readonly CommandRun[]): string[] {
  const calls = runs.flatMap((run) => {
    if (run.isScratch || run.exitCode !== 0 || run.outcome === 'interrupted') return [];
    const commands = parseShell(run.line);
    return commands.flatMap((command, index) => {
      const { words } = command;
      const verb = findGitVerb(words) ?? '';
      const options = words.slice(words.indexOf(verb) + 1);
      const isChange =
        (CHANGING_VERBS.test(verb) && !(verb === 'stash' && READS_STASH.test(options[0] ?? ''))) ||
        options.some((word) => CHANGING_OPTIONS[verb]?.test(word));
      if (!isChange || options.some((word) => READ_ONLY_OPTIONS.test(word))) return [];
      return returnsExitCode(commands, index) ? [formatCall(command)] : [];
    });
  });
  return [...new Set(calls)];
}
