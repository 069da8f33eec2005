const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const dayWithYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export const formatTime = (epoch: number) => time.format(epoch);
export const formatMoment = (epoch: number) => full.format(epoch);

/** Formats a day as `today`, `yesterday`, a weekday with date, or a date with its year if it is in another year. */
export function formatDay(epoch: number, now: number = Date.now()): string {
  const days = Math.round((startOfDay(epoch) - startOfDay(now)) / DAY_MS);
  if (days === 0 || days === -1) return capitalised(relative.format(days, 'day'));
  const isThisYear = new Date(epoch).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? day : dayWithYear).format(epoch);
}

/** Formats a time relative to now: `3 minutes ago`. Less than a minute is `now`. */
export function formatAgo(epoch: number, now: number = Date.now()): string {
  const seconds = (epoch - now) / 1_000;
  if (Math.abs(seconds) < 60) return relative.format(0, 'second');
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  return relative.format(0, 'second');
}

const DAY_MS = 86_400_000;
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export const startOfDay = (epoch: number) => new Date(epoch).setHours(0, 0, 0, 0);
const capitalised = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
