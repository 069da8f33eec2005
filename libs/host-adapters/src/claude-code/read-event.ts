import type { HostEvent, JsonValue, SessionStarted } from '@claude-mem/core';
import { boundedId, boundedPath } from '../bounded.js';
import type { HookEnv, HookReading } from '../host-adapter.js';
import { memoryReason, observerReason, type OwnPlaces } from '../own-events.js';
import { IGNORED_EVENTS } from './events.js';
import { readPromptText } from './prompt-text.js';
import { failureIn, textOf } from './tool-outcome.js';

type Payload = Readonly<Record<string, unknown>>;
type Common = Pick<
  HostEvent,
  'host' | 'contentSessionId' | 'cwd' | 'projectDir' | 'promptId' | 'agentId' | 'agentType'
>;

/** Reads a hook payload of any Claude Code from 1.0 on. No field is taken for granted. */
export function readClaudeCodeEvent(
  { event, payload, env }: { event: string; payload: unknown; env: HookEnv },
  options: OwnPlaces,
): HookReading {
  if (!isRecord(payload))
    return { kind: 'invalid', message: `the payload is ${describe(payload)}, not an object` };
  const contentSessionId = boundedId(payload['session_id']);
  if (Object.hasOwn(IGNORED_EVENTS, event)) return ignored(IGNORED_EVENTS[event] ?? '', contentSessionId);
  const read = Object.hasOwn(READERS, event) ? READERS[event] : undefined;
  if (!read) return ignored('is not an event of this host', contentSessionId);
  if (contentSessionId === null) return { kind: 'invalid', message: 'the payload has no session_id' };
  const common: Common = {
    host: 'claude-code',
    contentSessionId,
    cwd: boundedPath(payload['cwd']),
    projectDir: boundedPath(env.projectDir),
    promptId: boundedId(payload['prompt_id']),
    agentId: boundedId(payload['agent_id']),
    agentType: boundedId(payload['agent_type']),
  };
  const reason = observerReason({ ...common, env }, options);
  if (reason !== null) return ignored(reason, contentSessionId);
  return read(payload, common, options);
}

type Reader = (payload: Payload, common: Common, options: OwnPlaces) => HookReading;

const READERS: Readonly<Record<string, Reader>> = {
  SessionStart: (payload, common) =>
    captured({ ...common, kind: 'session-start', source: sourceOf(payload['source']) }),
  UserPromptSubmit: readPrompt,
  PostToolUse: (payload, common, options) => readToolUse(payload, common, options, false),
  PostToolUseFailure: (payload, common, options) => readToolUse(payload, common, options, true),
  Stop: readTurnEnd,
  SessionEnd: (payload, common) =>
    captured({ ...common, kind: 'session-end', reason: boundedId(payload['reason']) ?? 'other' }),
};

const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

function sourceOf(value: unknown): SessionStarted['source'] {
  return SOURCES.find((source) => source === value) ?? 'other';
}

function readPrompt(payload: Payload, common: Common): HookReading {
  const reading = readPromptText(payload['prompt']);
  return reading.kind === 'machine'
    ? ignored(reading.reason, common.contentSessionId)
    : captured({ ...common, kind: 'prompt', text: reading.text });
}

function readToolUse(
  payload: Payload,
  common: Common,
  options: OwnPlaces,
  isFailureEvent: boolean,
): HookReading {
  const toolName = boundedId(payload['tool_name']) ?? 'unknown';
  const input = json(payload['tool_input']);
  const response = json(payload['tool_response'] ?? payload['tool_output']);
  const reason = memoryReason({ toolName, input, cwd: common.cwd }, options);
  if (reason !== null) return ignored(reason, common.contentSessionId);
  const failure = isFailureEvent
    ? {
        error: textOf(payload['error']) || textOf(response) || null,
        isInterrupt: payload['is_interrupt'] === true,
      }
    : failureIn(response);
  const duration = payload['duration_ms'];
  return captured({
    ...common,
    kind: 'tool-use',
    toolName,
    toolUseId: boundedId(payload['tool_use_id']),
    input,
    response,
    outcome: failure ? 'failed' : 'succeeded',
    error: failure?.error ?? null,
    isInterrupt: failure?.isInterrupt ?? false,
    durationMs: typeof duration === 'number' && duration >= 0 ? duration : null,
  });
}

function readTurnEnd(payload: Payload, common: Common): HookReading {
  if (common.agentId !== null) return ignored(IGNORED_EVENTS['SubagentStop'] ?? '', common.contentSessionId);
  return captured({
    ...common,
    kind: 'turn-end',
    lastAssistantMessage: textOf(payload['last_assistant_message']) || null,
    transcriptPath: boundedPath(payload['transcript_path']),
  });
}

const captured = (event: HostEvent): HookReading => ({ kind: 'event', event });

const ignored = (reason: string, contentSessionId: string | null): HookReading => ({
  kind: 'ignored',
  reason,
  contentSessionId,
});

/** The payload came out of a JSON parser, so a missing field is the only thing that is not JSON. */
const json = (value: unknown) => (value ?? null) as JsonValue;

const isRecord = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
