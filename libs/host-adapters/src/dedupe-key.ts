import { createHash } from 'node:crypto';
import type { HostEvent } from '@claude-mem/core';
import { hashJson } from './hash-json.js';
import type { HookEnv } from './host-adapter.js';

/**
 * The identity of an event within its session: the same when one event is delivered again or comes through several
 * registrations of the hook. Made from the event as read, before it is scrubbed, so that it does not change with the scrubber.
 */
export function dedupeKeyOf(event: HostEvent, env: HookEnv): string {
  switch (event.kind) {
    case 'tool-use':
      return event.toolUseId === null
        ? `tool:${hashJson([event.toolName, event.input, event.outcome === 'failed' ? [event.error, event.response] : event.response])}`
        : `tool:${event.toolUseId}`;
    case 'prompt':
      return `prompt:${turnKey(event.promptId, env, event.text)}`;
    case 'turn-end':
      // Cursor's comes without the message, which may be known the first time and no more the second
      return `turn-end:${turnKey(event.promptId, {}, event.host === 'cursor' ? '' : (event.lastAssistantMessage ?? ''))}`;
    case 'session-end':
      return `session-end:${turnKey(event.promptId, {}, event.reason)}`;
    case 'session-start':
      return `session-start:${event.source}`;
    case 'compaction':
      return `compaction:${turnKey(event.promptId, env, '')}`;
  }
}

/**
 * Hosts without prompt ids may send the same prompt twice and mean it: only the hook's own id distinguishes the two. The end of a turn or
 * of a session needs no id of the hook: the store adds the turn to its key.
 */
function turnKey(promptId: string | null, { eventId }: HookEnv, text: string): string {
  if (promptId !== null) return `${promptId}:${hashText(text)}`;
  return eventId ? `event:${eventId}` : hashText(text);
}

const hashText = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
