import { nextLocalDayEpoch } from './local-day.js';

/** The maximum distance of a Date from 1970. */
const MAX_EPOCH = 8.64e15;
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(.*))?$/i;
const ZONE = /^(?:Z|([+-])(\d{2}):?(\d{2}))$/i;

/**
 * Parses an ISO date or time, or epoch milliseconds as a number or at least 9 digits. Returns null for other values,
 * such as the 30th of February. A value without a time zone is local.
 * @param edge what a date without a time means: the beginning of its local day or the end
 */
export function parseMoment(value: string | number, edge: 'start' | 'end' = 'start'): number | null {
  if (typeof value === 'number')
    return Number.isFinite(value) && Math.abs(value) <= MAX_EPOCH ? Math.trunc(value) : null;
  const text = value.trim();
  if (/^-?\d{9,16}$/.test(text)) return parseMoment(Number(text));
  const match = DATE.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isDate || hour > 23 || minute > 59 || second > 59) return null;
  if (match[4] === undefined) {
    const start = localEpoch(year, month, day);
    return edge === 'start' ? start : nextLocalDayEpoch(start) - 1;
  }
  const ms = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1_000);
  const zone = match[8] ?? '';
  if (zone === '') return localEpoch(year, month, day, hour, minute, second, ms);
  const found = ZONE.exec(zone.trim());
  if (!found) return null;
  const [, sign, hours, minutes] = found;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  if (Math.abs(offset) > 24 * 60) return null;
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  utc.setUTCHours(hour, minute - offset, second, ms);
  return utc.getTime();
}

/**
 * Converts a date or time of the user to ISO text with a time zone. A date means the user's local day, because the
 * process that answers may be in another time zone. Digits only, such as an id, and text that is neither date nor
 * time are returned unchanged, and that process rejects invalid ones.
 * @param edge what a date without a time means: the beginning of its local day or the end
 */
export function toInstant(text: string, edge: 'start' | 'end'): string {
  const epoch = /\D/.test(text.trim()) ? parseMoment(text, edge) : null;
  return epoch === null ? text : new Date(epoch).toISOString();
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

function localEpoch(year: number, month: number, day: number, ...time: number[]): number {
  const [hour = 0, minute = 0, second = 0, ms = 0] = time;
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month - 1, day);
  date.setHours(hour, minute, second, ms);
  return date.getTime();
}
