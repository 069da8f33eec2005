import { boundedId, boundedPath } from '../bounded.js';
import { captured, capturedToolUse, createEventReader, json } from '../create-event-reader.js';
import { NO_TEXT, promptWords } from '../prompt-words.js';
import { readTurnEnd } from '../read-turn-end.js';
import { startSource } from '../start-source.js';
import { failureIn } from '../tool-outcome.js';
import { IGNORED_EVENTS } from './events.js';

/**
 * Reads a hook payload of Codex: the event names of Claude Code, the turn as `turn_id`, and tool output as one text.
 */
export const readCodexEvent = createEventReader({
  host: 'codex',
  sessionFields: ['session_id'],
  ignoredEvents: IGNORED_EVENTS,
  readers: {
    SessionStart: (payload, origin) =>
      captured({ ...origin, kind: 'session-start', source: startSource(payload['source']) }),
    UserPromptSubmit: (payload, origin) =>
      captured({ ...origin, kind: 'prompt', text: promptWords(payload['prompt']).trim() || NO_TEXT }),
    PostToolUse: (payload, origin, own) => {
      const response = json(payload['tool_response']);
      const use = {
        toolName: payload['tool_name'],
        toolUseId: payload['tool_use_id'],
        input: json(payload['tool_input']),
        response,
        failure: failureIn(response),
        durationMs: payload['duration_ms'],
      };
      return capturedToolUse(origin, use, own);
    },
    Stop: readTurnEnd,
    SessionEnd: (payload, origin) =>
      captured({ ...origin, kind: 'session-end', reason: boundedId(payload['reason']) ?? 'other' }),
  },
  originOf: (payload) => ({
    cwd: boundedPath(payload['cwd']),
    // Codex has no such variable; the one in the envelope belongs to another host.
    projectDir: null,
    promptId: boundedId(payload['turn_id']),
    agentId: boundedId(payload['agent_id']),
    agentType: boundedId(payload['agent_type']),
  }),
});
