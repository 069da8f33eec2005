import { FACT_ORIGINS, FILE_ROLES, OBSERVATION_SOURCES, SESSION_STATUSES } from '@claude-mem/core';
import * as Type from 'typebox';
import { Host, NullableText, oneOf } from './common.js';

const Count = Type.Integer({ minimum: 0 });
const IsoTime = Type.String({ description: 'ISO time, UTC' });
const Texts = Type.Array(Type.String());

const place = {
  uid: Type.String(),
  project: Type.String({ description: 'Key (the absolute path of its folder) or name' }),
  host: Host,
  session: Type.String({ description: 'Id of the session at the host' }),
  prompt_number: Count,
  created_at: IsoTime,
};

const TransferProject = Type.Object({
  kind: Type.Literal('project'),
  project: place.project,
  name: Type.String(),
  created_at: IsoTime,
  root_commit: NullableText,
  remote_hash: NullableText,
});

const TransferSession = Type.Object({
  kind: Type.Literal('session'),
  ...place,
  cwd: NullableText,
  title: NullableText,
  user_prompt: NullableText,
  status: oneOf(SESSION_STATUSES),
  last_activity_at: IsoTime,
  completed_at: NullableText,
  tool_uses: Type.Union([
    Type.Array(Type.Object({ tool: Type.String(), count: Count, failed: Count })),
    Type.Null(),
  ]),
});

const TransferPrompt = Type.Object({
  kind: Type.Literal('prompt'),
  ...place,
  prompt_id: NullableText,
  text: Type.String(),
  agent_reply: Type.Optional(Type.String({ description: 'Last message of the agent for this prompt' })),
  branch: Type.Optional(Type.String({ description: 'Branch that was checked out' })),
  head_commit: Type.Optional(Type.String({ description: 'Commit that was checked out' })),
});

const TransferSummary = Type.Object({
  kind: Type.Literal('summary'),
  ...place,
  request: NullableText,
  investigated: NullableText,
  learned: NullableText,
  completed: NullableText,
  next_steps: NullableText,
  notes: NullableText,
  files_read: Texts,
  files_edited: Texts,
});

const TransferObservation = Type.Object({
  kind: Type.Literal('observation'),
  ...place,
  type: Type.String(),
  title: NullableText,
  subtitle: NullableText,
  narrative: NullableText,
  facts: Type.Array(
    Type.Union([Type.String(), Type.Object({ text: Type.String(), origin: oneOf(FACT_ORIGINS) })], {
      description: 'A plain text has no known origin',
    }),
  ),
  concepts: Texts,
  files_read: Texts,
  files_modified: Texts,
  updated_at: IsoTime,
  pinned: Type.Boolean(),
  superseded_by: Type.Union([Type.String(), Type.Null()], { description: 'uid of the observation' }),
  supersedes: Type.Array(Type.String(), { description: 'uids of observations' }),
  source: oneOf(OBSERVATION_SOURCES),
  provider: NullableText,
  model: NullableText,
  agent_id: NullableText,
  agent_type: NullableText,
  discovery_tokens: Count,
  conversation_hash: Type.Optional(
    Type.String({ description: 'Marks the conversation record of its session: its content hash as written' }),
  ),
  file_states: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), role: oneOf(FILE_ROLES), blob: NullableText }), {
      description: 'The files when the record was stored. blob: the id that git gives their content',
    }),
  ),
});

/**
 * One line of an export file. An import reads a line without `kind` as an observation, which needs only `uid` and one
 * text.
 */
export const TransferRecord = Type.Union([
  TransferProject,
  TransferSession,
  TransferPrompt,
  TransferSummary,
  TransferObservation,
]);
export type TransferRecord = Type.Static<typeof TransferRecord>;
