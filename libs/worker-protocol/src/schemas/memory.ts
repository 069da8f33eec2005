import type { Observation } from '@claude-mem/core';
import * as Type from 'typebox';
import { EpochMs, Host, NullableText, RowId } from './common.js';
import { ObservationRecord } from './records.js';
import { filterFields } from './search.js';

const Count = Type.Integer({ minimum: 0 });
const Text = Type.String({ maxLength: 100_000 });
const Short = Type.String({ maxLength: 4_096 });
const Shorts = Type.Array(Short, { maxItems: 500 });
const Notes = Type.Array(Type.String(), { description: 'Notes for the user' });

/** At least one of `text`, `title` and `facts` is required. */
export const RememberRequest = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description: 'Text of the record. Without a title, its first line is the title',
      }),
    ),
    title: Type.Optional(Text),
    subtitle: Type.Optional(Text),
    type: Type.Optional(Short),
    facts: Type.Optional(Type.Array(Text, { maxItems: 500 })),
    concepts: Type.Optional(Shorts),
    files: Type.Optional(Type.Array(Short, { maxItems: 500, description: 'Record that the item is about' })),
    project: Type.Optional(
      Type.String({
        maxLength: 4_096,
        description: 'Name or key of a known project, or the path of a folder',
      }),
    ),
    cwd: Type.Optional(
      Type.String({ maxLength: 4_096, description: 'Folder of the project, when `project` is missing' }),
    ),
    session: Type.Optional(
      Type.Object(
        { host: Host, contentSessionId: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) },
        {
          additionalProperties: false,
          description: 'Host that saves the record, and its conversation if known',
        },
      ),
    ),
    savedBy: Type.Optional(
      Type.Union([Type.Literal('person'), Type.Literal('agent')], {
        default: 'person',
        description:
          'An agent cannot pin, and can neither supersede nor revive a record that is pinned or saved manually',
      }),
    ),
    pinned: Type.Optional(Type.Boolean()),
    supersedes: Type.Optional(Type.Array(RowId, { maxItems: 100 })),
  },
  { additionalProperties: false },
);
export type RememberRequest = Type.Static<typeof RememberRequest>;

export const RememberReply = Type.Object({
  observation: ObservationRecord,
  isNew: Type.Boolean({
    description: 'False when the project already contains the same observation, which is then returned',
  }),
  notes: Notes,
});
export type RememberReply = Type.Static<typeof RememberReply>;

const NullableId = Type.Union([RowId, Type.Null()]);

/** Omitted fields keep their value. Lists are replaced. */
export const ObservationChange = Type.Object(
  {
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    title: Type.Optional(NullableText),
    subtitle: Type.Optional(NullableText),
    narrative: Type.Optional(NullableText),
    facts: Type.Optional(
      Type.Array(Text, { maxItems: 500, description: 'An unchanged fact keeps its origin' }),
    ),
    concepts: Type.Optional(Shorts),
    filesRead: Type.Optional(Shorts),
    filesModified: Type.Optional(Shorts),
    pinned: Type.Optional(Type.Boolean()),
    supersededBy: Type.Optional(NullableId),
    ifUpdatedAtEpoch: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Changes the record only if its updatedAtEpoch has this value, so that no other change is overwritten',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ObservationChange = Type.Static<typeof ObservationChange>;

/** The changed observation. */
export const EditReply = Type.Unsafe<Observation & { notes: string[] }>(
  Type.Interface([ObservationRecord], { notes: Notes }),
);

/**
 * Either `ids` or filters. `project` or `session` alone selects all their records, including prompts and summaries.
 * Any other filter selects only observations. `backups` alone forgets no further records, and removes forgotten
 * records from the backups.
 */
export const ForgetRequest = Type.Object(
  {
    ids: Type.Optional(Type.Array(RowId, { minItems: 1, maxItems: 10_000 })),
    within: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: 'With ids: key of a project; ids of other projects count as missing',
      }),
    ),
    forgottenBy: Type.Optional(
      Type.Union([Type.Literal('person'), Type.Literal('agent')], {
        default: 'person',
        description:
          'An agent cannot delete a record that is pinned or saved manually, or that supersedes one',
      }),
    ),
    ...filterFields,
    dryRun: Type.Optional(Type.Boolean({ description: 'Counts the records without deleting them' })),
    confirm: Type.Optional(Type.Boolean({ description: 'Required unless ids are given' })),
    backups: Type.Optional(
      Type.Boolean({ description: 'Also from the backups: replaces all backups with a new one' }),
    ),
    undoSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 0,
        description:
          'Seconds during which the deletion can be undone. The text is overwritten afterwards. 0: final immediately',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ForgetRequest = Type.Static<typeof ForgetRequest>;

const forgottenCounts = {
  observations: Count,
  summaries: Count,
  prompts: Count,
  sessions: Type.Integer({ minimum: 0, description: 'Sessions of which every record was deleted' }),
};

const Titles = Type.Array(Type.Object({ id: RowId, title: NullableText }), {
  description: 'The newest 20 observations',
});

export const ForgetReply = Type.Object({
  ...forgottenCounts,
  titles: Titles,
  missing: Type.Optional(Type.Array(RowId, { description: 'Given ids that do not exist' })),
  isErased: Type.Boolean({
    description: 'False when the deleted text is overwritten in the file later, when no process reads it',
  }),
  backups: Type.Integer({ minimum: 0, description: 'Backups that still contain the deleted records' }),
  undo: Type.Union([Type.Object({ forgetId: RowId, finalAtEpoch: EpochMs }), Type.Null()], {
    description: 'Id and deadline for an undo. Null when the deletion is final or nothing was deleted',
  }),
  notes: Notes,
});
export type ForgetReply = Type.Static<typeof ForgetReply>;

export const DeleteReply = Type.Object({
  changed: Count,
  isErased: Type.Boolean({
    description:
      'False when the file still contains this or earlier deleted text. See isErased of /api/health',
  }),
});
export type DeleteReply = Type.Static<typeof DeleteReply>;

/** A deletion that can still be undone. */
export const UndoableForget = Type.Object({
  forgetId: RowId,
  forgottenAtEpoch: EpochMs,
  finalAtEpoch: EpochMs,
  ...forgottenCounts,
  titles: Titles,
});
export type UndoableForget = Type.Static<typeof UndoableForget>;

export const UndoForgetReply = Type.Object({
  restored: Type.Object({
    ...forgottenCounts,
    messages: Type.Integer({ minimum: 0, description: 'Messages that wait for the observer again' }),
  }),
  notes: Notes,
});
export type UndoForgetReply = Type.Static<typeof UndoForgetReply>;
