import type { ObservedToolUse, ObserverBatch } from '@claude-mem/core';
import { CHECKS } from './command-kind.js';
import { commandLineOf, otherChecks, readCommandRun, succeeded, type CommandRun } from './command-runs.js';
import { findGitActions } from './git-actions.js';
import { readCommits, readPullRequests, type Commit, type PullRequest } from './commits.js';
import { readIssueJson, readTaskDocument, type TaskDocument } from './documents.js';
import { readEditSteps, isEditTool, readPathField } from './edit-steps.js';
import { runToEnd, type Steps } from './steps.js';
import { createFileLedger, type FileChange } from './file-ledger.js';
import { findFixes, type Fix } from './fixes.js';
import {
  readAgentResult,
  readLookup,
  readSearch,
  type AgentResult,
  type Lookup,
  type Search,
} from './lookups.js';
import { parseShell } from './parse-shell.js';
import { createPathReader, createProjectTest } from './project-paths.js';
import { readShellSteps } from './shell-steps.js';
import { readTodos, type TodoItem } from './todos.js';
import {
  readChoices,
  readPlanOutcome,
  readPlanText,
  readRejection,
  type PlanOutcome,
  type UserChoice,
  type UserRejection,
} from './user-decisions.js';

/** Evidence from the tool uses of a batch. The closing message of the agent is not used. */
export interface TurnEvidence {
  /** Files whose content was read, relative to the project root, in order of the first read. */
  readonly filesRead: readonly string[];
  /** Files that exist at the end of the turn and differ from the beginning. */
  readonly filesModified: readonly string[];
  readonly filesDeleted: readonly string[];
  /** Net change of each file. Reverted edits are excluded. */
  readonly changes: readonly FileChange[];
  readonly commands: readonly CommandRun[];
  readonly fixes: readonly Fix[];
  readonly commits: readonly Commit[];
  readonly pullRequests: readonly PullRequest[];
  readonly choices: readonly UserChoice[];
  readonly plans: readonly PlanOutcome[];
  /** Git commands that changed a repository, as called. `commits` contains the commits. */
  readonly gitActions: readonly string[];
  readonly rejections: readonly UserRejection[];
  readonly todos: readonly TodoItem[];
  readonly searches: readonly Search[];
  readonly lookups: readonly Lookup[];
  readonly agentResults: readonly AgentResult[];
  readonly taskDocuments: readonly TaskDocument[];
  /** Files that the agent tried to write without success and that no other step changed. */
  readonly failedWrites: readonly { path: string; reason: 'refused' | 'not permitted' | 'failed' }[];
  /** Tool uses that changed a file of `changes`. `at` is the index of the tool use in the batch. */
  readonly edits: readonly { at: number; path: string }[];
}

const READ = /^(?:Read|read_file|read|ReadFile|view|NotebookRead|read_many_files)$/;

/**
 * Collects the evidence of the tool uses of a batch.
 * Values of an unexpected shape are skipped. Failed, rejected and reverted edits, temporary files and files of the host
 * do not count as changes.
 */
export function collectEvidence(batch: ObserverBatch): TurnEvidence {
  return runToEnd(evidenceSteps(batch));
}

/** Collects the same evidence and yields after each tool use. */
export function* evidenceSteps(batch: ObserverBatch): Steps<TurnEvidence> {
  const uses = batch.toolUses;
  const folder = uses.find((use) => use.cwd !== null)?.cwd ?? null;
  const readPath = createPathReader(batch.session.projectRoot, folder);
  const isInProject = createProjectTest(batch.session.projectRoot, folder);
  const filesRead = new Set<string>();
  const ledger = createFileLedger((path) => filesRead.has(path));
  const edits: { at: number; path: string }[] = [];
  const commands: CommandRun[] = [];
  const documents: TaskDocument[] = [];
  const plans: PlanOutcome[] = [];
  let plan: string | null = null;
  let isStashed = false;
  const failed = new Map<string, TurnEvidence['failedWrites'][number]['reason']>();

  for (const [at, use] of uses.entries()) {
    yield;
    const readFile =
      READ.test(use.toolName) && use.outcome === 'succeeded' ? readToolPath(use, readPath) : null;
    if (readFile !== null) {
      filesRead.add(readFile);
      ledger.markRead(readFile);
    }
    const document = readTaskDocument(use, at, readFile);
    if (document) documents.push(document);
    const failedWrites =
      use.outcome === 'failed' && isEditTool(use.toolName) ? readToolPath(use, readPath) : null;
    if (failedWrites !== null) failed.set(failedWrites, getWriteFailure(use, at));
    const run = readCommandRun(use, at, { isInProject, isStashed });
    if (run) {
      commands.push(...otherChecks(use, run, { isStashed }), run);
      isStashed = run.hasStashAfter;
    }
    const issue =
      run && succeeded(run) && /\b(?:gh|glab) issue view\b/.test(run.line)
        ? readIssueJson(run.output, at)
        : null;
    if (issue) documents.push(issue);
    plan = readPlanText(use) ?? plan;
    const outcome = readPlanOutcome(use, at, plan);
    if (outcome) plans.push(outcome);
    for (const step of readFileSteps(use, run, readPath)) {
      ledger.apply(step);
      if (step.kind === 'stash') isStashed = true;
      if (step.kind === 'edit' || step.kind === 'move' || step.kind === 'delete') {
        edits.push({ at, path: step.path });
        // A check writes only its output.
        if (run === null || !CHECKS.has(run.kind)) isStashed = false;
      }
    }
  }

  yield;
  const changes = ledger.changes();
  yield;
  const changed = new Set(changes.map(({ path }) => path));
  const netEdits = edits.filter(({ path }) => changed.has(path));
  const deleted = changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path);
  const commits = readCommits(commands);
  yield;
  const pullRequests = readPullRequests(commands);
  yield;
  const choices = uses.flatMap(readChoices);
  const rejections = uses.flatMap((use, at) => readRejection(use, at) ?? []);
  yield;
  const searches = uses.flatMap((use, at) => readSearch(use, at) ?? []);
  const lookups = uses.flatMap((use, at) => readLookup(use, at) ?? []);
  yield;
  const agentResults = uses.flatMap((use, at) => readAgentResult(use, at) ?? []);
  yield;
  return {
    filesRead: [...filesRead],
    filesModified: changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path),
    filesDeleted: deleted,
    changes,
    commands,
    fixes: findFixes(
      commands,
      netEdits.map(({ at }) => at),
    ),
    commits,
    gitActions: findGitActions(commands),
    pullRequests,
    choices,
    plans,
    rejections,
    todos: readTodos(uses),
    searches,
    lookups,
    agentResults,
    taskDocuments: documents,
    failedWrites: [...failed]
      .filter(([path]) => !changed.has(path))
      .map(([path, reason]) => ({ path, reason })),
    edits: netEdits,
  };
}

function readFileSteps(
  use: ObservedToolUse,
  run: CommandRun | null,
  readPath: ReturnType<typeof createPathReader>,
) {
  if (use.outcome === 'failed') return [];
  if (isEditTool(use.toolName)) return readEditSteps(use, readPath);
  if (run === null || run.outcome === 'interrupted' || (run.exitCode ?? 0) !== 0) return [];
  return readShellSteps(parseShell(commandLineOf(use) ?? ''), readPath, use.cwd, run.output);
}

function getWriteFailure(use: ObservedToolUse, at: number): TurnEvidence['failedWrites'][number]['reason'] {
  if (readRejection(use, at)) return 'refused';
  return /requested permissions?|Permission to use|haven't granted|denied/i.test(use.error ?? '')
    ? 'not permitted'
    : 'failed';
}

function readToolPath(use: ObservedToolUse, readPath: ReturnType<typeof createPathReader>): string | null {
  const path = readPathField(use);
  return path === null ? null : readPath(path, use.cwd);
}
