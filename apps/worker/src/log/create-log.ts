import type { Logger } from '@claude-mem/core';
import pino from 'pino';
import type { DayFile } from './create-day-file.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Creates a log of JSON lines with ISO times. Errors have code, message, stack and cause. */
export function createLog({ file, level }: { file: DayFile; level: LogLevel }): Logger {
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
  return {
    debug: (fields, message) => root.debug(fields, message),
    info: (fields, message) => root.info(fields, message),
    warn: (fields, message) => root.warn(fields, message),
    error: (fields, message) => root.error(fields, message),
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
