/** Condition and time limit of a wait. */
export interface WaitOptions {
  /** Completes the error message "waited … ms for". */
  what: string;
  /** @default 50000 */
  deadlineMs?: number;
  /** @default 50 */
  everyMs?: number;
}

/**
 * Calls `check` until it returns a value other than false, null or undefined, and returns that value. Rejects after
 * the deadline. The cause of the error is the last error of `check`.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  options: WaitOptions,
): Promise<Exclude<T, false | null | undefined>> {
  const { what, deadlineMs = 50_000, everyMs = 50 } = options;
  const end = performance.now() + deadlineMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await check();
      if (value !== false && value !== null && value !== undefined) {
        return value as Exclude<T, false | null | undefined>;
      }
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > end) {
      throw new Error(
        `waited ${deadlineMs} ms for ${what}`,
        lastError === undefined ? {} : { cause: lastError },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
