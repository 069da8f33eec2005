import * as Type from 'typebox';
import { RowId } from './common.js';

const SettingValue = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
  Type.Array(Type.String()),
]);

/** Secrets are masked; posting a masked value back keeps the real one. */
export const SettingsReply = Type.Object({
  settings: Type.Record(Type.String(), SettingValue),
  items: Type.Array(
    Type.Object({
      key: Type.String(),
      value: SettingValue,
      source: Type.Union([Type.Literal('env'), Type.Literal('file'), Type.Literal('default')]),
      description: Type.String(),
      isSecret: Type.Boolean(),
      isSettable: Type.Boolean({ description: 'False: only in the settings file or the environment' }),
    }),
  ),
  problems: Type.Array(Type.String()),
});
export type SettingsReply = Type.Static<typeof SettingsReply>;

/** Setting keys and their new values; null removes the key from the file. */
export const SettingsChange = Type.Record(Type.String(), Type.Unknown());

/** Some messages by id, or all parked ones. */
export const QueueSelection = Type.Union([
  Type.Object({ ids: Type.Array(RowId, { minItems: 1, maxItems: 10_000 }) }, { additionalProperties: false }),
  Type.Object({ status: Type.Literal('parked') }, { additionalProperties: false }),
]);

export const LogReply = Type.Object({
  date: Type.String(),
  lines: Type.Array(Type.String(), { description: 'Oldest first; JSON, one object per line' }),
});
