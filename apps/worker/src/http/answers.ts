import type { Page } from '@claude-mem/core';
import { WorkerError } from '../worker-error.js';

/** The value, or the answer that there is none. */
export function found<Value>(value: Value | null, what: string): Value {
  if (value === null) throw new WorkerError('worker/not-found', `There is no ${what}.`);
  return value;
}

/** A page as the protocol has it. */
export function toPage<Item>({ items, nextCursor }: Page<Item>): {
  items: Item[];
  nextCursor: string | null;
} {
  return { items: [...items], nextCursor };
}
