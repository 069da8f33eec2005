import * as Type from 'typebox';
import { EpochMs, Host, NullableText, RowId, oneOf } from './common.js';

const eventFields = {
  contentSessionId: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Id of the conversation at the host',
  }),
  host: Type.Optional(Host),
  cwd: Type.Optional(NullableText),
  projectDir: Type.Optional(NullableText),
  promptId: Type.Optional(NullableText),
  agentId: Type.Optional(NullableText),
  agentType: Type.Optional(NullableText),
  eventId: Type.Optional(
    Type.String({ maxLength: 200, description: 'Id of the event. Events with the same id are stored once' }),
  ),
  occurredAtEpoch: Type.Optional(EpochMs),
};

/** Starts or reopens a session. With `prompt`, also begins a turn. */
export const SessionInit = Type.Object({ ...eventFields, prompt: Type.Optional(NullableText) });

/** One tool call. */
export const SessionObservation = Type.Object({
  ...eventFields,
  toolName: Type.String({ minLength: 1, maxLength: 200 }),
  toolUseId: Type.Optional(NullableText),
  input: Type.Optional(Type.Unknown()),
  response: Type.Optional(Type.Unknown()),
  outcome: Type.Optional(Type.Union([Type.Literal('succeeded'), Type.Literal('failed')])),
  error: Type.Optional(NullableText),
  isInterrupt: Type.Optional(Type.Boolean()),
  durationMs: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
});

/** Ends a turn. */
export const SessionSummarize = Type.Object({
  ...eventFields,
  lastAssistantMessage: Type.Optional(NullableText),
});

const NullableId = Type.Union([RowId, Type.Null()]);

/**
 * Sent only after the event is committed. `excluded`: the project is excluded or capture is disabled, and nothing was
 * stored.
 */
export const CaptureReply = Type.Object({
  kind: oneOf(['stored', 'duplicate', 'filtered', 'excluded']),
  sessionId: NullableId,
  projectId: NullableId,
  promptNumber: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
});
export type CaptureReply = Type.Static<typeof CaptureReply>;
export type SessionInit = Type.Static<typeof SessionInit>;
export type SessionObservation = Type.Static<typeof SessionObservation>;
export type SessionSummarize = Type.Static<typeof SessionSummarize>;
