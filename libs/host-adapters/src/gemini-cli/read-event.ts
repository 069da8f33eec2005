import { isRecord } from '@claude-mem/core';
import { boundedId, boundedPath } from '../bounded.js';
import {
  captured,
  capturedToolUse,
  createEventReader,
  json,
  type EventOrigin,
  type Payload,
} from '../create-event-reader.js';
import { hashJson } from '../hash-json.js';
import type { HookReading } from '../host-adapter.js';
import type { OwnPlaces } from '../own-events.js';
import { NO_TEXT, promptWords } from '../prompt-words.js';
import { startSource } from '../start-source.js';
import { failureIn, textOf, type ToolFailure } from '../tool-outcome.js';
import { IGNORED_EVENTS } from './events.js';
import { typedWords } from './typed-words.js';

/** Reads a hook payload of Gemini CLI. */
export const readGeminiCliEvent = createEventReader({
  host: 'gemini-cli',
  sessionFields: ['session_id'],
  ignoredEvents: IGNORED_EVENTS,
  readers: {
    SessionStart: (payload, origin) =>
      captured({ ...origin, kind: 'session-start', source: startSource(payload['source']) }),
    BeforeAgent: (payload, origin) =>
      captured({ ...origin, kind: 'prompt', text: typedWords(promptWords(payload['prompt'])) || NO_TEXT }),
    AfterTool: readToolUse,
    AfterAgent: (payload, origin) =>
      captured({
        ...origin,
        kind: 'turn-end',
        lastAssistantMessage: textOf(payload['prompt_response']) || null,
        transcriptPath: boundedPath(payload['transcript_path']),
      }),
    SessionEnd: (payload, origin) =>
      captured({ ...origin, kind: 'session-end', reason: boundedId(payload['reason']) ?? 'other' }),
  },
  originOf: (payload, env) => ({
    cwd: boundedPath(payload['cwd']),
    projectDir: boundedPath(env.projectDir),
    promptId: null,
    agentId: null,
    agentType: null,
  }),
});

function readToolUse(payload: Payload, origin: EventOrigin, own: OwnPlaces): HookReading {
  const input = json(payload['tool_input']);
  const response = json(payload['tool_response']);
  const use = {
    toolName: payload['tool_name'],
    toolUseId: useId(payload),
    input,
    response,
    failure: geminiFailure(response),
    durationMs: null,
  };
  return capturedToolUse(origin, use, own);
}

/**
 * The host has no ids of tool calls. The time distinguishes two equal calls, and the input two calls at the same
 * time.
 */
function useId(payload: Payload): string | null {
  const at = boundedId(payload['timestamp']);
  if (at === null) return null;
  return `${at}:${hashJson([payload['tool_name'], payload['tool_input']]).slice(0, 32)}`;
}

/** A failed call has an error beside its output, or the exit code of a command in its text. */
function geminiFailure(response: unknown): ToolFailure | null {
  const failure = failureIn(response);
  if (failure || !isRecord(response)) return failure;
  const text = textOf(response['llmContent']);
  const code = /^Exit Code: (-?\d+)$/m.exec(text)?.[1] ?? '0';
  return code === '0' ? failureIn(text) : { error: text, isInterrupt: false };
}
