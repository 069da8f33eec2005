import type { LogItem } from './log-window.js';

/** Equal to the levels of the worker protocol, whose schemas are not part of the browser bundle. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogItem['level'][];

export const LEVEL_LABELS = {
  debug: 'Everything',
  info: 'Info and more',
  warn: 'Warnings and errors',
  error: 'Errors only',
} as const;

export const levelOf = (text: string | undefined) => LEVELS.find((level) => level === text) ?? null;

/** Returns the day of a URL parameter, or undefined if it is invalid. */
export const dayOf = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T12:00`))
    ? text
    : undefined;

/** Formats a line for copying, as the same JSON that the log file contains. */
export function formatLine({ atEpoch, level, message, fields }: LogItem): string {
  const time = atEpoch === null ? {} : { time: new Date(atEpoch).toISOString() };
  return JSON.stringify({ ...time, level, msg: message, ...fields });
}

/** Formats the fields as one short line. */
export function formatFields(fields: LogItem['fields']): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join('  ')
    .slice(0, 400);
}

export function textOf(value: unknown, indent?: number): string {
  if (typeof value === 'string') return value;
  if (indent === undefined && isErrorField(value)) return value.message;
  return JSON.stringify(value, null, indent) ?? '';
}

const isErrorField = (value: unknown): value is { message: string } =>
  typeof value === 'object' && value !== null && typeof (value as { message?: unknown }).message === 'string';
