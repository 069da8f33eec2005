export { changedFiles } from './changed-files.js';
export { CHECKS, type CommandKind } from './command-kind.js';
export { mayCoverRun } from './covers-run.js';
export { isShellTool, succeeded, type CommandRun } from './command-runs.js';
export type { Commit, PullRequest } from './commits.js';
export {
  declarationIn,
  isProse,
  isSettings,
  isTestFile,
  outsideNamesIn,
  type Declaration,
} from './declarations.js';
export { readTaskText, type TaskDocument } from './documents.js';
export { errorOfCommand } from './error-of-command.js';
export { isSameError, readErrorPattern, type ErrorPattern } from './error-pattern.js';
export { evidenceOf, evidenceSteps, type TurnEvidence } from './evidence-of.js';
export type { FileChange } from './file-ledger.js';
export { findKnownFix, formatFixFact, readFixFact, type KnownFix } from './fix-fact.js';
export type { Fix } from './fixes.js';
export { outputOf, textOf } from './json-fields.js';
export { lineKey } from './line-difference.js';
export { lookupOf, type AgentResult, type Lookup, type Search } from './lookups.js';
export { createProjectTest } from './project-paths.js';
export { readEvidence } from './read-evidence.js';
export { finish, finishInSlices, type SliceOptions, type Steps } from './steps.js';
export type { TodoItem } from './todos.js';
export type { PlanOutcome, UserChoice, UserRejection } from './user-words.js';
