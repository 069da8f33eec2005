import { ClaudeMemError, messageOf, type Clock, type Logger } from '@claude-mem/core';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;
const LASTING_WAIT_MS = 15_000;

/**
 * Opens the database, again and again until it works: a lock passes, and a file that a person repairs is found without a
 * restart. Each failure is told as one line: what is wrong and what to do.
 */
export async function openWithPatience<Opened>({
  open,
  onFailure,
  clock,
  log,
  signal,
}: {
  open(): Promise<Opened>;
  onFailure(reason: string, isPassing: boolean): void;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Promise<Opened> {
  let lastReason = '';
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    signal.throwIfAborted();
    try {
      return await open();
    } catch (error) {
      signal.throwIfAborted();
      const isPassing = ClaudeMemError.isInstance(error) && error.code === 'storage/busy';
      const reason = reasonOf(error);
      if (reason !== lastReason) log.error({ error }, 'The database cannot be opened');
      lastReason = reason;
      onFailure(reason, isPassing);
      await clock.sleep(isPassing ? wait : LASTING_WAIT_MS, { signal });
    }
  }
}

function reasonOf(error: unknown): string {
  if (ClaudeMemError.isInstance(error)) return `${error.code}: ${error.message}`;
  return `The database cannot be opened: ${messageOf(error)}. The log contains details.`;
}
