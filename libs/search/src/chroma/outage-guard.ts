import { messageOf, pause, truncate, type Clock, type Logger } from '@claude-mem/core';
import { SearchError } from '../search-error.js';
import { classifyChromaError } from './classify-error.js';

/** Prevents waiting for a server that does not answer, with a growing delay between attempts. */
export interface OutageGuard {
  /**
   * Runs a request for at most `limitMs`. The request continues afterwards, so that a cold server is warm for the
   * next one. Rejects at once while the server is unavailable. `asks` allows the request to test whether the server
   * is back.
   * @throws SearchError `search/vector-index-unavailable` (`data.reason`: `outage`, or `refused` when only this
   * request failed), or the reason of the signal
   */
  run<Value>(
    work: () => Promise<Value>,
    options: { limitMs: number; asks: boolean; signal?: AbortSignal | undefined },
  ): Promise<Value>;
}

export interface OutageGuardOptions {
  /** Address of the server for messages. */
  place: string;
  /** Tests whether the server is back. */
  probe: () => Promise<unknown>;
  /** Aborts the running requests of a connection that hangs. */
  dropConnection: () => void;
  clock: Clock;
  logger: Logger;
}

export function createOutageGuard(options: OutageGuardOptions): OutageGuard {
  const { place, clock, logger } = options;
  let failures = 0;
  let outage: { until: number; error: SearchError } | null = null;
  let isProbing = false;

  const worked = () => {
    if (failures > 0) logger.info({ place }, 'Chroma answers again');
    failures = 0;
    outage = null;
  };
  const failed = (error: SearchError): SearchError => {
    failures += 1;
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
    if (failures === 1) logger.warn({ place, reason: error.message }, 'Chroma is left out until it answers');
    outage = { until: clock.now() + delay, error };
    return error;
  };
  const judged = (error: unknown): unknown => {
    if (SearchError.isInstance(error)) return error;
    const failure = classifyChromaError(error);
    if (failure === 'refused' || failure === 'mismatch')
      return unavailable(`Chroma at ${place} refuses the request: ${messageOf(error)}`, 'refused', error);
    return failed(unavailable(`Chroma at ${place} ${OUTAGES[failure]}`, 'outage', error));
  };
  const probe = () => {
    if (isProbing) return;
    isProbing = true;
    void withinLimit(options.probe(), PROBE_LIMIT_MS, clock)
      .then(
        (answer) => {
          if (answer !== LATE) outage = null;
          else failed(unavailable(`Chroma at ${place} does not answer in time`, 'outage'));
        },
        (error: unknown) => void judged(error),
      )
      .finally(() => (isProbing = false));
  };

  return {
    async run(work, { limitMs, asks, signal }) {
      signal?.throwIfAborted();
      if (outage !== null) {
        const isDue = clock.now() >= outage.until;
        if (isDue && !asks) probe();
        if (!isDue || !asks) throw outage.error;
      }
      const working = work().then(
        (value) => {
          worked();
          return value;
        },
        (error: unknown) => {
          throw judged(error);
        },
      );
      // A caller waits for the result, so the process must not exit meanwhile.
      const hold = setInterval(() => {}, limitMs);
      const answer = await withinLimit(working, limitMs, clock, signal).finally(() => clearInterval(hold));
      if (answer !== LATE) return answer;
      void withinLimit(working, HANGING_MS, clock).then(
        (late) => {
          if (late === LATE) options.dropConnection();
        },
        () => {},
      );
      throw failed(unavailable(`Chroma at ${place} did not answer within ${limitMs} ms`, 'outage'));
    },
  };
}

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;
const PROBE_LIMIT_MS = 5000;
const HANGING_MS = 20_000;

const LATE: unique symbol = Symbol('late');

const OUTAGES = {
  away: 'does not answer',
  denied: 'refuses us; check the token, tenant and database',
  missing: 'does not have this tenant or database',
};

function unavailable(message: string, reason: 'outage' | 'refused', cause?: unknown): SearchError {
  return new SearchError('search/vector-index-unavailable', truncate(message, 500), {
    cause,
    data: { reason },
  });
}

async function withinLimit<Value>(
  work: Promise<Value>,
  limitMs: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Value | typeof LATE> {
  const over = new AbortController();
  const late = async (): Promise<typeof LATE> => {
    await pause(clock, limitMs, over.signal);
    return LATE;
  };
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, late(), aborted]);
  } finally {
    over.abort();
  }
}
