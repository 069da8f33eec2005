import { isUnreadable } from '../storage-error.js';

/** Returns what `read` returns, or null if it is undefined or damage of the file prevents it. */
export function unlessUnreadable<Value>(read: () => Value): NonNullable<Value> | null {
  try {
    return read() ?? null;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return null;
  }
}
