import type { HostEvent, JsonValue } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { dedupeKeyOf } from './index.js';

const base = {
  host: 'claude-code',
  contentSessionId: 's',
  cwd: null,
  projectDir: null,
  promptId: null,
  agentId: null,
  agentType: null,
} as const;
const toolUse = (fields: Partial<Extract<HostEvent, { kind: 'tool-use' }>> = {}): HostEvent => ({
  ...base,
  kind: 'tool-use',
  toolName: 'Bash',
  toolUseId: null,
  input: { command: 'ls' },
  response: { stdout: 'a' },
  outcome: 'succeeded',
  error: null,
  isInterrupt: false,
  durationMs: null,
  ...fields,
});
const prompt = (text: string, promptId: string | null): HostEvent => ({
  ...base,
  kind: 'prompt',
  text,
  promptId,
});
const turnEnd = (message: string | null, promptId: string | null): HostEvent => ({
  ...base,
  kind: 'turn-end',
  lastAssistantMessage: message,
  transcriptPath: null,
  promptId,
});

describe('dedupeKeyOf', () => {
  it('B138: returns one key for a call that ten processes report, with and without a call id', () => {
    for (const toolUseId of ['toolu_1', null]) {
      const keys = Array.from({ length: 10 }, (_, n) =>
        dedupeKeyOf(toolUse({ toolUseId }), { eventId: `e${n}` }),
      );
      expect(new Set(keys).size).toBe(1);
    }
  });

  it('distinguishes calls by their id, or by all their fields when they have no id', () => {
    const events = [
      toolUse({ toolUseId: 'toolu_1' }),
      toolUse({ toolUseId: 'toolu_2' }),
      toolUse(),
      toolUse({ toolName: 'Read' }),
      toolUse({ input: { command: 'ls -l' } }),
      toolUse({ response: { stdout: 'b' } }),
      toolUse({ response: null, outcome: 'failed', error: 'x' }),
      toolUse({ response: null, outcome: 'failed', error: 'y' }),
      toolUse({ input: ['ab', 'c'] }),
      toolUse({ input: ['a', 'bc'] }),
      toolUse({ input: [1] }),
      toolUse({ input: ['1'] }),
      toolUse({ input: { 0: 1 } }),
      toolUse({ input: [[], 1] }),
      toolUse({ input: [[1]] }),
    ];
    expect(new Set(events.map((event) => dedupeKeyOf(event, {}))).size).toBe(events.length);
  });

  it('hashes values of any depth', () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(dedupeKeyOf(toolUse({ input: deep }), {})).toMatch(/^tool:[0-9a-f]{64}$/);
  });

  it('identifies a prompt by the id of the host and its text, independent of the event id', () => {
    const key = dedupeKeyOf(prompt('go on', 'p1'), { eventId: 'e1' });
    expect(dedupeKeyOf(prompt('go on', 'p1'), { eventId: 'e2' })).toBe(key);
    expect(dedupeKeyOf(prompt('go on', 'p2'), { eventId: 'e1' })).not.toBe(key);
    expect(dedupeKeyOf(prompt('stop', 'p1'), { eventId: 'e1' })).not.toBe(key);
  });

  it('identifies a prompt without a host id by its event id', () => {
    const key = dedupeKeyOf(prompt('go on', null), { eventId: 'e1' });
    expect(dedupeKeyOf(prompt('go on', null), { eventId: 'e1' })).toBe(key);
    expect(dedupeKeyOf(prompt('go on', null), { eventId: 'e2' })).not.toBe(key);
    expect(dedupeKeyOf(prompt('go on', null), {})).toBe(dedupeKeyOf(prompt('go on', null), {}));
  });

  it('identifies the end of a turn by prompt and message', () => {
    const key = dedupeKeyOf(turnEnd('Done', 'p1'), { eventId: 'e1' });
    expect(dedupeKeyOf(turnEnd('Done', 'p1'), { eventId: 'e2' })).toBe(key);
    expect(dedupeKeyOf(turnEnd('Done more', 'p1'), { eventId: 'e1' })).not.toBe(key);
  });

  it('R17: returns the same key when another hook call repeats the end of a turn or a session', () => {
    const sessionEnd: HostEvent = { ...base, kind: 'session-end', reason: 'other' };
    for (const event of [turnEnd('Done', null), turnEnd(null, null), sessionEnd])
      expect(dedupeKeyOf(event, { eventId: 'e1' })).toBe(dedupeKeyOf(event, { eventId: 'e2' }));
    expect(dedupeKeyOf(turnEnd('Done', null), {})).not.toBe(dedupeKeyOf(turnEnd('Done more', null), {}));
  });

  it('never returns the same key for events of different kinds', () => {
    const events: HostEvent[] = [
      { ...base, kind: 'session-start', source: 'startup' },
      { ...base, kind: 'session-end', reason: 'startup' },
      prompt('startup', null),
      turnEnd('startup', null),
      { ...base, kind: 'compaction' },
    ];
    expect(new Set(events.map((event) => dedupeKeyOf(event, {}))).size).toBe(5);
  });
});
