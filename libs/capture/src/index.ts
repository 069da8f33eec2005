export { CaptureError, type CaptureErrorCode } from './capture-error.js';
export { createBranchRecords, type BranchRecords } from './context/create-branch-records.js';
export { createContextDelivery, type ContextDelivery } from './context/create-context-delivery.js';
export { isInHoldout, type Holdout } from './context/create-holdout.js';
export type { InjectedText, InjectionLog } from './context/create-injection-log.js';
export type { FailureRecall } from './context/create-failure-recall.js';
export type { FileHistory, FileRead } from './context/create-file-history.js';
export { createPromptRecall, type PromptRecall } from './context/create-prompt-recall.js';
export type {
  CapturedStart,
  PreviewOptions,
  ProjectContext,
  SessionContext,
} from './context/create-session-context.js';
export { createSessionLedger, type SessionLedger } from './context/create-session-ledger.js';
export { createSessionNotice, type SessionNotice } from './context/create-session-notice.js';
export { renderOptions, type RenderOptions } from './context/render-options.js';
export { answerFailure } from './events/answer-failure.js';
export { answerHook, type AnswerHookOptions } from './events/answer-hook.js';
export {
  createCapture,
  type Capture,
  type CaptureOutcome,
  type CommittedEvent,
} from './events/create-capture.js';
export { createCaptureCounters, type CaptureCounters } from './events/create-capture-counters.js';
export { createGroupCommit, type GroupCommit } from './events/create-group-commit.js';
export { createHookReader, type HookInput, type ReadHook } from './events/create-hook-reader.js';
export { isStorageUnavailable } from './events/is-storage-unavailable.js';
export { createProjectFinder } from './projects/create-project-finder.js';
export { createProjectRelocation, type ProjectRelocation } from './projects/create-project-relocation.js';
export { createRepositoryReader, type RepositoryReader } from './projects/create-repository-reader.js';
export { captureSpooled } from './spool/capture-spooled.js';
export { createSpool, type Spool, type SpoolResult } from './spool/create-spool.js';
export { publishSpooled, removeSpooled } from './spool/spooled-file.js';
