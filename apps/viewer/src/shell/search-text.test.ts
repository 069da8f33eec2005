import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSearchText } from './search-text.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open() {
  const written: string[] = [];
  const text = createSearchText({ writeAddress: (typed) => written.push(typed) });
  return { text, written };
}

it('shows typed text at once, and writes it to the address when the user pauses', () => {
  const { text, written } = open();
  for (const typed of ['q', 'qu', 'que']) {
    text.type(typed);
    expect(text.typed()).toBe(typed);
    vi.advanceTimersByTime(100);
  }
  expect(written).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(written).toEqual(['que']);
});

it('keeps the typed text when an earlier address loads', () => {
  const { text } = open();
  text.type('new');
  text.settle();
  expect(text.typed()).toBe('new');
  vi.advanceTimersByTime(1_000);
  text.settle();
  expect(text.typed()).toBeNull();
});

it('writes the address at once on flush, and only once', () => {
  const { text, written } = open();
  text.flush();
  text.type('now');
  text.flush();
  vi.advanceTimersByTime(1_000);
  expect(written).toEqual(['now']);
});

it('notifies subscribers until they unsubscribe', () => {
  const { text } = open();
  let formatted = 0;
  const stop = text.watch(() => (formatted += 1));
  text.type('a');
  stop();
  text.type('ab');
  expect(formatted).toBe(1);
});
