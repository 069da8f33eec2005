import { isRecord } from '@claude-mem/core';
import { boundedId, boundedPath } from '../bounded.js';
import {
  captured,
  capturedToolUse,
  createEventReader,
  ignored,
  json,
  type EventOrigin,
  type Payload,
} from '../create-event-reader.js';
import type { HookReading } from '../host-adapter.js';
import type { OwnPlaces } from '../own-events.js';
import { readTurnEnd } from '../read-turn-end.js';
import { startSource } from '../start-source.js';
import { failureIn, textOf } from '../tool-outcome.js';
import { IGNORED_EVENTS } from './events.js';
import { readPromptText } from './prompt-text.js';

/** Reads a hook payload of Claude Code 1.0 or later. */
export const readClaudeCodeEvent = createEventReader({
  host: 'claude-code',
  sessionFields: ['session_id'],
  ignoredEvents: IGNORED_EVENTS,
  readers: {
    SessionStart: (payload, origin) =>
      captured({ ...origin, kind: 'session-start', source: startSource(payload['source']) }),
    UserPromptSubmit: readPrompt,
    FileRead: readFileRead,
    PostToolUse: (payload, origin, own) => readToolUse(payload, origin, own, false),
    PostToolUseFailure: (payload, origin, own) => readToolUse(payload, origin, own, true),
    ToolResult: (payload, origin, own) => withFixRequest(readToolUse(payload, origin, own, false)),
    ToolFailure: (payload, origin, own) => withFixRequest(readToolUse(payload, origin, own, true)),
    Stop: readTurnEnd,
    SubagentStop: readAgentEnd,
    PreCompact: (_, origin) => captured({ ...origin, kind: 'compaction' }),
    SessionEnd: (payload, origin) =>
      captured({ ...origin, kind: 'session-end', reason: boundedId(payload['reason']) ?? 'other' }),
  },
  originOf: (payload, env) => ({
    cwd: boundedPath(payload['cwd']),
    projectDir: boundedPath(env.projectDir),
    promptId: boundedId(payload['prompt_id']),
    agentId: boundedId(payload['agent_id']),
    agentType: boundedId(payload['agent_type']),
  }),
  // Cursor can run the hooks of Claude Code's settings in addition to its own, which would store one conversation as
  // two sessions. Its version alone is not sufficient, because Claude Code may run in a terminal of Cursor.
  foreignReason: (payload, env) =>
    typeof payload['cursor_version'] === 'string' || (env['cursorVersion'] && !env.entrypoint)
      ? 'comes from Cursor, whose own hooks report it'
      : null,
});

function readPrompt(payload: Payload, origin: EventOrigin): HookReading {
  const reading = readPromptText(payload['prompt']);
  return reading.kind === 'machine'
    ? ignored(reading.reason, origin.contentSessionId)
    : captured({ ...origin, kind: 'prompt', text: reading.text });
}

function readFileRead(payload: Payload, origin: EventOrigin, own: OwnPlaces): HookReading {
  const reading = readToolUse(payload, origin, own, false);
  const input = json(payload['tool_input']);
  const readFile = isRecord(input) ? boundedPath(input['file_path']) : null;
  return reading.kind === 'event' && readFile !== null ? { ...reading, readFile } : reading;
}

const withFixRequest = (reading: HookReading): HookReading =>
  reading.kind === 'event' ? { ...reading, takesFix: true } : reading;

/**
 * The result of a sub-agent in the format of the tool that started it, because a background sub-agent returns it in
 * no other way. The host's own helpers, such as the one for compaction, have no type.
 */
function readAgentEnd(payload: Payload, origin: EventOrigin, own: OwnPlaces): HookReading {
  const { agentId, agentType, contentSessionId } = origin;
  const text = textOf(payload['last_assistant_message']);
  if (agentId === null || agentType === null || text === '')
    return ignored('tells nothing that a sub-agent found', contentSessionId);
  const response = { status: 'completed', agentId, content: [{ type: 'text', text }] };
  const use = { toolName: 'Agent', toolUseId: null, input: { subagent_type: agentType }, response };
  return capturedToolUse(origin, { ...use, failure: null, durationMs: null }, own);
}

function readToolUse(
  payload: Payload,
  origin: EventOrigin,
  own: OwnPlaces,
  isFailureEvent: boolean,
): HookReading {
  const response = json(payload['tool_response'] ?? payload['tool_output']);
  const failure = isFailureEvent
    ? {
        error: textOf(payload['error']) || textOf(response) || null,
        isInterrupt: payload['is_interrupt'] === true,
      }
    : failureIn(response);
  const use = {
    toolName: payload['tool_name'],
    toolUseId: payload['tool_use_id'],
    input: json(payload['tool_input']),
    response,
    failure,
    durationMs: payload['duration_ms'],
  };
  return capturedToolUse(origin, use, own);
}
