import { blob, integer, primaryKey, real, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';

/**
 * The tables as typed queries see them. The migrations make them; a test keeps both equal.
 * JSON columns are plain text here: they are decoded strictly where rows become records.
 */
export const projects = sqliteTable('projects', {
  id: integer().primaryKey({ autoIncrement: true }),
  key: text().notNull().unique(),
  name: text().notNull().unique(),
  createdAtEpoch: integer('created_at_epoch').notNull(),
});

export const projectRepositories = sqliteTable('project_repositories', {
  projectId: integer('project_id')
    .primaryKey()
    .references(() => projects.id),
  remoteHash: text('remote_hash'),
  rootCommit: text('root_commit').notNull(),
});

export const sdkSessions = sqliteTable(
  'sdk_sessions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    uid: text().notNull(),
    host: text().notNull(),
    contentSessionId: text('content_session_id').notNull(),
    memorySessionId: text('memory_session_id'),
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id),
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
  },
  (table) => [unique().on(table.host, table.contentSessionId)],
);

const sessionId = () =>
  integer('session_id')
    .notNull()
    .references(() => sdkSessions.id);
const projectId = () =>
  integer('project_id')
    .notNull()
    .references(() => projects.id);

export const userPrompts = sqliteTable(
  'user_prompts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    uid: text().notNull(),
    sessionId: sessionId(),
    promptNumber: integer('prompt_number').notNull(),
    promptId: text('prompt_id'),
    promptText: text('prompt_text').notNull(),
    createdAtEpoch: integer('created_at_epoch').notNull(),
    /** Its session's. */
    projectId: integer('project_id').notNull().default(0),
  },
  (table) => [unique().on(table.sessionId, table.promptNumber)],
);

export const observations = sqliteTable(
  'observations',
  {
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
  },
  (table) => [unique().on(table.sessionId, table.contentHash)],
);

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

export const pendingMessages = sqliteTable(
  'pending_messages',
  {
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
  },
  (table) => [unique().on(table.sessionId, table.dedupeKey)],
);

export const eventLedger = sqliteTable(
  'event_ledger',
  {
    sessionId: sessionId(),
    key: blob({ mode: 'buffer' }).notNull(),
    promptNumber: integer('prompt_number').notNull().default(0),
    outcome: text(),
    reason: text(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.key] })],
);

export const usage = sqliteTable(
  'usage',
  {
    day: text().notNull(),
    provider: text().notNull(),
    model: text().notNull().default(''),
    sessionId: sessionId(),
    calls: integer().notNull().default(0),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    cachedTokens: integer('cached_tokens').notNull().default(0),
    estimatedCostUsd: real('estimated_cost_usd').notNull().default(0),
    failedCalls: integer('failed_calls').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.provider, table.model, table.sessionId] })],
);

export const usageCalls = sqliteTable('usage_calls', {
  id: integer().primaryKey({ autoIncrement: true }),
  day: text().notNull(),
  sessionId: sessionId(),
  provider: text().notNull(),
  model: text().notNull().default(''),
  inputTokens: integer('input_tokens').notNull().default(0),
  outputTokens: integer('output_tokens').notNull().default(0),
  cachedTokens: integer('cached_tokens').notNull().default(0),
  estimatedCostUsd: real('estimated_cost_usd').notNull().default(0),
  startedAtEpoch: integer('started_at_epoch').notNull(),
});

export const counters = sqliteTable(
  'counters',
  {
    name: text().notNull(),
    scope: integer().notNull(),
    value: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.scope] })],
);

export const forgotten = sqliteTable('forgotten', {
  uidHash: blob('uid_hash', { mode: 'buffer' }).primaryKey(),
  projectId: integer('project_id').notNull(),
  contentHash: text('content_hash').notNull(),
  forgottenAtEpoch: integer('forgotten_at_epoch').notNull(),
});

export const sessionToolUses = sqliteTable(
  'session_tool_uses',
  {
    sessionId: sessionId(),
    tool: text().notNull(),
    uses: integer().notNull().default(0),
    failed: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.tool] })],
);

export const forgetBin = sqliteTable('forget_bin', {
  id: integer().primaryKey({ autoIncrement: true }),
  forgottenAtEpoch: integer('forgotten_at_epoch').notNull(),
  finalAtEpoch: integer('final_at_epoch').notNull(),
});

export const forgetBinRows = sqliteTable('forget_bin_rows', {
  id: integer().primaryKey(),
  binId: integer('bin_id').notNull(),
  kind: text().notNull(),
  recordId: integer('record_id').notNull(),
  data: text().notNull(),
});
