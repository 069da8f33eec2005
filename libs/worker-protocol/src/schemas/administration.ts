import * as Type from 'typebox';
import { EpochMs, NullableText, oneOf, RowId } from './common.js';

const SettingValue = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
  Type.Array(Type.String()),
]);

/** Secrets are masked. A masked value in a request keeps the stored secret. */
export const SettingsReply = Type.Object({
  settings: Type.Record(Type.String(), SettingValue),
  items: Type.Array(
    Type.Object({
      key: Type.String(),
      value: SettingValue,
      source: oneOf(['env', 'file', 'default'], {
        description: 'True when the environment sets the value, so that a change of the file has no effect',
      }),
      label: Type.String({ description: 'Two or three words' }),
      group: Type.String({ description: 'Group of the setting. Settings of a group are adjacent' }),
      description: Type.String(),
      kind: oneOf(['boolean', 'integer', 'number', 'choice', 'text', 'list', 'secret']),
      choices: Type.Optional(
        Type.Array(Type.String(), { description: 'Allowed values of a choice, or of each item of a list' }),
      ),
      isOrdered: Type.Optional(Type.Boolean({ description: 'True when the order of the list matters' })),
      minimum: Type.Optional(Type.Number()),
      maximum: Type.Optional(Type.Number()),
      default: SettingValue,
      isSecret: Type.Boolean(),
      isSettable: Type.Boolean({
        description: 'False when the setting can be changed only in the file or the environment',
      }),
      needsRestart: Type.Boolean({ description: 'True when a change needs a restart' }),
    }),
  ),
  problems: Type.Array(Type.String()),
});
export type SettingsReply = Type.Static<typeof SettingsReply>;

/** Setting keys and their new values. Null removes the key from the file. */
export const SettingsChange = Type.Record(Type.String(), Type.Unknown());

/** Some messages by id, or all parked ones. */
export const QueueSelection = Type.Union([
  Type.Object({ ids: Type.Array(RowId, { minItems: 1, maxItems: 10_000 }) }, { additionalProperties: false }),
  Type.Object({ status: Type.Literal('parked') }, { additionalProperties: false }),
]);

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'YYYY-MM-DD, local' });

export const LogQuery = Type.Object({
  date: Type.Optional(Day),
  level: Type.Optional(oneOf(LOG_LEVELS, { description: 'Minimum severity' })),
  text: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the line. Case is ignored' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  cursor: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', description: 'nextCursor of the previous page' }),
  ),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`end` of an earlier reply. Returns only newer lines',
    }),
  ),
});
export type LogQuery = Type.Static<typeof LogQuery>;

export const LogReply = Type.Object({
  date: Type.String(),
  dates: Type.Array(Type.String(), { description: 'Days with a log, newest first' }),
  items: Type.Array(
    Type.Object({
      offset: Type.Integer({
        minimum: 0,
        description: 'Position of the line in its file, unique per day and ascending',
      }),
      atEpoch: Type.Union([EpochMs, Type.Null()], { description: 'Null when the line contains none' }),
      level: oneOf(LOG_LEVELS),
      message: Type.String(),
      fields: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: 'Newest first' },
  ),
  nextCursor: NullableText,
  end: Type.Integer({ minimum: 0, description: 'Offset in the file at which reading began' }),
});
export type LogReply = Type.Static<typeof LogReply>;
