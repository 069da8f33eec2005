const BRAND = Symbol.for('@claude-mem/error');

/** Fields of a claude-mem error besides its message. */
export interface ClaudeMemErrorOptions {
  cause?: unknown;
  data?: Readonly<Record<string, unknown>>;
}

/** Returns the text of a caught value, for a log or a user. Programs check the `code` instead. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Base class of all claude-mem errors. Each library extends it once with a closed union of codes. The message says
 * what failed and what to do. Programs check `code`, never the message.
 */
export class ClaudeMemError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: Code, message: string, options: ClaudeMemErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.data = options.data ?? {};
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Checks for a claude-mem error, including one of another copy of this package. */
  static isInstance(value: unknown): value is ClaudeMemError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}
