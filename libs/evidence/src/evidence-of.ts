import type { ObservedToolUse, ObserverBatch } from '@claude-mem/core';
import { CHECKS } from './command-kind.js';
import { commandLineOf, otherChecks, readCommandRun, succeeded, type CommandRun } from './command-runs.js';
import { gitActionsIn } from './git-actions.js';
import { commitsIn, pullRequestsIn, type Commit, type PullRequest } from './commits.js';
import { readIssueJson, taskDocumentOf, type TaskDocument } from './documents.js';
import { editSteps, isEditTool, pathField } from './edit-steps.js';
import { finish, type Steps } from './steps.js';
import { createFileLedger, type FileChange } from './file-ledger.js';
import { fixesIn, type Fix } from './fixes.js';
import { agentResultOf, lookupOf, searchOf, type AgentResult, type Lookup, type Search } from './lookups.js';
import { parseShell } from './parse-shell.js';
import { createPathReader, createProjectTest } from './project-paths.js';
import { shellSteps } from './shell-steps.js';
import { todosOf, type TodoItem } from './todos.js';
import {
  choicesOf,
  planOf,
  planTextOf,
  rejectionOf,
  type PlanOutcome,
  type UserChoice,
  type UserRejection,
} from './user-words.js';

/** What the tool uses of a batch show, without anybody's word for it. */
export interface TurnEvidence {
  /** Files whose content was read, in order of first reading, relative to the project root. */
  readonly filesRead: readonly string[];
  /** Files that exist at the end and differ from the beginning. */
  readonly filesModified: readonly string[];
  readonly filesDeleted: readonly string[];
  /** Per file what the edits came to; edits that were taken back are not in it. */
  readonly changes: readonly FileChange[];
  readonly commands: readonly CommandRun[];
  readonly fixes: readonly Fix[];
  readonly commits: readonly Commit[];
  readonly pullRequests: readonly PullRequest[];
  readonly choices: readonly UserChoice[];
  readonly plans: readonly PlanOutcome[];
  /** Git commands that changed a repository, as they were called; commits are in `commits`. */
  readonly gitActions: readonly string[];
  readonly rejections: readonly UserRejection[];
  readonly todos: readonly TodoItem[];
  readonly searches: readonly Search[];
  readonly lookups: readonly Lookup[];
  readonly agentResults: readonly AgentResult[];
  readonly taskDocuments: readonly TaskDocument[];
  /** Files that the agent tried to write and could not, and that nothing else changed. */
  readonly unwritten: readonly { path: string; why: 'refused' | 'not permitted' | 'failed' }[];
  /** Index of each tool use that changed a file that is in `changes`, with the file. */
  readonly edits: readonly { at: number; path: string }[];
}

const READ = /^(?:Read|read_file|read|ReadFile|view|NotebookRead|read_many_files)$/;

/**
 * Reads the tool uses of a batch. Pure and bounded; odd shapes are skipped, never thrown at. Failed and rejected edits,
 * temporary files, the host's own files and edits that the turn itself took back do not count as changes.
 */
export function evidenceOf(batch: ObserverBatch): TurnEvidence {
  return finish(evidenceSteps(batch));
}

/** The same, tool use by tool use. */
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
  const failed = new Map<string, TurnEvidence['unwritten'][number]['why']>();

  for (const [at, use] of uses.entries()) {
    yield;
    const readFile = READ.test(use.toolName) && use.outcome === 'succeeded' ? pathIn(use, readPath) : null;
    if (readFile !== null) {
      filesRead.add(readFile);
      ledger.sawFile(readFile);
    }
    const document = taskDocumentOf(use, at, readFile);
    if (document) documents.push(document);
    const unwritten = use.outcome === 'failed' && isEditTool(use.toolName) ? pathIn(use, readPath) : null;
    if (unwritten !== null) failed.set(unwritten, whyFailed(use, at));
    const run = readCommandRun(use, at, { isInProject, isStashed });
    if (run) {
      commands.push(...otherChecks(use, run, { isStashed }), run);
      isStashed = run.leavesStash;
    }
    const issue =
      run && succeeded(run) && /\b(?:gh|glab) issue view\b/.test(run.line)
        ? readIssueJson(run.output, at)
        : null;
    if (issue) documents.push(issue);
    plan = planTextOf(use) ?? plan;
    const outcome = planOf(use, at, plan);
    if (outcome) plans.push(outcome);
    for (const step of stepsOf(use, run, readPath)) {
      ledger.take(step);
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
  const kept = edits.filter(({ path }) => changed.has(path));
  const deleted = changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path);
  const commits = commitsIn(commands);
  yield;
  const pullRequests = pullRequestsIn(commands);
  yield;
  const choices = uses.flatMap(choicesOf);
  const rejections = uses.flatMap((use, at) => rejectionOf(use, at) ?? []);
  yield;
  const searches = uses.flatMap((use, at) => searchOf(use, at) ?? []);
  const lookups = uses.flatMap((use, at) => lookupOf(use, at) ?? []);
  yield;
  const agentResults = uses.flatMap((use, at) => agentResultOf(use, at) ?? []);
  yield;
  return {
    filesRead: [...filesRead],
    filesModified: changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path),
    filesDeleted: deleted,
    changes,
    commands,
    fixes: fixesIn(
      commands,
      kept.map(({ at }) => at),
    ),
    commits,
    gitActions: gitActionsIn(commands),
    pullRequests,
    choices,
    plans,
    rejections,
    todos: todosOf(uses),
    searches,
    lookups,
    agentResults,
    taskDocuments: documents,
    unwritten: [...failed].filter(([path]) => !changed.has(path)).map(([path, why]) => ({ path, why })),
    edits: kept,
  };
}

function stepsOf(
  use: ObservedToolUse,
  run: CommandRun | null,
  readPath: ReturnType<typeof createPathReader>,
) {
  if (use.outcome === 'failed') return [];
  if (isEditTool(use.toolName)) return editSteps(use, readPath);
  if (run === null || run.outcome === 'interrupted' || (run.exitCode ?? 0) !== 0) return [];
  return shellSteps(parseShell(commandLineOf(use) ?? ''), readPath, use.cwd, run.output);
}

function whyFailed(use: ObservedToolUse, at: number): TurnEvidence['unwritten'][number]['why'] {
  if (rejectionOf(use, at)) return 'refused';
  return /requested permissions?|Permission to use|haven't granted|denied/i.test(use.error ?? '')
    ? 'not permitted'
    : 'failed';
}

function pathIn(use: ObservedToolUse, readPath: ReturnType<typeof createPathReader>): string | null {
  const path = pathField(use);
  return path === null ? null : readPath(path, use.cwd);
}
