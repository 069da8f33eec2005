import { INJECTION_KINDS, type Names } from '@claude-mem/core';
import * as Type from 'typebox';
import { EpochMs, NullableText, objectOf, oneOf, RowId } from './common.js';

export const ReplayQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 500, description: 'Maximum number of prompts' }),
  ),
});

const NameLists = objectOf<Names>({
  files: Type.Array(Type.String()),
  identifiers: Type.Array(Type.String()),
});

const ReplayedPrompt = Type.Object({
  promptId: RowId,
  createdAtEpoch: EpochMs,
  tokens: Type.Integer({
    minimum: 0,
    description: 'Tokens of the injected text; 0 when nothing is injected',
  }),
  named: NameLists,
  turn: Type.Union(
    [
      Type.Object(
        { used: NameLists, usedFirst: NameLists },
        {
          description: 'usedFirst: without names in the prompts and records of earlier turns of the session',
        },
      ),
      Type.Null(),
    ],
    { description: 'Null when the records of the turn contain no files and no results of tools' },
  ),
});
export type ReplayedPrompt = Type.Static<typeof ReplayedPrompt>;

export const ReplayReply = Type.Object({ prompts: Type.Array(ReplayedPrompt) });
export type ReplayReply = Type.Static<typeof ReplayReply>;

const Count = Type.Integer({ minimum: 0 });

export const SessionInjections = Type.Object({
  items: Type.Array(
    Type.Object({
      id: RowId,
      kind: oneOf(INJECTION_KINDS),
      promptNumber: Type.Integer({ minimum: 0, description: 'Turn; 0 before the first prompt' }),
      tokens: Count,
      createdAtEpoch: EpochMs,
      conversations: Type.Integer({
        minimum: 0,
        description: 'Earlier conversations without a record whose statements were injected',
      }),
      forgotten: Type.Integer({ minimum: 0, description: 'Injected records that do not exist any more' }),
      records: Type.Array(
        Type.Object({
          id: RowId,
          title: NullableText,
          type: Type.String(),
          used: Type.Union([Type.Array(Type.String()), Type.Null()], {
            description:
              'Files and identifiers of the record that the session used afterwards. Null when this is not known, and for the history of a file',
          }),
        }),
      ),
    }),
    { description: 'Oldest first, at most 500' },
  ),
});
export type SessionInjections = Type.Static<typeof SessionInjections>;

export const HoldoutQuery = Type.Object({
  project: Type.Optional(Type.String({ maxLength: 4_096, description: 'Name or key' })),
  fromEpoch: Type.Optional(EpochMs),
});

export const HoldoutReply = Type.Object({
  sessions: Type.Array(
    Type.Object({
      sessionId: RowId,
      isHeldOut: Type.Boolean({ description: 'True when nothing was injected' }),
      turns: Count,
      repeatedReads: Type.Integer({
        minimum: 0,
        description: 'For each file, the turns whose records list it as read, except the first',
      }),
      failedCommands: Type.Union([Count, Type.Null()], {
        description: 'Null when tool uses were not counted',
      }),
    }),
    { description: 'Ended sessions that began while the holdout was on, newest first, at most 5,000' },
  ),
});
export type HoldoutReply = Type.Static<typeof HoldoutReply>;
