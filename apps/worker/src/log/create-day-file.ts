import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toStorableText, truncate, type Clock } from '@claude-mem/core';

const MAX_LINE = 16_000;
const MAX_FILE_BYTES = 50_000_000;
const NAME = /^worker-(\d{4}-\d{2}-\d{2})\.log$/;

export interface DayFile {
  write(line: string): void;
  /** The file of today. */
  path(): string;
  /** Deletes files of days more than `days` ago; returns how many. */
  prune(days: number): number;
  /** Lines that could not be written, e.g. on a full disk. */
  lostLines(): number;
  close(): void;
}

/**
 * One log file per local day, 0600, appended line by line. A log that cannot be written never harms the worker:
 * lost lines are only counted. No lines are added to a file of more than 50 MB; the last line reports that.
 */
export function openDayFile({ folder, clock }: { folder: string; clock: Clock }): DayFile {
  let day = '';
  let file: number | null = null;
  let size = 0;
  let lost = 0;

  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const fileOfToday = (): number => {
    const today = dayOf(clock.now());
    if (file !== null && today === day) return file;
    close();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    day = today;
    file = openSync(join(folder, logFileName(day)), 'a', 0o600);
    ({ size } = fstatSync(file));
    return file;
  };
  const append = (line: string): void => {
    const target = fileOfToday();
    if (size >= MAX_FILE_BYTES) return;
    const isLast = size + Buffer.byteLength(line) >= MAX_FILE_BYTES;
    size += writeSync(target, isLast ? line + lineOfFull() : line);
  };
  const lineOfFull = () => {
    const time = new Date(clock.now()).toISOString();
    const msg = `This file has ${MAX_FILE_BYTES} bytes. Later lines of the day are not written.`;
    return `${JSON.stringify({ level: 'warn', time, msg })}\n`;
  };

  return {
    write(line) {
      try {
        append(bounded(line));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        lost += 1;
      }
    },
    path: () => join(folder, logFileName(dayOf(clock.now()))),
    prune(days) {
      const oldest = dayOf(clock.now() - days * 86_400_000);
      const old = readdirSync(folder).filter((name) => (dayOfLogFile(name) ?? oldest) < oldest);
      for (const name of old) rmSync(join(folder, name), { force: true });
      return old.length;
    },
    lostLines: () => lost,
    close,
  };
}

/** The local day of an instant, `YYYY-MM-DD`. */
export function dayOf(epochMs: number): string {
  const date = new Date(epochMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Name of a day's file. */
export function logFileName(day: string): string {
  return `worker-${day}.log`;
}

/** The day that a file of this name is of; null for another file. */
export function dayOfLogFile(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null;
}

/** A line that is too long stays valid JSON: it is replaced by one that says so and holds its beginning. */
function bounded(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const start = truncate(toStorableText(line), 2_000);
  return `${JSON.stringify({ msg: 'Line too long', length: line.length, start })}\n`;
}
