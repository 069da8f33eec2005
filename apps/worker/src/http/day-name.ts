const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` of a day that is counted from 1970-01-01. */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day of a moment, counted from 1970-01-01, for somebody so many minutes ahead of UTC. */
export function dayOf(epoch: number, utcOffsetMinutes: number): number {
  return Math.floor((epoch + utcOffsetMinutes * 60_000) / DAY_MS);
}

/** When a day began there. */
export function startOfDay(day: number, utcOffsetMinutes: number): number {
  return day * DAY_MS - utcOffsetMinutes * 60_000;
}
