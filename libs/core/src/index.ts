export { ClaudeMemError, messageOf, type ClaudeMemErrorOptions } from './error.js';
export { pause, systemClock, type Clock } from './clock.js';
export { findUsed, pathEnds, type Names } from './find-used.js';
export { INJECTION_KINDS, type Injection, type InjectionKind, type RecordedInjection } from './injection.js';
export { isEvidenceOnly } from './is-evidence-only.js';
export { isRecord } from './is-record.js';
export { isWebAddress } from './is-web-address.js';
export { OTHER_CLAUDE_MEM } from './other-claude-mem.js';
export { noopLogger, type LogFields, type Logger } from './logger.js';
export { parseMoment, toInstant } from './parse-moment.js';
export { noLexicalMatch } from './no-lexical-match.js';
export type { FoundProject, ProjectFinder } from './project-finder.js';
export { noSuchProject, projectNamed } from './project-named.js';
export { formatFact, formatFactOrigin, removeOriginLabels } from './fact-origin.js';
export { FILE_ROLES, type CheckoutHead, type FileRole, type FileState } from './file-state.js';
export {
  BRANCH_STATES,
  formatFreshness,
  formatStaleFile,
  FRESHNESS_VERDICTS,
  type BranchState,
  type Freshness,
  type FreshnessVerdict,
  type StaleFile,
} from './freshness.js';
export { formatSavedBy, removeSavedBy } from './saved-by.js';
export { OBSERVER_NAMES, PROVIDER_ROWS, type ObserverName, type ProviderRow } from './provider-rows.js';
export type { RepositoryIdentity } from './repository-identity.js';
export { shellQuote } from './shell-quote.js';
export { shellWord } from './shell-word.js';
export { uuidV7 } from './uuid-v7.js';
export { withoutUndefined } from './without-undefined.js';
export {
  estimateTokens,
  formatCodeSpan,
  headAndTail,
  toSingleLine,
  toStorableText,
  truncate,
  sliceCharacters,
} from './text.js';
export {
  FACT_ORIGINS,
  OBSERVATION_CONCEPTS,
  OBSERVATION_LIST_LIMITS,
  isAttributedToUser,
  isReservedForPerson,
  MAX_AGENT_RECORDS,
  MAX_AGENT_RECORDS_BESIDE,
  isSavedByAgent,
  OBSERVATION_SOURCES,
  OBSERVATION_TEXT_LIMITS,
  OBSERVATION_TYPES,
  toFacts,
  type Fact,
  type FactOrigin,
  type Observation,
  type ObservationConcept,
  type ObservationDraft,
  type ObservationInput,
  type ObservationSource,
  type ObservationType,
} from './observation.js';
export type { Summary, SummaryDraft } from './summary.js';
export {
  HOST_NAMES,
  NEUTRAL_PROJECT,
  SESSION_STATUSES,
  type ConversationTurn,
  type HostName,
  type Project,
  type ProjectRef,
  type Session,
  type SessionStatus,
  type UserPrompt,
} from './session.js';
export { CUT_OUTPUT_NOTE } from './host-event.js';
export type {
  HostEvent,
  JsonValue,
  PromptSubmitted,
  SessionEnded,
  SessionStarted,
  ToolUse,
  ToolUsed,
  TurnEnded,
} from './host-event.js';
export {
  MESSAGE_OUTCOMES,
  PENDING_STATUSES,
  type MessageOutcome,
  type PendingMessage,
  type PendingStatus,
  type SummarizePayload,
  type ToolUsePayload,
} from './pending-message.js';
export { localDayOf, nextLocalDayEpoch } from './local-day.js';
export {
  readUsageReport,
  type Ceiling,
  type DayBudget,
  type UsageReport,
  type UsageRequest,
} from './usage-report.js';
export type { ObservedToolUse, ObserverBatch } from './observer-batch.js';
export {
  EVIDENCE_PER_CLAIM,
  type ListPendingOptions,
  type MessageSelection,
  type PendingMessages,
  type QueueCounts,
  type WaitingTurn,
} from './ports/pending-messages.js';
export type {
  CallUsage,
  CaptureFields,
  CaptureResult,
  CapturedEvent,
  CommitReply,
  CommittedReply,
  ContextMaterial,
  ConversationRecordDraft,
  CurrentConversation,
  FinishedForgetting,
  ForgetRequest,
  ForgetResult,
  HoldoutSession,
  ListedProject,
  MovedProject,
  MoveProjectRequest,
  ProjectRepository,
  ListOptions,
  ObservationChange,
  ObservationFiles,
  ObservationFilter,
  ObservationFreshness,
  Page,
  RecordPlace,
  RecordPosition,
  RecordRange,
  Remembered,
  RememberRequest,
  SessionCounts,
  SessionFilter,
  Store,
  StoreStats,
  TimelineRecord,
  UndoableForget,
  UndoneForget,
  ToolUseCount,
  UsageDecision,
  UsageLimit,
  UsageLimits,
  UsageRow,
} from './ports/store.js';
export type {
  ImportedObservation,
  ImportedProject,
  ImportedPrompt,
  ImportedRecord,
  ImportedSession,
  ImportedSummary,
  ImportOptions,
  ImportResult,
} from './transfer.js';
export type { OutboxEntry, VectorOutbox } from './ports/vector-outbox.js';
export { escapeRegExp } from './escape-reg-exp.js';
export { yieldToEventLoop } from './yield-to-event-loop.js';
