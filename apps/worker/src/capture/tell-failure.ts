import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import type { ReadHook } from './read-hook.js';

/**
 * The host's output that tells the person in front of a starting session why nothing can be stored; null where there is nobody to
 * tell. The event is back in the spool before, because the hook then takes its own file for delivered.
 */
export function tellFailure(
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
