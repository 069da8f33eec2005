/**
 * Fields that identify the session, message or request of a log line. Prompt text and tool payloads are logged at
 * level debug only.
 */
export type LogFields = Readonly<Record<string, unknown>>;

/** A structured log: fields first, then one plain sentence. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

const drop = () => {};

/** The default logger of all libraries. Writes nothing. */
export const noopLogger: Logger = { debug: drop, info: drop, warn: drop, error: drop };
