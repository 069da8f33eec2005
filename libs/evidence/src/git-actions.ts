import { truncate, toSingleLine } from '@claude-mem/core';
import { returnsExitCode } from './check-outcome.js';
import { gitVerb } from './command-kind.js';
import type { CommandRun } from './command-runs.js';
import { parseShell } from './parse-shell.js';

/** Verbs that change a repository whatever their options are. Commits are reported with their messages. */
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

/** Lists the git commands that changed a repository, if the exit code proves that they succeeded. */
export function gitActionsIn(runs: readonly CommandRun[]): string[] {
  const calls = runs.flatMap((run) => {
    if (run.isScratch || run.exitCode !== 0 || run.outcome === 'interrupted') return [];
    const commands = parseShell(run.line);
    return commands.flatMap(({ words }, index) => {
      const verb = gitVerb(words) ?? '';
      const options = words.slice(words.indexOf(verb) + 1);
      const isChange =
        (CHANGES.test(verb) && !(verb === 'stash' && READS_STASH.test(options[0] ?? ''))) ||
        options.some((word) => CHANGES_WITH[verb]?.test(word));
      return isChange && returnsExitCode(commands, index)
        ? [truncate(toSingleLine(words.join(' ')), 100)]
        : [];
    });
  });
  return [...new Set(calls)];
}
