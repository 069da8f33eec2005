import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readStdin } from './read-stdin.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reads a stdin that stays open. The host writes each text at its time in milliseconds. */
async function read(...writes: readonly (readonly [atMs: number, text: string])[]) {
  const stdin = new PassThrough();
  for (const [atMs, text] of writes) setTimeout(() => stdin.write(text), atMs);
  const began = Date.now();
  const reading = readStdin(stdin).then((bytes) => ({ text: bytes.toString(), ms: Date.now() - began }));
  await vi.advanceTimersByTimeAsync(60_000);
  return reading;
}

it('B114: ends after one second when the text looks complete and stdin stays open', async () => {
  expect(await read([0, '{"a":1}\n'])).toEqual({ text: '{"a":1}\n', ms: 1_000 });
});

it('waits for the rest when the text is incomplete after one second', async () => {
  expect(await read([0, '{"a":'], [1_500, '1}'])).toEqual({ text: '{"a":1}', ms: 2_000 });
});

it('waits for an event that the host writes after more than one second', async () => {
  expect(await read([1_400, '{}'])).toEqual({ text: '{}', ms: 2_000 });
});

it('B114: ends after 10 seconds when no data arrives and stdin stays open', async () => {
  expect(await read()).toEqual({ text: '', ms: 10_000 });
});
