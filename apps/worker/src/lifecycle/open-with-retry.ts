import { ClaudeMemError, messageOf, type Clock, type Logger } from '@claude-mem/core';

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 2_000;
const REPAIR_RETRY_MS = 15_000;

/**
 * Opens the database. Retries until it succeeds: another process may release a lock, or a person repair the file.
 * @param options.onFailure called after each failure, with one line: what is wrong and what to do
 */
export async function openWithRetry<Opened>({
  open,
  onFailure,
  clock,
  log,
  signal,
}: {
  open(): Promise<Opened>;
  onFailure(reason: string, isTemporary: boolean): void;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Promise<Opened> {
  let lastReason = '';
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
    signal.throwIfAborted();
    try {
      return await open();
    } catch (error) {
      signal.throwIfAborted();
      const isTemporary = ClaudeMemError.isInstance(error) && error.code === 'storage/busy';
      const reason = reasonOf(error);
      if (reason !== lastReason) log.error({ error }, 'The database cannot be opened');
      lastReason = reason;
      onFailure(reason, isTemporary);
      await clock.sleep(isTemporary ? wait : REPAIR_RETRY_MS, { signal });
    }
  }
}

function reasonOf(error: unknown): string {
  if (ClaudeMemError.isInstance(error)) return `${error.code}: ${error.message}`;
  return `The database cannot be opened: ${messageOf(error)}. The log contains details.`;
}
