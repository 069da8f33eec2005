import type { Names } from '@claude-mem/core';
import * as Type from 'typebox';
import { EpochMs, objectOf, RowId } from './common.js';

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
  tokens: Type.Integer({ minimum: 0, description: 'Tokens of the injected text; 0 when nothing is injected' }),
  named: NameLists,
  turn: Type.Union(
    [
      Type.Object(
        { used: NameLists, usedFirst: NameLists },
        { description: 'usedFirst: without names in the prompts and records of earlier turns of the session' },
      ),
      Type.Null(),
    ],
    { description: 'Null when the records of the turn contain no files and no results of tools' },
  ),
});
export type ReplayedPrompt = Type.Static<typeof ReplayedPrompt>;

export const ReplayReply = Type.Object({ prompts: Type.Array(ReplayedPrompt) });
export type ReplayReply = Type.Static<typeof ReplayReply>;
