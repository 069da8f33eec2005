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
  /** Deletes files that are older than `days` days. Returns their number. */
  prune(days: number): number;
  /** Number of lines that could not be written, for example on a full disk. */
  lostLines(): number;
  close(): void;
}

/**
 * Appends lines to one log file per local day, mode 0600. A log that cannot be written never affects the worker; lost
 * lines are counted. A file of more than 50 MB is closed with a line that reports this.
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

/** The local day of a time as `YYYY-MM-DD`. */
export function dayOf(epochMs: number): string {
  const date = new Date(epochMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** File name of a day. */
export function logFileName(day: string): string {
  return `worker-${day}.log`;
}

/** The day of a file name, or null for another file. */
export function dayOfLogFile(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null;
}

/** A line that is too long is replaced by valid JSON with its beginning. */
function bounded(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const start = truncate(toStorableText(line), 2_000);
  return `${JSON.stringify({ msg: 'Line too long', length: line.length, start })}\n`;
}
