/** Values that say which session, message or request a line belongs to. Never prompt text or tool payloads above debug. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log: fields first, one plain sentence second. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

const drop = () => {};

/** The default of every library: says nothing. */
export const noopLogger: Logger = { debug: drop, info: drop, warn: drop, error: drop };
