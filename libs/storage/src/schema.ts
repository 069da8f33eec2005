import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Tables of typed queries. The migrations create all tables; a test compares them with these definitions. JSON
 * columns are text here: they are validated when rows are converted to records.
 */
export const projects = sqliteTable('projects', {
  id: integer().primaryKey({ autoIncrement: true }),
  key: text().notNull().unique(),
  name: text().notNull().unique(),
  createdAtEpoch: integer('created_at_epoch').notNull(),
});

export const sdkSessions = sqliteTable('sdk_sessions', {
  id: integer().primaryKey({ autoIncrement: true }),
  uid: text().notNull(),
  host: text().notNull(),
  contentSessionId: text('content_session_id').notNull(),
  memorySessionId: text('memory_session_id'),
  projectId: integer('project_id').notNull(),
  cwd: text(),
  userPrompt: text('user_prompt'),
  title: text(),
  status: text().notNull().default('active'),
  promptCounter: integer('prompt_counter').notNull().default(0),
  cumulativeInputTokens: integer('cumulative_input_tokens').notNull().default(0),
  cumulativeOutputTokens: integer('cumulative_output_tokens').notNull().default(0),
  createdAtEpoch: integer('created_at_epoch').notNull(),
  lastActivityEpoch: integer('last_activity_epoch').notNull(),
  completedAtEpoch: integer('completed_at_epoch'),
  /** The observation of the conversation. Null before the first one. Kept after it was forgotten. */
  conversationRecordId: integer('conversation_record_id'),
  /** The content hash of the conversation record, as the observer wrote it last. */
  conversationRecordHash: text('conversation_record_hash'),
  /** The share of sessions without injections that was set when the session began. */
  holdoutShare: real('holdout_share').notNull().default(0),
});

const sessionId = () => integer('session_id').notNull();
const projectId = () => integer('project_id').notNull();

export const userPrompts = sqliteTable('user_prompts', {
  id: integer().primaryKey({ autoIncrement: true }),
  uid: text().notNull(),
  sessionId: sessionId(),
  promptNumber: integer('prompt_number').notNull(),
  promptId: text('prompt_id'),
  promptText: text('prompt_text').notNull(),
  createdAtEpoch: integer('created_at_epoch').notNull(),
  /** The project of its session. */
  projectId: integer('project_id').notNull().default(0),
  /** The closing message of this prompt. Null when it is unknown. */
  agentReply: text('agent_reply'),
  isImported: integer('is_imported').notNull().default(0),
  /** The branch and commit of the prompt. Null when they are unknown. */
  branch: text(),
  headCommit: text('head_commit'),
});

export const observations = sqliteTable('observations', {
  id: integer().primaryKey({ autoIncrement: true }),
  uid: text().notNull(),
  sessionId: sessionId(),
  projectId: projectId(),
  promptNumber: integer('prompt_number').notNull().default(0),
  type: text().notNull(),
  title: text(),
  subtitle: text(),
  narrative: text(),
  facts: text().notNull().default('[]'),
  concepts: text().notNull().default('[]'),
  filesRead: text('files_read').notNull().default('[]'),
  filesModified: text('files_modified').notNull().default('[]'),
  discoveryTokens: integer('discovery_tokens').notNull().default(0),
  contentHash: text('content_hash').notNull(),
  source: text().notNull().default('observer'),
  provider: text(),
  model: text(),
  agentId: text('agent_id'),
  agentType: text('agent_type'),
  pinned: integer().notNull().default(0),
  supersededBy: integer('superseded_by'),
  createdAtEpoch: integer('created_at_epoch').notNull(),
  updatedAtEpoch: integer('updated_at_epoch').notNull(),
  /** Parallel to `facts`. */
  factOrigins: text('fact_origins').notNull().default('[]'),
  /** Files of the record when it was stored, as a list of `FileState`. */
  fileStates: text('file_states').notNull().default('[]'),
});

/** Derived. One row per observation with a known verdict. */
export const observationFreshness = sqliteTable('observation_freshness', {
  observationId: integer('observation_id').primaryKey(),
  checkout: text().notNull(),
  headCommit: text('head_commit'),
  freshness: text().notNull(),
});

export const sessionSummaries = sqliteTable('session_summaries', {
  id: integer().primaryKey({ autoIncrement: true }),
  uid: text().notNull(),
  sessionId: sessionId(),
  projectId: projectId(),
  promptNumber: integer('prompt_number').notNull().default(0),
  request: text(),
  investigated: text(),
  learned: text(),
  completed: text(),
  nextSteps: text('next_steps'),
  notes: text(),
  filesRead: text('files_read').notNull().default('[]'),
  filesEdited: text('files_edited').notNull().default('[]'),
  createdAtEpoch: integer('created_at_epoch').notNull(),
});

export const pendingMessages = sqliteTable('pending_messages', {
  id: integer().primaryKey({ autoIncrement: true }),
  sessionId: sessionId(),
  kind: text().notNull(),
  promptNumber: integer('prompt_number').notNull().default(0),
  dedupeKey: text('dedupe_key').notNull(),
  bytes: integer().notNull().default(0),
  status: text().notNull().default('pending'),
  attempts: integer().notNull().default(0),
  lastError: text('last_error'),
  createdAtEpoch: integer('created_at_epoch').notNull().default(0),
  claimedAtEpoch: integer('claimed_at_epoch'),
  availableAtEpoch: integer('available_at_epoch').notNull().default(0),
  payload: text().notNull(),
  isEvidence: integer('is_evidence').notNull().default(0),
});
