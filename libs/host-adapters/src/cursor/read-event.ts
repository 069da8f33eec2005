import { boundedId, boundedPath } from '../bounded.js';
import {
  captured,
  capturedToolUse,
  createEventReader,
  ignored,
  type EventOrigin,
  type Payload,
} from '../create-event-reader.js';
import type { HookReading } from '../host-adapter.js';
import type { OwnPlaces } from '../own-events.js';
import { NO_TEXT, promptWords } from '../prompt-words.js';
import { failureIn, textOf } from '../tool-outcome.js';
import { IGNORED_EVENTS } from './events.js';
import { foldersOf } from './folders-of.js';
import { createLastReplies } from './last-replies.js';
import { readJsonText } from './read-json-text.js';

/**
 * Reads hook payloads of Cursor, editor and command line. The user's email address, which all payloads contain, is
 * dropped. The closing message is in a separate event and is added to the end of the turn.
 */
export function createCursorReader() {
  const replies = createLastReplies();
  return createEventReader({
    host: 'cursor',
    sessionFields: ['conversation_id', 'session_id'],
    ignoredEvents: IGNORED_EVENTS,
    readers: {
      sessionStart: (_, origin) => captured({ ...origin, kind: 'session-start', source: 'startup' }),
      beforeSubmitPrompt: (payload, origin) =>
        captured({ ...origin, kind: 'prompt', text: promptWords(payload['prompt']).trim() || NO_TEXT }),
      postToolUse: (payload, origin, own) => readToolUse(payload, origin, own, false),
      postToolUseFailure: (payload, origin, own) => readToolUse(payload, origin, own, true),
      afterAgentResponse: (payload, origin) => {
        replies.keep(payload, origin);
        return ignored('is told with the end of the turn', origin.contentSessionId);
      },
      // An interrupted or failed turn has ended too.
      stop: (payload, origin) =>
        captured({
          ...origin,
          kind: 'turn-end',
          lastAssistantMessage: replies.of(origin),
          transcriptPath: boundedPath(payload['transcript_path']),
        }),
      sessionEnd: (payload, origin) =>
        captured({ ...origin, kind: 'session-end', reason: boundedId(payload['reason']) ?? 'other' }),
    },
    originOf: (payload, env) => ({
      ...foldersOf(payload, env),
      promptId: boundedId(payload['generation_id']),
      agentId: null,
      agentType: null,
    }),
  });
}

function readToolUse(
  payload: Payload,
  origin: EventOrigin,
  own: OwnPlaces,
  isFailureEvent: boolean,
): HookReading {
  const response = readJsonText(payload['tool_output'] ?? payload['result_json']);
  const use = {
    toolName: payload['tool_name'],
    toolUseId: payload['tool_use_id'],
    input: readJsonText(payload['tool_input']),
    response,
    failure: isFailureEvent
      ? {
          error:
            textOf(payload['error_message']) || textOf(payload['failure_type']) || textOf(response) || null,
          isInterrupt: payload['is_interrupt'] === true,
        }
      : failureIn(response),
    durationMs: payload['duration'],
  };
  return capturedToolUse(origin, use, own);
}
