import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOST_NAMES, type HostEvent } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dedupeKeyOf } from '../dedupe-key.js';
import type { FileQuestion, HookReading, HostAdapter, InstallResult } from '../host-adapter.js';
import type { HostSample } from './read-host-samples.js';

export interface DescribeHostOptions {
  open: () => HostAdapter;
  /** Recorded payloads of the host, of every version it must work with. */
  samples: readonly HostSample[];
  /** What kind of event a captured hook event becomes; every other known event is ignored. */
  captures: Readonly<Record<string, HostEvent['kind']>>;
  /** Hook events that may ask for the history of a file. @default none */
  questions?: readonly string[];
  /** Hook events that take context. */
  contextEvents: readonly string[];
}

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

/** What every host adapter promises. Call it in a test file of the adapter. */
export function describeHost(
  name: string,
  { open, samples, captures, questions = [], contextEvents }: DescribeHostOptions,
): void {
  describe(`${name}: reading events`, () => {
    const adapter = open();
    const read = (event: string, payload: unknown) => adapter.readEvent({ event, payload, env: {} });

    it('has a name of the domain and knows what it captures', () => {
      expect(HOST_NAMES).toContain(adapter.name);
      expect(new Set(adapter.events).size).toBe(adapter.events.length);
      expect(adapter.events).toEqual(expect.arrayContaining(Object.keys(captures)));
      expect(adapter.events).toEqual(expect.arrayContaining([...contextEvents]));
    });

    it.each(samples.map((sample) => [sample.name, sample] as const))('reads %s', (_, { event, payload }) => {
      const reading = read(event, payload);
      expectSound(reading, adapter.name);
      if (reading.kind === 'ignored') return expect(reading.reason).not.toBe('');
      if (reading.kind === 'question') return expect(questions).toContain(event);
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
        for (const payload of ODD_PAYLOADS) expectSound(read(event, payload), adapter.name);
        for (const payload of ODD_PAYLOADS.slice(0, 10)) expect(read(event, payload).kind).not.toBe('event');
      }
    });

    it('takes odd values in every field of every sample', () => {
      for (const { event, payload } of samples) {
        for (const field of Object.keys(payload as object)) {
          for (const value of ODD_VALUES) {
            expectSound(read(event, { ...(payload as object), [field]: value }), adapter.name);
          }
        }
      }
    }, 30_000);
  });

  describe(`${name}: answering`, () => {
    const adapter = open();

    it('prints nothing or one JSON object, on one line', () => {
      for (const event of [...adapter.events, 'Nope']) {
        for (const answer of [
          {},
          { context: 'a\n"b" \u0000' },
          { notice: 'x\ny' },
          { context: 'c', notice: 'n' },
        ]) {
          const text = adapter.writeAnswer(event, answer);
          if (text === '') continue;
          expect(text).not.toContain('\n');
          expect(JSON.parse(text)).toBeTypeOf('object');
        }
      }
    });

    it('gives context where the host takes it and nowhere else', () => {
      for (const event of adapter.events) {
        const text = adapter.writeAnswer(event, { context: 'TOKEN-7' });
        expect(text.includes('TOKEN-7'), event).toBe(contextEvents.includes(event));
      }
    });
  });

  describe(`${name}: installing`, () => {
    const adapter = open();
    let home: string;
    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'host-'));
    });
    afterEach(() => rmSync(home, { recursive: true, force: true }));

    const mcpServer = { node: '/opt/a b/node', script: '/opt/a b/mcp-server.js' };
    const options = { hookScript: '/opt/a b/hook.sh', mcpServer };
    const changes = (results: readonly InstallResult[]) => [...new Set(results.map(({ change }) => change))];
    const textsOf = (results: readonly InstallResult[]) =>
      results.map(({ file }) => readFileSync(file, 'utf8'));

    it('twice is once, and uninstalling leaves nothing', async () => {
      const first = await adapter.install({ home, ...options });
      expect(changes(first)).toEqual(['installed']);
      expect(first.some(({ hasMcpServer }) => hasMcpServer)).toBe(true);
      const events = first.flatMap((result) => result.events);
      expect(events).not.toEqual([]);
      expect(adapter.events).toEqual(expect.arrayContaining(events));
      const texts = textsOf(first);
      expect(texts).toEqual(first.map(({ after }) => after));
      expect(changes(await adapter.install({ home, ...options }))).toEqual(['unchanged']);
      expect(textsOf(first)).toEqual(texts);
      const moved = {
        hookScript: '/opt/c/hook.sh',
        mcpServer: { node: '/n', script: '/opt/c/mcp-server.js' },
      };
      expect(changes(await adapter.install({ home, ...moved }))).toEqual(['updated']);
      expect(textsOf(first).join('')).not.toContain('/opt/a b/');
      expect(changes(await adapter.uninstall({ home }))).toEqual(['removed']);
      for (const { file } of first) expect(existsSync(file)).toBe(false);
      expect(changes(await adapter.uninstall({ home }))).toEqual(['absent']);
    });

    it('goes without the MCP server, and loses it again', async () => {
      const { mcpServer: _, ...hooksOnly } = options;
      for (const place of [{ home }, { home, projectDir: join(home, 'repos', 'shop') }]) {
        const before = await adapter.install({ ...place, ...hooksOnly });
        expect(before.some(({ hasMcpServer }) => hasMcpServer)).toBe(false);
        const texts = before.map(({ after }) => after);
        await adapter.install({ ...place, ...options });
        const after = await adapter.install({ ...place, ...hooksOnly });
        expect(after.map((result) => result.after)).toEqual(texts);
        expect(changes(await adapter.uninstall(place))).toContain('removed');
        for (const { file } of after) expect(existsSync(file)).toBe(false);
      }
    });

    it('tells what would change and what is there', async () => {
      const nothing = await adapter.inspect({ home });
      expect(nothing.flatMap(({ programs }) => programs)).toEqual([]);
      const plan = await adapter.install({ home, ...options, dryRun: true });
      for (const { file } of plan) expect(existsSync(file)).toBe(false);
      const done = await adapter.install({ home, ...options });
      expect(done).toEqual(plan);
      const found = await adapter.inspect({ home });
      expect(found.flatMap(({ programs }) => programs).toSorted()).toEqual(
        [options.hookScript, mcpServer.node, mcpServer.script].toSorted(),
      );
      expect(changes(await adapter.uninstall({ home, dryRun: true }))).toEqual(['removed']);
      expect(await adapter.inspect({ home })).toEqual(found);
    });
  });
}

/** Holds for every reading, whatever came in. */
function expectSound(reading: HookReading, host: string): void {
  if (reading.kind === 'invalid') return expect(reading.message.length).toBeLessThan(300);
  if (reading.kind === 'ignored') return expect(reading.reason.length).toBeLessThan(300);
  if (reading.kind === 'question') return expectSoundQuestion(reading.question, host);
  const { event } = reading;
  expect(event.host).toBe(host);
  expect(event.contentSessionId.length).toBeGreaterThan(0);
  for (const id of [event.contentSessionId, event.promptId, event.agentId, event.agentType]) {
    expect(id?.length ?? 0).toBeLessThanOrEqual(200);
  }
  for (const path of [event.cwd, event.projectDir]) expect(path?.length ?? 0).toBeLessThanOrEqual(4096);
  if (event.kind === 'prompt') expect(event.text).not.toBe('');
  if (event.kind === 'tool-use') {
    expect(event.toolName.length).toBeGreaterThan(0);
    expect(event.toolName.length).toBeLessThanOrEqual(200);
    expect(event.outcome === 'failed' || (event.error === null && !event.isInterrupt)).toBe(true);
  }
}

function expectSoundQuestion(question: FileQuestion, host: string): void {
  expect(question.host).toBe(host);
  expect(question.contentSessionId.length).toBeGreaterThan(0);
  expect(question.contentSessionId.length).toBeLessThanOrEqual(200);
  expect(question.agentId?.length ?? 0).toBeLessThanOrEqual(200);
  expect(question.path).not.toBe('');
  for (const path of [question.path, question.cwd, question.projectDir])
    expect(path?.length ?? 0).toBeLessThanOrEqual(4096);
}
