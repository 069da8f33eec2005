import { boundedPath } from './bounded.js';
import { captured, ignored, type EventOrigin, type Payload } from './create-event-reader.js';
import type { HookReading } from './host-adapter.js';
import { textOf } from './tool-outcome.js';

/** Why the end of a sub-agent is not captured. */
export const SUBAGENT_END = "a sub-agent's end is no end of the turn";

/** Reads the `Stop` event of Claude Code, and of hosts with the same format. */
export function readTurnEnd(payload: Payload, origin: EventOrigin): HookReading {
  if (origin.agentId !== null) return ignored(SUBAGENT_END, origin.contentSessionId);
  return captured({
    ...origin,
    kind: 'turn-end',
    lastAssistantMessage: textOf(payload['last_assistant_message']) || null,
    transcriptPath: boundedPath(payload['transcript_path']),
  });
}
