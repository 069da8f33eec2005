import { isRecord, type HostEvent, type HostName, type JsonValue } from '@claude-mem/core';
import { boundedId } from './bounded.js';
import type { HookEnv, HookReading } from './host-adapter.js';
import { memoryReason, observerReason, type OwnPlaces } from './own-events.js';
import type { ToolFailure } from './tool-outcome.js';

export type Payload = Readonly<Record<string, unknown>>;

/** Fields that all events of a host have. */
export type EventOrigin = Pick<
  HostEvent,
  'host' | 'contentSessionId' | 'cwd' | 'projectDir' | 'promptId' | 'agentId' | 'agentType'
>;

type ReadOneEvent = (payload: Payload, origin: EventOrigin, own: OwnPlaces) => HookReading;

/** The specifics of a host's payloads. */
export interface EventRules {
  host: HostName;
  /** Fields that may contain the conversation id. The first one with a value is used. */
  sessionFields: readonly [string, ...string[]];
  /** Known events that are not captured, with the reason. */
  ignoredEvents: Readonly<Record<string, string>>;
  readers: Readonly<Record<string, ReadOneEvent>>;
  originOf(payload: Payload, env: HookEnv): Omit<EventOrigin, 'host' | 'contentSessionId'>;
  /** Why a payload belongs to another adapter, or null. */
  foreignReason?(payload: Payload, env: HookEnv): string | null;
}

/** Reads payloads: rejects those of others first, then calls the reader of the event. All fields are optional. */
export function createEventReader({
  host,
  sessionFields,
  ignoredEvents,
  readers,
  originOf,
  foreignReason = () => null,
}: EventRules) {
  return (
    { event, payload, env }: { event: string; payload: unknown; env: HookEnv },
    own: OwnPlaces,
  ): HookReading => {
    if (!isRecord(payload))
      return { kind: 'invalid', message: `the payload is ${describe(payload)}, not an object` };
    const contentSessionId = firstId(payload, sessionFields);
    if (Object.hasOwn(ignoredEvents, event)) return ignored(ignoredEvents[event] ?? '', contentSessionId);
    const read = Object.hasOwn(readers, event) ? readers[event] : undefined;
    if (!read) return ignored('is not an event of this host', contentSessionId);
    if (contentSessionId === null)
      return { kind: 'invalid', message: `the payload has no ${sessionFields[0]}` };
    const origin: EventOrigin = { host, contentSessionId, ...originOf(payload, env) };
    const reason = foreignReason(payload, env) ?? observerReason({ env, ...origin }, own);
    return reason === null ? read(payload, origin, own) : ignored(reason, contentSessionId);
  };
}

export const captured = (event: HostEvent): HookReading => ({ kind: 'event', event });

export const ignored = (reason: string, contentSessionId: string | null): HookReading => ({
  kind: 'ignored',
  reason,
  contentSessionId,
});

/** A normalized tool use, unless it concerns the memory itself. */
export function capturedToolUse(
  origin: EventOrigin,
  use: {
    toolName: unknown;
    toolUseId: unknown;
    input: JsonValue;
    response: JsonValue;
    failure: ToolFailure | null;
    durationMs: unknown;
  },
  own: OwnPlaces,
): HookReading {
  const { input, response, failure, durationMs } = use;
  const toolName = boundedId(use.toolName) ?? 'unknown';
  const reason = memoryReason({ toolName, input, cwd: origin.cwd }, own);
  if (reason !== null) return ignored(reason, origin.contentSessionId);
  // The origin is not first, because V8 creates a new hidden class for every object that copies another object's fields
  // before it adds its own.
  return captured({
    kind: 'tool-use',
    ...origin,
    toolName,
    toolUseId: boundedId(use.toolUseId),
    input,
    response,
    outcome: failure ? 'failed' : 'succeeded',
    error: failure?.error ?? null,
    isInterrupt: failure?.isInterrupt ?? false,
    durationMs: typeof durationMs === 'number' && durationMs >= 0 ? durationMs : null,
  });
}

/** The payload comes from a JSON parser, so a missing field is the only value that is not JSON. */
export const json = (value: unknown) => (value ?? null) as JsonValue;

function firstId(payload: Payload, fields: readonly string[]): string | null {
  for (const field of fields) {
    const id = boundedId(payload[field]);
    if (id !== null) return id;
  }
  return null;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
