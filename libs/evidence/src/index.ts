export { changedFiles } from './changed-files.js';
export { CHECKS, type CommandKind } from './command-kind.js';
export { mayCoverRun } from './covers-run.js';
export { isShellTool, succeeded, type CommandRun } from './command-runs.js';
export type { Commit, PullRequest } from './commits.js';
export {
  readDeclaration,
  isProseFile,
  isSettingsFile,
  isTestFile,
  findExternalNames,
  type Declaration,
} from './declarations.js';
export { readTaskText, type TaskDocument } from './documents.js';
export { errorOfCommand } from './error-of-command.js';
export { isSameError, readErrorPattern, type ErrorPattern } from './error-pattern.js';
export { collectEvidence, evidenceSteps, type TurnEvidence } from './collect-evidence.js';
export type { FileChange } from './file-ledger.js';
export { findKnownFix, formatFixFact, readFixFact, type KnownFix } from './fix-fact.js';
export type { Fix } from './fixes.js';
export { getOutput, getText } from './json-fields.js';
export { lineKey } from './diff-lines.js';
export { readLookup, type AgentResult, type Lookup, type Search } from './lookups.js';
export { createProjectTest } from './project-paths.js';
export { readEvidence } from './read-evidence.js';
export { runToEnd, runWithPauses, type SliceOptions, type Steps } from './steps.js';
export type { TodoItem } from './todos.js';
export type { PlanOutcome, UserChoice, UserRejection } from './user-decisions.js';
