import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import type { ReadHook } from './create-hook-reader.js';

/**
 * Returns the response to a session start that reports why events cannot be stored; null for other events, and when the host cannot
 * show a message. Writes the event to the spool first, because the hook treats an answered event as stored.
 */
export function answerFailure(
  { readHook, spoolDir, reason }: { readHook: ReadHook; spoolDir: string; reason: string },
  { host, event, body }: { host: string; event: string; body: Uint8Array },
): string | null {
  const input = readHook({ host, event, body });
  if (input.kind !== 'event' || input.event.kind !== 'session-start') return null;
  const notice = `claude-mem cannot store events now. They wait in the spool. ${reason}`;
  const answer = input.adapter.writeAnswer(event, { notice });
  if (answer === input.adapter.writeAnswer(event, {})) return null;
  writeFileAtomically(join(spoolDir, `${host}.${event}.${randomUUID()}.json`), body);
  return answer;
}
