import type { Page } from '@claude-mem/core';
import { WorkerError } from '../worker-error.js';

/** Returns the value, or throws a 404 error. */
export function found<Value>(value: Value | null, what: string): Value {
  if (value === null) throw new WorkerError('worker/not-found', `There is no ${what}.`);
  return value;
}

/** Formats a page for the protocol. */
export function toPage<Item>({ items, nextCursor }: Page<Item>): {
  items: Item[];
  nextCursor: string | null;
} {
  return { items: [...items], nextCursor };
}
