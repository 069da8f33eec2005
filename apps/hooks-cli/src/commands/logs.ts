import { closeSync, existsSync, fstatSync, openSync, readSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { readNumber } from '../read-number.js';

const LEVELS = ['debug', 'info', 'warn', 'error'];
const NAME = /^worker-\d{4}-\d{2}-\d{2}\.log$/;
const POLL_MS = 300;
const CHUNK = 1024 * 1024;

export const logsCommand: Command = {
  name: 'logs',
  summary: 'Show the last lines of the log of the worker',
  options: {
    lines: { type: 'string', short: 'n', value: 'N', summary: 'Number of lines (default 50)' },
    level: { type: 'string', value: 'LEVEL', summary: `Minimum level: ${LEVELS.join(', ')}` },
    follow: { type: 'boolean', short: 'f', summary: 'Print new lines as they are written' },
    json: { type: 'boolean', summary: 'Print the lines unchanged, as JSON' },
  },
  async run(context) {
    const { options, terminal, loaded } = context;
    const count = readNumber(options['lines'], 'lines', { min: 0, max: 100_000 }) ?? 50;
    const render = lineRenderer(context);
    let file = newestLog(loaded.paths.logsDir);
    if (file === null && !options['follow']) {
      terminal.warn(`There is no log in ${loaded.paths.logsDir} yet.`);
      return EXIT.done;
    }
    let offset = 0;
    if (file !== null) {
      const { lines, end } = readLastLines(file, count, render);
      for (const line of lines) terminal.print(line);
      offset = end;
    }
    while (options['follow']) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const newest = newestLog(loaded.paths.logsDir);
      if (newest !== file) [file, offset] = [newest, 0];
      if (file === null) continue;
      const { lines, end } = readLinesFrom(file, offset);
      for (const line of lines.map(render)) if (line !== null) terminal.print(line);
      offset = end;
    }
    return EXIT.done;
  },
};

function newestLog(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const name = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted()
    .at(-1);
  return name === undefined ? null : join(folder, name);
}

/** Reads from the end of the file until enough lines match the level. */
function readLastLines(file: string, count: number, render: (line: string) => string | null) {
  const size = withFile(file, (handle) => fstatSync(handle).size);
  for (let bytes = CHUNK; ; bytes *= 4) {
    const start = Math.max(0, size - bytes);
    const { lines, end } = readLinesFrom(file, start);
    // the first line is incomplete unless reading began at the start of the file
    const complete = start > 0 ? lines.slice(1) : lines;
    const shown = complete.map(render).filter((line) => line !== null);
    if (shown.length >= count || start === 0) return { lines: count === 0 ? [] : shown.slice(-count), end };
  }
}

/** Reads the complete lines after the offset. `end` is the offset after the last complete line. */
function readLinesFrom(file: string, offset: number): { lines: string[]; end: number } {
  return withFile(file, (handle) => {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(handle).size - offset));
    const read = readSync(handle, bytes, 0, bytes.length, offset);
    const end = bytes.subarray(0, read).lastIndexOf(0x0a) + 1;
    return { lines: bytes.toString('utf8', 0, end).split('\n').slice(0, -1), end: offset + end };
  });
}

function withFile<Value>(file: string, use: (handle: number) => Value): Value {
  const handle = openSync(file, 'r');
  try {
    return use(handle);
  } finally {
    closeSync(handle);
  }
}

/** The function returns null for a line below the requested level. */
function lineRenderer({ options }: CommandContext): (line: string) => string | null {
  const level = String(options['level'] ?? 'debug');
  const minimum = LEVELS.indexOf(level);
  if (minimum < 0)
    throw new CliError(
      'cli/usage',
      `Invalid value for --level: "${level}". Use one of: ${LEVELS.join(', ')}.`,
    );
  return (line) => {
    const fields = parseLine(line);
    if (fields === null) return line;
    if (LEVELS.indexOf(String(fields['level'])) < minimum) return null;
    return options['json'] ? line : renderLine(fields);
  };
}

function renderLine({ level, time, msg, ...rest }: Record<string, unknown>): string {
  const more = Object.entries(rest)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' ');
  return [String(time ?? '').slice(0, 23), String(level ?? '').padEnd(5), String(msg ?? ''), more]
    .filter(Boolean)
    .join(' ');
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
