import * as Type from 'typebox';
import { RowId } from './common.js';

const Count = Type.Integer({ minimum: 0 });

export const ContextQuery = Type.Object({
  cwd: Type.Optional(Type.String({ maxLength: 4_096 })),
  prompt: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Instead: what would be given along with this prompt' }),
  ),
  file: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'Instead: what would be given before this file is read' }),
  ),
  reader: Type.Optional(
    Type.Union([Type.Literal('command'), Type.Literal('mcp')], {
      description: 'How its reader asks on, which the text says: by the command, or with the tools of MCP',
    }),
  ),
});

export const ContextReply = Type.Object({
  project: Type.Object({ key: Type.String(), name: Type.String() }),
  text: Type.String(),
  tokens: Count,
  shown: Type.Array(RowId),
  leftOut: Type.Array(Type.Object({ id: RowId, reason: Type.String() })),
  total: Type.Integer({ minimum: 0, description: 'Records it was chosen from' }),
  offReason: Type.Union([Type.String(), Type.Null()], {
    description: 'What keeps it from being given now, as the end of a sentence',
  }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why this, or why nothing, where it can be said',
  }),
});
export type ContextReply = Type.Static<typeof ContextReply>;
