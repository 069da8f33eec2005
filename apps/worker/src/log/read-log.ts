import { constants } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '@claude-mem/core';
import { LOG_LEVELS, type LogReply } from '@claude-mem/worker-protocol';
import { isDeeperThan } from '../http/json-depth.js';
import { dayOfLogFile, logFileName } from './create-day-file.js';

export interface LogRequest {
  date: string;
  /** Minimum severity. */
  level?: LogItem['level'] | undefined;
  text?: string | undefined;
  limit: number;
  /** End of the previous page. */
  before?: number | undefined;
  /** Lower limit of the positions to read. */
  after?: number | undefined;
}

export interface LogPage {
  items: LogItem[];
  /** Position of the next page. Null at the beginning of the file or at `after`. */
  next: number | null;
  /** Start position of the read. */
  end: number;
}

type LogItem = LogReply['items'][number];

const BLOCK_BYTES = 256 * 1024;
/** Maximum number of bytes that are searched for one page. */
const MOST_BYTES = 24 * 1024 * 1024;
/** Longer than any line of the worker. */
const LONGEST_LINE = 64 * 1024;
/** Lines of the worker are flat. A deeply nested line could not be serialized again. */
const DEEPEST = 100;
const NEW_LINE = 0x0a;

/** Days with a log, newest first. */
export async function logDays(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .map(dayOfLogFile)
    .filter((day) => day !== null)
    .sort()
    .reverse();
}

/**
 * Returns a page of a day's log, newest first. Reads blocks backwards from the end, so that time and memory do not
 * depend on the size of the file. Follows no link.
 */
export async function readLog(folder: string, request: LogRequest): Promise<LogPage> {
  const handle = await openPlain(join(folder, logFileName(request.date)));
  if (handle === null) return NOTHING;
  try {
    const found = await handle.stat();
    if (!found.isFile()) return NOTHING;
    return await readPage(handle, Math.min(request.before ?? found.size, found.size), request);
  } finally {
    await handle.close();
  }
}

const NOTHING: LogPage = { items: [], next: null, end: 0 };

async function openPlain(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    throw error;
  }
}

async function readPage(handle: FileHandle, end: number, request: LogRequest): Promise<LogPage> {
  const { after = 0, limit } = request;
  const isWanted = createLineFilter(request);
  const items: LogItem[] = [];
  if (end <= after) return { items, next: null, end };
  for await (const { line, start } of linesBefore(handle, end)) {
    const item = line !== null && isWanted(line) ? readLine(line, start) : null;
    if (item !== null) items.push(item);
    if (start <= after) break;
    if (items.length >= limit || end - start >= MOST_BYTES) return { items, next: start, end };
  }
  return { items, next: null, end };
}

/**
 * Lines from the last to the first with their positions. Null for a line that is too long, which is returned in
 * parts.
 */
async function* linesBefore(
  handle: FileHandle,
  end: number,
): AsyncGenerator<{ line: string | null; start: number }> {
  const buffer = Buffer.alloc(BLOCK_BYTES);
  let tail: Buffer = Buffer.alloc(0);
  let isTooLong = end > 0 && !(await isAtLineEnd(handle, end));
  for (let at = end; at > 0;) {
    const from = Math.max(0, at - BLOCK_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, at - from, from);
    if (bytesRead < at - from) return;
    const block = Buffer.concat([buffer.subarray(0, bytesRead), tail]);
    let lineEnd = block.length;
    for (;;) {
      const newLine = lineEnd === 0 ? -1 : block.lastIndexOf(NEW_LINE, lineEnd - 1);
      if (newLine < 0 && from > 0) break;
      const line = block.subarray(newLine + 1, lineEnd);
      yield {
        line: isTooLong || line.length > LONGEST_LINE ? null : line.toString('utf8'),
        start: from + newLine + 1,
      };
      isTooLong = false;
      if (newLine < 0) return;
      lineEnd = newLine;
    }
    tail = Buffer.from(block.subarray(0, lineEnd));
    at = from;
    if (isTooLong || tail.length > LONGEST_LINE) {
      isTooLong = true;
      tail = Buffer.alloc(0);
      yield { line: null, start: from };
    }
  }
}

/** False when a page ended within a line that is too long. */
async function isAtLineEnd(handle: FileHandle, end: number): Promise<boolean> {
  const { size } = await handle.stat();
  if (end === size) return true;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, end - 1);
  return buffer[0] === NEW_LINE;
}

/** Filters by the text of a line, because parsing all lines as JSON would take many times as long. */
function createLineFilter({ level, text }: LogRequest): (line: string) => boolean {
  const levels = level === undefined ? null : LOG_LEVELS.slice(LOG_LEVELS.indexOf(level));
  const sought = text === undefined ? '' : JSON.stringify(text).slice(1, -1).toLowerCase();
  return (line) =>
    line !== '' &&
    (levels === null || levels.includes(levelOf(line))) &&
    (sought === '' || line.toLowerCase().includes(sought));
}

/** Lines of the worker begin with this text. Others are notes. */
function levelOf(line: string): LogItem['level'] {
  const word = /^\{"level":"([a-z]{1,10})"/.exec(line)?.[1];
  return LOG_LEVELS.find((level) => level === word) ?? 'info';
}

function readLine(line: string, offset: number): LogItem {
  const level = levelOf(line);
  const value = isDeeperThan(line, DEEPEST) ? null : parse(line);
  if (!isRecord(value)) return { offset, atEpoch: null, level, message: line, fields: {} };
  const { level: _, time, msg, ...fields } = value;
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return {
    offset,
    atEpoch: Number.isNaN(at) ? null : at,
    level,
    message: typeof msg === 'string' ? msg : '',
    fields,
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
