const DAY_MS = 86_400_000;

/** Formats a day number (from 1970-01-01) as `YYYY-MM-DD`. */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the day number of a time for an offset from UTC in minutes. */
export function dayOf(epoch: number, utcOffsetMinutes: number): number {
  return Math.floor((epoch + utcOffsetMinutes * 60_000) / DAY_MS);
}

/** Returns the start of a day. */
export function startOfDay(day: number, utcOffsetMinutes: number): number {
  return day * DAY_MS - utcOffsetMinutes * 60_000;
}
