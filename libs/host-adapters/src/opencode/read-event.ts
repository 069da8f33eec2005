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
import type { HookReading } from '../host-adapter.js';
import type { OwnPlaces } from '../own-events.js';
import { NO_TEXT, promptWords } from '../prompt-words.js';
import { failureIn, textOf, type ToolFailure } from '../tool-outcome.js';

/** Reads the reports of our plugin in OpenCode: values of the host under names of the plugin. */
export const readOpenCodeEvent = createEventReader({
  host: 'opencode',
  sessionFields: ['session_id'],
  ignoredEvents: {},
  readers: {
    // The host does not store the system prompt, so a conversation that continues in a new process has lost its
    // context.
    sessionStart: (payload, origin) =>
      captured({
        ...origin,
        kind: 'session-start',
        source: payload['is_new'] === true ? 'startup' : 'clear',
      }),
    chatMessage: (payload, origin) =>
      captured({ ...origin, kind: 'prompt', text: typedWords(payload['parts']) || NO_TEXT }),
    toolExecuted: readToolUse,
    toolFailed: readToolFailure,
    sessionIdle: (payload, origin) =>
      captured({
        ...origin,
        kind: 'turn-end',
        lastAssistantMessage: textOf(payload['reply']) || null,
        transcriptPath: null,
      }),
    sessionDeleted: (_, origin) => captured({ ...origin, kind: 'session-end', reason: 'deleted' }),
  },
  originOf: (payload) => {
    const cwd = boundedPath(payload['directory']);
    const worktree = boundedPath(payload['worktree']);
    return {
      cwd,
      // Without a repository, the host reports the root of the file system.
      projectDir: worktree === '/' ? cwd : worktree,
      promptId: boundedId(payload['turn_id']),
      agentId: boundedId(payload['child_id']),
      agentType: null,
    };
  },
});

/** The host marks text that it adds to a prompt, such as mentioned files. */
function typedWords(parts: unknown): string {
  if (!Array.isArray(parts)) return promptWords(parts).trim();
  const typed = parts.filter(
    (part: unknown) => isRecord(part) && part['type'] === 'text' && part['synthetic'] !== true,
  );
  return promptWords(typed).trim();
}

function readToolUse(payload: Payload, origin: EventOrigin, own: OwnPlaces): HookReading {
  const input = fieldsOf(payload['input']);
  const response = json(payload['output']);
  const use = {
    toolName: input['tool'],
    toolUseId: input['callID'],
    input: json(input['args']),
    response,
    failure: openCodeFailure(response),
    durationMs: null,
  };
  return capturedToolUse(origin, use, own);
}

function readToolFailure(payload: Payload, origin: EventOrigin, own: OwnPlaces): HookReading {
  const part = fieldsOf(payload['part']);
  const state = fieldsOf(part['state']);
  const { start, end } = fieldsOf(state['time']) as { start?: unknown; end?: unknown };
  const use = {
    toolName: part['tool'],
    toolUseId: part['callID'],
    input: json(state['input']),
    response: null,
    failure: { error: textOf(state['error']) || null, isInterrupt: false },
    durationMs: typeof start === 'number' && typeof end === 'number' ? end - start : null,
  };
  return capturedToolUse(origin, use, own);
}

/** A failed command has the exit code beside its output. */
function openCodeFailure(response: unknown): ToolFailure | null {
  const { metadata, output } = fieldsOf(response) as { metadata?: unknown; output?: unknown };
  const exit = fieldsOf(metadata)['exit'];
  if (typeof exit === 'number' && exit !== 0) return { error: textOf(output) || null, isInterrupt: false };
  return failureIn(response);
}

const fieldsOf = (value: unknown): Payload => (isRecord(value) ? value : {});
