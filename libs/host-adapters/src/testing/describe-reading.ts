import { Buffer } from 'node:buffer';
import { inspect } from 'node:util';
import { HOST_NAMES, type HostEvent } from '@claude-mem/core';
import { bySize } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { decodeHookBody } from '../decode-hook-body.js';
import { dedupeKeyOf } from '../dedupe-key.js';
import type { HookReading } from '../host-adapter.js';
import type { DescribeHostOptions } from './describe-host-options.js';

const ODD_PAYLOADS: readonly unknown[] = [
  undefined,
  null,
  0,
  NaN,
  true,
  '',
  'text',
  [],
  [{}],
  {},
  { session_id: null },
  { session_id: '' },
  { session_id: {} },
  { session_id: [] },
  { session_id: '\u0000\n' },
  JSON.parse('{"session_id":"s","__proto__":{"x":1}}'),
  Object.create(null),
];
const ODD_VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  true,
  '',
  'x',
  '\ud800',
  [],
  [null],
  {},
  { a: { b: [] } },
  'y'.repeat(100_000),
];
/** Texts that are slow for code that searches them for our words, the host's words or JSON. */
const LONG_TEXTS = ['x', ' ', '\n', '\\"', '<', '<private>', '<hook_context>', '{"a":[', '\ud83e'].map(
  (piece) => piece.repeat(1_000_000 / piece.length),
);

/** Tests the contract of reading payloads. */
export function describeReading(
  name: string,
  { open, samples, captures, contextEvents }: DescribeHostOptions,
): void {
  describe(`${name}: reading events`, () => {
    const adapter = open();
    const read = (event: string, payload: unknown) => adapter.readEvent({ event, payload, env: {} });
    const problemsIn = (event: string, payloads: readonly unknown[]) =>
      payloads.flatMap((payload) => problemsOf(read(event, payload), adapter.name));

    it('has a name of the domain and knows what it captures', () => {
      expect(HOST_NAMES).toContain(adapter.name);
      expect(new Set(adapter.events).size).toBe(adapter.events.length);
      expect(adapter.events).toEqual(expect.arrayContaining(Object.keys(captures)));
      expect(adapter.events).toEqual(expect.arrayContaining([...contextEvents]));
    });

    it.each(samples.map((sample) => [sample.name, sample] as const))('reads %s', (_, { event, payload }) => {
      const reading = read(event, payload);
      expect(problemsOf(reading, adapter.name)).toEqual([]);
      if (reading.kind === 'ignored') return expect(reading.reason).not.toBe('');
      expect(reading.kind).toBe('event');
      if (reading.kind === 'event') {
        expect(reading.event.kind).toBe(captures[event]);
        expect(dedupeKeyOf(reading.event, {})).toBe(dedupeKeyOf(structuredClone(reading.event), {}));
      }
      return undefined;
    });

    it('has a sample of every event it captures, captured', () => {
      const kinds = samples.map(({ event, payload }) => ({ event, kind: read(event, payload).kind }));
      const seen = new Set(kinds.filter(({ kind }) => kind === 'event').map(({ event }) => event));
      expect([...seen].sort()).toEqual(Object.keys(captures).sort());
    });

    it('ignores with a reason what it does not capture, known or not', () => {
      for (const event of [...adapter.events, 'Nope', '', '__proto__', 'toString']) {
        if (Object.hasOwn(captures, event)) continue;
        const reading = read(event, { session_id: 's' });
        expect(reading).toEqual({
          kind: 'ignored',
          reason: expect.stringMatching(/\S/),
          contentSessionId: 's',
        });
      }
    });

    it('takes odd payloads without a throw, and no event without a session', () => {
      for (const event of [...adapter.events, 'Nope']) {
        expect(problemsIn(event, ODD_PAYLOADS)).toEqual([]);
        for (const payload of ODD_PAYLOADS.slice(0, 10)) expect(read(event, payload).kind).not.toBe('event');
      }
    });

    it('takes odd values in every field of every sample', () => {
      for (const { event, payload } of samples) {
        for (const field of Object.keys(payload as object)) {
          const odd = ODD_VALUES.map((value) => ({ ...(payload as object), [field]: value }));
          expect(problemsIn(event, odd)).toEqual([]);
        }
      }
    }, 30_000);

    it('takes every sample with a part missing or of another type, at any depth', () => {
      for (const { event, payload } of samples) {
        for (const path of pathsIn(payload)) {
          const changed = [undefined, null, 7, 'x', '{"a":', [], { a: null }].map((value) =>
            changedAt(payload, path, value),
          );
          expect(problemsIn(event, changed)).toEqual([]);
        }
      }
    }, 30_000);

    it('takes a megabyte in every text of every event, without getting slow', () => {
      for (const event of Object.keys(captures)) {
        const payload = samples.find((sample) => sample.event === event)?.payload;
        // A quick run puts every third text into the first path, the next ones into the second, and so on.
        const step = bySize({ quick: 3, full: 1 });
        for (const [index, path] of pathsIn(payload).entries())
          for (let at = index % step; at < LONG_TEXTS.length; at += step)
            expect(problemsIn(event, [changedAt(payload, path, LONG_TEXTS[at])])).toEqual([]);
      }
    }, 60_000);

    it('takes bytes of a sample that break off, in any encoding', () => {
      for (const { event, payload } of samples) {
        const text = JSON.stringify(payload);
        const encoded = [
          Buffer.from(text),
          Buffer.from(`\ufeff${text}`, 'utf16le'),
          Buffer.from(`\ufeff${text}`),
        ];
        for (const bytes of encoded) {
          const decoded = decodeHookBody(bytes);
          expect('payload' in decoded && read(event, decoded.payload)).toEqual(read(event, payload));
          for (let part = 1; part < 8; part++) {
            const decoded = decodeHookBody(bytes.subarray(0, Math.floor((bytes.length * part) / 8)));
            if ('payload' in decoded) expect(problemsIn(event, [decoded.payload])).toEqual([]);
            else expect(decoded.problem).not.toBe('');
          }
        }
      }
    });
  });
}

type Path = readonly (string | number)[];

/** Paths of the values in a payload; of a list only the first item. */
function pathsIn(value: unknown, depth = 0): Path[] {
  if (typeof value !== 'object' || value === null || depth > 4) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((item, index) => [index, item])
    : Object.entries(value);
  return entries.flatMap(([key, item]) => [[key], ...pathsIn(item, depth + 1).map((path) => [key, ...path])]);
}

/** A copy with another value at that path. Undefined removes it. */
function changedAt(payload: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(payload);
  let place = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(place, last);
  else place[last] = value;
  return copy;
}

/** The rules that a result breaks. One `expect` call per rule would take longer than the reading. */
function problemsOf(reading: HookReading, host: string): string[] {
  return Object.entries(rulesFor(reading, host))
    .filter(([, isKept]) => !isKept)
    .map(([rule]) => `${rule}: ${inspect(reading, { maxStringLength: 300 })}`);
}

function rulesFor(reading: HookReading, host: string): Record<string, boolean> {
  if (reading.kind === 'invalid') return { 'short message': reading.message.length < 300 };
  if (reading.kind === 'ignored') return { 'short reason': reading.reason.length < 300 };
  const { event, readFile } = reading;
  return {
    host: event.host === host,
    'session id': event.contentSessionId.length > 0 && hasAtMost(200, event.contentSessionId),
    'agent id': hasAtMost(200, event.agentId),
    paths: hasAtMost(4096, event.cwd, event.projectDir, readFile) && readFile !== '',
    ...rulesForEvent(event),
  };
}

const rulesForEvent = (event: HostEvent) => ({
  ids: hasAtMost(200, event.promptId, event.agentType),
  prompt: event.kind !== 'prompt' || event.text !== '',
  ...(event.kind === 'tool-use' && {
    'tool name': event.toolName.length > 0 && hasAtMost(200, event.toolName),
    outcome: event.outcome === 'failed' || (event.error === null && !event.isInterrupt),
  }),
});

const hasAtMost = (length: number, ...texts: readonly (string | null | undefined)[]) =>
  texts.every((text) => (text?.length ?? 0) <= length);
