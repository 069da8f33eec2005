import { messageOf, noopLogger, pause, type Clock, type Logger } from '@claude-mem/core';

/** Maximum time in milliseconds that a session start waits for a lookup. */
const WAIT_MS = 30;
/** Maximum age of a result that is returned without waiting. The lookup is then repeated for the next session. */
const MAX_AGE_MS = 10 * 60_000;
/** Delay of a lookup that no caller waits for, so that the session gets its response first. */
const DELAY_MS = 500;
const TIMEOUT_MS = 5_000;
const MAX_KEYS = 50;

/**
 * Returns a function that looks up a key with a short time limit. It returns the latest known items, or an empty list, when the lookup
 * takes longer. The lookup then continues in the background, and its items are returned for the next call.
 */
export function createCachedLookup<Item>({
  lookup,
  isReady = () => true,
  name,
  clock,
  log = noopLogger,
}: {
  lookup(this: void, key: string, options: { signal: AbortSignal }): Promise<readonly Item[]>;
  /** Returns false while a lookup is expensive. No caller then waits for it. @default always true */
  isReady?(this: void): boolean;
  /** Subject of log messages. */
  name: string;
  clock: Clock;
  /** Logs failed lookups. @default no log */
  log?: Pick<Logger, 'debug'>;
}): (key: string) => Promise<readonly Item[]> {
  const known = new Map<string, { items: readonly Item[]; at: number }>();
  const running = new Map<string, Promise<readonly Item[]>>();

  const start = async (key: string, { delayMs }: { delayMs: number }): Promise<readonly Item[]> => {
    const stop = new AbortController();
    if (delayMs > 0) await pause(clock, delayMs, stop.signal);
    void pause(clock, TIMEOUT_MS, stop.signal).then(() => stop.abort());
    try {
      const items = await lookup(key, { signal: stop.signal });
      if (known.size >= MAX_KEYS) known.clear();
      known.set(key, { items, at: clock.now() });
      return items;
    } catch (error) {
      log.debug({ reason: messageOf(error) }, `${name} could not be looked up`);
      return known.get(key)?.items ?? [];
    } finally {
      stop.abort();
      running.delete(key);
    }
  };

  return async (key) => {
    const last = known.get(key);
    const isFresh = last !== undefined && clock.now() - last.at < MAX_AGE_MS;
    const isWaitedFor = !isFresh && isReady();
    const current = running.get(key) ?? start(key, { delayMs: isWaitedFor ? 0 : DELAY_MS });
    running.set(key, current);
    if (!isWaitedFor) return last?.items ?? [];
    const stop = new AbortController();
    const timeout = pause(clock, WAIT_MS, stop.signal).then(() => last?.items ?? []);
    const items = await Promise.race([current, timeout]);
    stop.abort();
    return items;
  };
}
