import { toSingleLine, truncate } from '@claude-mem/core';
import { succeeded, type CommandRun } from './command-runs.js';
import { printsAllOutput } from './check-outcome.js';
import { findGitVerb } from './command-kind.js';
import { parseShell, type SimpleCommand } from './parse-shell.js';
import { outputLines } from './output-lines.js';

export interface Commit {
  /** Short id as printed by git. */
  id: string;
  message: string;
  at: number;
  /** Files of the commit, if an output of the turn lists them. */
  files: readonly string[];
  /** First paragraph below the subject in the message of the command. */
  body: string | null;
  /**
   * `created` means that git reported the commit. `observed` means that the commit appeared between two outputs of `git
   * log`; its author is unknown.
   */
  source: 'created' | 'observed';
}

const COMMIT_REPORT = /^\[[^\]]*? ([0-9a-f]{7,40})\] (.+)$/;
const COMMITTING_VERBS = /^(?:commit|merge|cherry-pick|revert|rebase|am)$/;
const LOG_LINE = /^(?:\* )?([0-9a-f]{7,12}) (?:\([^)]*\) )?(\S.*)$/;

/** Options for the number of commits: `-5`, `-n5`, `-n 5`, `--max-count=5`. */
const LOG_LENGTH = /^(?:-n|(?:-n?|--max-count=)?\d+)$/;

/** Reads the commits that `git commit` reported or that are new at the top of a later `git log`. */
export function readCommits(runs: readonly CommandRun[]): Commit[] {
  const commits: Commit[] = [];
  const logs = new Map<string, Set<string>>();
  for (const run of runs) {
    if (run.isScratch || run.outcome === 'interrupted' || !/\bgit\b/.test(run.line)) continue;
    const commands = parseShell(run.line);
    for (const commit of readCreatedCommits(run, commands)) add(commits, commit);
    // Another branch has other commits.
    if (commands.some(({ words }) => /^(?:checkout|switch)$/.test(findGitVerb(words) ?? ''))) logs.clear();
    const log = findOutputCommand(commands, 'log', /^--oneline$|^--(?:format|pretty)=\S*%h %s/);
    if (log !== undefined) {
      // A log of other branches has other commits. A log of another length has the same ones.
      const key = [run.folder, ...log.words.filter((word) => !LOG_LENGTH.test(word))].join(' ');
      const knownIds = logs.get(key);
      const lines = run.output.split('\n').flatMap((line) => LOG_LINE.exec(line) ?? []);
      const entries = pairs(lines);
      if (knownIds !== undefined) {
        const known = entries.findIndex(({ id }) => knownIds.has(id));
        for (const { id, message } of known === -1 ? [] : entries.slice(0, known)) {
          add(commits, { id, message, body: null, at: run.at, files: [], source: 'observed' });
        }
      }
      if (entries.length > 0) logs.set(key, new Set([...(knownIds ?? []), ...entries.map(({ id }) => id)]));
    }
    if (findOutputCommand(commands, 'show', /^--(?:stat|name-only|name-status)/) !== undefined)
      addFiles(commits, run.output);
  }
  return commits;
}

/**
 * Returns one commit for each git command: the last line in which git reports a commit. If the command contains the
 * message, the line must contain that message. Otherwise no other command may have printed the line.
 */
function readCreatedCommits(run: CommandRun, commands: readonly SimpleCommand[]): Commit[] {
  const committingCalls = commands.flatMap((command, index) =>
    COMMITTING_VERBS.test(findGitVerb(command.words) ?? '') ? [{ message: readMessage(command), index }] : [],
  );
  if (committingCalls.length === 0) return [];
  const lines = outputLines(run.output).flatMap((line) => {
    const [, id = '', subject = ''] = COMMIT_REPORT.exec(line) ?? [];
    return id === '' ? [] : [{ id, subject }];
  });
  return committingCalls.flatMap(({ message, index }): Commit[] => {
    const line =
      message === null
        ? succeeded(run) && printsAllOutput(commands, index)
          ? lines.at(-1)
          : undefined
        : lines.findLast((made) => hasSubject(message, made.subject));
    if (line === undefined) return [];
    const body = message === null ? null : readBody(message);
    return [{ id: line.id, message: line.subject, body, at: run.at, files: [], source: 'created' }];
  });
}

/** Returns the git call with the given option if that call printed the full output. */
function findOutputCommand(
  commands: readonly SimpleCommand[],
  verb: string,
  option: RegExp,
): SimpleCommand | undefined {
  const index = commands.findIndex(
    ({ words }) => findGitVerb(words) === verb && words.some((word) => option.test(word)),
  );
  return index !== -1 && printsAllOutput(commands, index) ? commands[index] : undefined;
}

/** Returns the commit message in the command line, or null for a message from another source. */
function readMessage({ words, heredoc }: SimpleCommand): string | null {
  const parts = words.flatMap((word, index) => {
    if (/^(?:-[a-zA-Z]*m|--message)$/.test(word)) return [words[index + 1] ?? ''];
    const joined = /^(?:-m|--message=)([\s\S]+)$/.exec(word)?.[1];
    return joined === undefined ? [] : [joined];
  });
  const message = parts.length > 0 ? parts.join('\n\n') : heredoc;
  return message === null || /^\s*[$`]/.test(message) ? null : message;
}

/** Git reports the first paragraph as one line. The values of shell variables are unknown. */
function hasSubject(message: string, reported: string): boolean {
  const subject = toSingleLine(message.trim().split(/\n\s*\n/, 1)[0]!);
  const known = /^[^$`]*/.exec(subject)![0];
  return known === subject ? toSingleLine(reported) === subject : reported.startsWith(known.trim());
}

function readBody(message: string): string | null {
  const paragraph = message
    .split(/\n\s*\n/)
    .slice(1)
    .map((part) => part.trim())
    .find(
      (part) =>
        part !== '' &&
        !/^(?:Co-Authored-By|Signed-off-by|Refs?|Closes|Fixes|Entire-|🤖|Generated)\b|^🤖/i.test(part),
    );
  return paragraph === undefined ? null : truncate(toSingleLine(paragraph), 500);
}

function pairs(flat: readonly string[]): { id: string; message: string }[] {
  const found: { id: string; message: string }[] = [];
  for (let index = 0; index + 2 < flat.length; index += 3)
    found.push({ id: flat[index + 1]!, message: flat[index + 2]! });
  return found;
}

function add(commits: Commit[], commit: Commit): void {
  const known = commits.find(({ id }) => id.startsWith(commit.id) || commit.id.startsWith(id));
  if (known) return;
  commits.push({
    ...commit,
    id: commit.id.slice(0, 12),
    message: truncate(toSingleLine(commit.message), 160),
  });
}

function addFiles(commits: Commit[], output: string): void {
  const id = /^commit ([0-9a-f]{7,40})/m.exec(output)?.[1];
  const commit = commits.find((candidate) => id?.startsWith(candidate.id));
  if (!commit) return;
  const files = outputLines(output).flatMap(
    (line) => /^ ?(\S[^|]*)\|\s+(?:\d+|Bin)/.exec(line)?.[1]?.trim() ?? [],
  );
  commit.files = files.slice(0, 20);
}

const PULL_REQUEST = /https:\/\/[\w.-]+\/[\w./-]+\/(?:pull|merge_requests|pull-requests|pullrequests)\/(\d+)/;

const OPENS_PULL_REQUEST = /^(?:gh pr create|glab mr create|hub pull-request|az repos pr create)\b/;

export interface PullRequest {
  number: string;
  url: string;
  /** Unchecked task boxes in the description. */
  openTasks: readonly string[];
  at: number;
}

/** Reads the pull requests that commands of the turn opened. */
export function readPullRequests(runs: readonly CommandRun[]): PullRequest[] {
  return runs.flatMap((run) => {
    if (
      !succeeded(run) ||
      !parseShell(run.line).some(({ words }) => OPENS_PULL_REQUEST.test(words.slice(0, 4).join(' ')))
    )
      return [];
    const match = PULL_REQUEST.exec(run.output);
    if (!match) return [];
    const openTasks = [...run.line.matchAll(/^[ \t]*[-*] \[ \] (.+)$/gm)].map((box) =>
      truncate(toSingleLine(box[1]!), 160),
    );
    return [{ number: match[1]!, url: match[0], openTasks: openTasks.slice(0, 4), at: run.at }];
  });
}
