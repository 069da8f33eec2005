import { messageOf, noopLogger, pause, type Clock, type Logger } from '@claude-mem/core';

/** A session starts without it rather than late. */
const PATIENCE_MS = 30;
/** What was seen so lately is good enough; the next look is for the session after this one, and disturbs its start no more. */
const FRESH_MS = 10 * 60_000;
const REST_MS = 500;
/** A look that takes longer is given up. */
const LIMIT_MS = 5_000;
const MOST_KEYS = 50;

/** What a look finds for a key, as far as it can be told at once: what was found a while ago, where there was a look. */
export function createAtHand<Item>({
  look,
  isReady = () => true,
  what,
  clock,
  log = noopLogger,
}: {
  look(this: void, key: string, options: { signal: AbortSignal }): Promise<readonly Item[]>;
  /** Whether a look is cheap by now; one that is not begins a little later, when the answer it was wanted for is out. @default always */
  isReady?(this: void): boolean;
  /** For the log. */
  what: string;
  clock: Clock;
  /** @default nowhere */
  log?: Pick<Logger, 'debug'>;
}): (key: string) => Promise<readonly Item[]> {
  const known = new Map<string, { found: readonly Item[]; at: number }>();
  const looks = new Map<string, Promise<readonly Item[]>>();

  const lookFor = async (key: string, { afterMs }: { afterMs: number }): Promise<readonly Item[]> => {
    const over = new AbortController();
    if (afterMs > 0) await pause(clock, afterMs, over.signal);
    void pause(clock, LIMIT_MS, over.signal).then(() => over.abort());
    try {
      const found = await look(key, { signal: over.signal });
      if (known.size >= MOST_KEYS) known.clear();
      known.set(key, { found, at: clock.now() });
      return found;
    } catch (error) {
      log.debug({ reason: messageOf(error) }, `${what} could not be looked up`);
      return known.get(key)?.found ?? [];
    } finally {
      over.abort();
      looks.delete(key);
    }
  };

  return async (key) => {
    const last = known.get(key);
    const isFresh = last !== undefined && clock.now() - last.at < FRESH_MS;
    const isNow = !isFresh && isReady();
    const running = looks.get(key) ?? lookFor(key, { afterMs: isNow ? 0 : REST_MS });
    looks.set(key, running);
    if (!isNow) return last?.found ?? [];
    const stop = new AbortController();
    const late = pause(clock, PATIENCE_MS, stop.signal).then(() => last?.found ?? []);
    const found = await Promise.race([running, late]);
    stop.abort();
    return found;
  };
}
