/** Formats times in one time zone. */
export interface ReadableClock {
  /** `2026-11-27` */
  day(epochMs: number): string;
  /** `14:30` */
  time(epochMs: number): string;
  /** IANA name of the time zone, `UTC` for an unknown one. */
  zone: string;
  today: string;
  yesterday: string;
}

const DAY_MS = 86_400_000;
const MAX_EPOCH_MS = 8.64e15;

/** Creates a clock. Uses UTC when the time zone is unknown. */
export function readableClock(timeZone: string, now: number): ReadableClock {
  const format = formatFor(timeZone);
  const cache = new Map<number, { day: string; time: string }>();
  const read = (epochMs: number) => {
    const known = cache.get(epochMs);
    if (known !== undefined) return known;
    const isDate = Number.isFinite(epochMs) && Math.abs(epochMs) <= MAX_EPOCH_MS;
    const parts = Object.fromEntries(
      format.formatToParts(isDate ? epochMs : 0).map(({ type, value }) => [type, value]),
    );
    const result = {
      day: `${parts['year']}-${parts['month']}-${parts['day']}`,
      time: `${parts['hour']}:${parts['minute']}`,
    };
    cache.set(epochMs, result);
    return result;
  };
  return {
    day: (epochMs) => read(epochMs).day,
    time: (epochMs) => read(epochMs).time,
    zone: format.resolvedOptions().timeZone,
    today: read(now).day,
    yesterday: read(now - DAY_MS).day,
  };
}

export function dayHeading(day: string, clock: ReadableClock): string {
  if (day === clock.today) return `### ${day} (today)`;
  return day === clock.yesterday ? `### ${day} (yesterday)` : `### ${day}`;
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const options = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  }
}
