import { toSingleLine, truncate } from '@claude-mem/core';
import { succeeded, type CommandRun } from './command-runs.js';
import { outputLines } from './output-lines.js';

export interface Commit {
  /** Short id as git printed it. */
  id: string;
  message: string;
  at: number;
  /** Files it holds, where the turn shows them. */
  files: readonly string[];
  /** First paragraph below the subject, as the command gave it. */
  body: string | null;
  /** `made`: git said so; `seen`: it appeared between two looks at the log, by whoever. */
  source: 'made' | 'seen';
}

const MADE = /^\[(?<branch>[^\]\n]*?)(?: \(root-commit\))? (?<id>[0-9a-f]{7,40})\] (?<message>.+)$/gm;
const LOG_LINE = /^(?:\* )?([0-9a-f]{7,12}) (?:\([^)]*\) )?(\S.*)$/;

/** Commits that the results show: made by `git commit`, or new at the top of a later `git log`. */
export function commitsIn(runs: readonly CommandRun[]): Commit[] {
  const commits: Commit[] = [];
  let seen: Set<string> | null = null;
  for (const run of runs) {
    if (
      run.isScratch ||
      run.outcome === 'interrupted' ||
      !/\bgit\b/.test(run.shown + run.output.slice(0, 200))
    )
      continue;
    const isCommit = /\bgit\b[^\n]*\b(?:commit|merge|cherry-pick|revert|rebase)\b/.test(run.line);
    for (const { groups } of isCommit ? run.output.slice(0, 60_000).matchAll(MADE) : []) {
      add(commits, {
        id: groups!['id']!,
        message: groups!['message']!,
        body: bodyOf(run.line),
        at: run.at,
        files: [],
        source: 'made',
      });
    }
    if (/\bgit (?:\S+ )*log\b/.test(run.shown)) {
      const lines = run.output.split('\n').flatMap((line) => LOG_LINE.exec(line) ?? []);
      const entries = pairs(lines);
      if (seen !== null) {
        const known = entries.findIndex(({ id }) => seen!.has(id));
        for (const { id, message } of known === -1 ? [] : entries.slice(0, known)) {
          add(commits, { id, message, body: null, at: run.at, files: [], source: 'seen' });
        }
      }
      if (entries.length > 0) seen = new Set([...(seen ?? []), ...entries.map(({ id }) => id)]);
    }
    if (/\bgit (?:\S+ )*show\b.*--(?:stat|name-only|name-status)/.test(run.shown))
      addFiles(commits, run.output);
  }
  return commits;
}

/** The message of `git commit` below its subject: a here-document, or the second `-m`. */
function bodyOf(line: string): string | null {
  const text =
    heredocIn(line.slice(Math.max(0, line.search(/\bgit (?:\S+ )*commit\b/)))) ?? messageFlags(line);
  const paragraph = text
    ?.split(/\n\s*\n/)
    .slice(1)
    .map((part) => part.trim())
    .find(
      (part) =>
        part !== '' &&
        !/^(?:Co-Authored-By|Signed-off-by|Refs?|Closes|Fixes|Entire-|🤖|Generated)\b|^🤖/i.test(part),
    );
  return paragraph === undefined ? null : truncate(toSingleLine(paragraph), 500);
}

function messageFlags(line: string): string | null {
  const parts = [...line.matchAll(/\s-m\s+(?:"((?:[^"\\$]|\\.)*)"|'([^']*)')/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return parts.length === 0 ? null : parts.join('\n\n');
}

const heredocIn = (line: string): string | null =>
  /<<-?\s*(['"]?)(\w+)\1\n([\s\S]*?)\n\s*\2\b/.exec(line)?.[3] ?? null;

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

export interface PullRequest {
  number: string;
  url: string;
  /** Boxes of its description that are not ticked. */
  open: readonly string[];
  at: number;
}

/** Pull requests that a command of this turn opened. */
export function pullRequestsIn(runs: readonly CommandRun[]): PullRequest[] {
  return runs.flatMap((run) => {
    if (
      !succeeded(run) ||
      !/\b(?:gh pr create|glab mr create|hub pull-request|az repos pr create)\b/.test(run.shown)
    )
      return [];
    const match = PULL_REQUEST.exec(run.output);
    if (!match) return [];
    const open = [...run.line.matchAll(/^[ \t]*[-*] \[ \] (.+)$/gm)].map((box) =>
      truncate(toSingleLine(box[1]!), 160),
    );
    return [{ number: match[1]!, url: match[0], open: open.slice(0, 4), at: run.at }];
  });
}
