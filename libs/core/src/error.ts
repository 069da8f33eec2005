const BRAND = Symbol.for('@claude-mem/error');

/** What every claude-mem error carries besides its message. */
export interface ClaudeMemErrorOptions {
  cause?: unknown;
  data?: Readonly<Record<string, unknown>>;
}

/** What a caught value says, for a log or a person; decide by codes, never by this. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Base of all errors of claude-mem. Libraries extend it once each and narrow `Code` to a closed union.
 * The message says what happened and what to do; programs decide by `code`, never by the text.
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

  /** True for any claude-mem error, also one made by another copy of this package. */
  static isInstance(value: unknown): value is ClaudeMemError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}
