import * as Type from 'typebox';
import { Host, NullableText, oneOf, RowId } from './common.js';

const Count = Type.Integer({ minimum: 0 });

export const ContextQuery = Type.Object({
  cwd: Type.Optional(Type.String({ maxLength: 4_096 })),
  prompt: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Preview of the records for this prompt' }),
  ),
  file: Type.Optional(
    Type.String({
      maxLength: 4_096,
      description: 'Preview of the records for this file',
    }),
  ),
  host: Type.Optional(Host),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Time zone of the reader, such as Europe/Berlin. Default: the time zone of the worker',
    }),
  ),
  reader: Type.Optional(
    Type.Union([Type.Literal('command'), Type.Literal('mcp')], {
      description: 'How the reader requests complete records: with the command, or with the MCP tools',
    }),
  ),
  settings: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'JSON of context settings and their values. The preview uses these settings; nothing is stored',
    }),
  ),
});

const contextEntry = {
  id: RowId,
  title: NullableText,
  type: Type.String(),
  tokens: Type.Integer({ minimum: 0, description: 'Tokens of the complete record' }),
};

export const ContextReply = Type.Object({
  project: Type.Object({ key: Type.String(), name: Type.String() }),
  text: Type.String(),
  tokens: Count,
  maxTokens: Type.Integer({ minimum: 0, description: 'Maximum tokens of the text' }),
  shown: Type.Array(Type.Object(contextEntry), { description: 'In the order of the text' }),
  skipped: Type.Array(Type.Object({ ...contextEntry, reason: Type.String() })),
  statements: Type.Integer({ minimum: 0, description: 'Statements of conversations in the text' }),
  total: Type.Integer({ minimum: 0, description: 'Number of candidate records' }),
  offReason: Type.Union([Type.String(), Type.Null()], {
    description: 'Reason why the observer cannot be used now',
  }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Reason for the result, if it is known',
  }),
});
export const ContextFilesRequest = Type.Object({
  cwd: Type.String({ minLength: 1, maxLength: 4_096 }),
  action: oneOf(['remove', 'restore'], {
    description: 'remove: deletes the blocks permanently. restore: writes them again',
  }),
});

export const ContextFilesReply = Type.Object({
  root: Type.Union([Type.String(), Type.Null()], { description: 'Null without a project' }),
  files: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Relative to the root' }),
      kind: oneOf(['claude-md', 'claude-md-folder', 'cursor-rules']),
      state: oneOf(['kept', 'away', 'left'], {
        description: 'away: removed by the user. left: not changed, for a reason',
      }),
      records: Count,
      tokens: Count,
      reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
export type ContextFilesReply = Type.Static<typeof ContextFilesReply>;

export type ContextReply = Type.Static<typeof ContextReply>;
