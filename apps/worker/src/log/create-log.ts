import type { Logger } from '@claude-mem/core';
import pino from 'pino';
import type { DayFile } from './create-day-file.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A log that can be given fields that stay, such as a request's id. */
export interface WorkerLog extends Logger {
  with(fields: Readonly<Record<string, unknown>>): WorkerLog;
  isDebug: boolean;
}

/** JSON lines with ISO time; errors keep code, message, stack and cause. */
export function createLog({ file, level }: { file: DayFile; level: LogLevel }): WorkerLog {
  const root = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    { write: (line: string) => file.write(line) },
  );
  return fromPino(root);
}

function fromPino(log: pino.Logger): WorkerLog {
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    with: (fields) => fromPino(log.child(fields)),
    isDebug: log.isLevelEnabled('debug'),
  };
}

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    code,
    message,
    stack:
      depth === 0
        ? stack
            ?.split('\n')
            .slice(1, 8)
            .map((line) => line.trim())
        : undefined,
    cause: cause === undefined || depth > 3 ? undefined : describeError(cause, depth + 1),
  };
}
