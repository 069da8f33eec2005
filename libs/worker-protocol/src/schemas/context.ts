import * as Type from 'typebox';
import { Host, NullableText, oneOf, RowId } from './common.js';

const Count = Type.Integer({ minimum: 0 });

export const ContextQuery = Type.Object({
  cwd: Type.Optional(Type.String({ maxLength: 4_096 })),
  prompt: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Instead: the records for this prompt' }),
  ),
  file: Type.Optional(
    Type.String({
      maxLength: 4_096,
      description: 'Instead: the records for this file',
    }),
  ),
  host: Type.Optional(Host),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Of the reader, such as Europe/Berlin. Default: that of the worker',
    }),
  ),
  reader: Type.Optional(
    Type.Union([Type.Literal('command'), Type.Literal('mcp')], {
      description: 'How its reader asks on, which the text says: by the command, or with the tools of MCP',
    }),
  ),
  settings: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'As if these were set: JSON of keys of settings about context and their values. Nothing is stored',
    }),
  ),
});

const contextEntry = {
  id: RowId,
  title: NullableText,
  type: Type.String(),
  tokens: Type.Integer({ minimum: 0, description: 'What reading it whole costs' }),
};

export const ContextReply = Type.Object({
  project: Type.Object({ key: Type.String(), name: Type.String() }),
  text: Type.String(),
  tokens: Count,
  maxTokens: Type.Integer({ minimum: 0, description: 'What the text may cost' }),
  shown: Type.Array(Type.Object(contextEntry), { description: 'In the order of the text' }),
  skipped: Type.Array(Type.Object({ ...contextEntry, reason: Type.String() })),
  statements: Type.Integer({ minimum: 0, description: 'Statements of conversations in the text' }),
  total: Type.Integer({ minimum: 0, description: 'Records it was chosen from' }),
  offReason: Type.Union([Type.String(), Type.Null()], {
    description: 'What keeps it from being given now, as the end of a sentence',
  }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why this, or why nothing, where it can be said',
  }),
});
export const ContextFilesRequest = Type.Object({
  cwd: Type.String({ minLength: 1, maxLength: 4_096 }),
  action: oneOf(['remove', 'restore'], {
    description: 'Take all out for good, or have again what was taken out',
  }),
});

export const ContextFilesReply = Type.Object({
  root: Type.Union([Type.String(), Type.Null()], { description: 'Null where there is no project' }),
  files: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Relative to the root' }),
      kind: oneOf(['claude-md', 'claude-md-folder', 'cursor-rules']),
      state: oneOf(['kept', 'away', 'left'], {
        description: 'away: taken out by a person; left: not touched, for a reason',
      }),
      records: Count,
      tokens: Count,
      reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
export type ContextFilesReply = Type.Static<typeof ContextFilesReply>;

export type ContextReply = Type.Static<typeof ContextReply>;
