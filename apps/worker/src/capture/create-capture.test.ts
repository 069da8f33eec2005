import { setFlagsFromString } from 'node:v8';
import type { CapturedEvent } from '@claude-mem/core';
import { systemClock } from '@claude-mem/core';
import { loadSettings } from '@claude-mem/settings';
import { claudePayloads } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { createCapture } from './create-capture.js';
import { createHookReader } from './read-hook.js';

setFlagsFromString('--allow-natives-syntax');
const haveSameClass = new Function('one', 'other', 'return %HaveSameMap(one, other)') as (
  one: unknown,
  other: unknown,
) => boolean;

function createCaptureOfList() {
  const committed: CapturedEvent[] = [];
  const { settings } = loadSettings({ env: {}, home: '/home/nobody' });
  const capture = createCapture({
    commit: {
      submit: async (event) => {
        committed.push(event);
        return { kind: 'stored', sessionId: 1, projectId: 1, promptNumber: 1 };
      },
      settled: async () => {},
    },
    relocation: { follow: () => null, record: () => undefined },
    findProject: () => ({ project: { key: '/home/dev/shop', name: 'shop' }, root: null, isExcluded: false }),
    settings: () => settings,
    clock: systemClock,
    observerDir: '/nowhere',
  });
  return { capture, committed };
}

it('gives no tool use a hidden class of its own', async () => {
  const { capture, committed } = createCaptureOfList();
  const readHook = createHookReader({});
  const payloads = claudePayloads({ cwd: '/home/dev/shop' });
  const read = Array.from({ length: 50 }, () =>
    readHook({
      host: 'claude-code',
      event: 'PostToolUse',
      body: Buffer.from(JSON.stringify(payloads.toolUse())),
    }),
  );
  const events = read.map((input) => {
    if (input.kind !== 'event') throw new Error(input.kind);
    return input.event;
  });
  for (const event of events) await capture.take(event, { env: {} });
  // V8 begins to do so only after some
  expect(haveSameClass(events.at(-2), events.at(-1))).toBe(true);
  expect(haveSameClass(committed.at(-2), committed.at(-1))).toBe(true);
});

describe('secrets of a prompt', () => {
  const base = {
    host: 'claude-code',
    cwd: '/home/dev/shop',
    projectDir: '/home/dev/shop',
    promptId: null,
    agentId: null,
    agentType: null,
  } as const;
  const prompt = (contentSessionId: string, text: string) =>
    ({ ...base, contentSessionId, kind: 'prompt', text }) as const;
  const reply = (contentSessionId: string, lastAssistantMessage: string) =>
    ({ ...base, contentSessionId, kind: 'turn-end', lastAssistantMessage, transcriptPath: null }) as const;

  it('are removed from later texts of the session when no label precedes them', async () => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(prompt('s-1', 'The password is hunter42. Log in as ann.'), { env: {} });
    await capture.take(reply('s-1', 'I tried hunter42 as ann, and it works.'), { env: {} });
    expect(committed[1]).toMatchObject({
      lastAssistantMessage: 'I tried [redacted:secret] as ann, and it works.',
    });
  });

  it('stay in texts of other sessions, and ordinary words stay everywhere', async () => {
    const { capture, committed } = createCaptureOfList();
    await capture.take(prompt('s-1', 'The password is hunter42. POSTGRES_PASSWORD=postgres'), { env: {} });
    await capture.take(reply('s-1', 'postgres runs'), { env: {} });
    await capture.take(reply('s-2', 'release hunter42'), { env: {} });
    expect(committed.slice(1)).toMatchObject([
      { lastAssistantMessage: 'postgres runs' },
      { lastAssistantMessage: 'release hunter42' },
    ]);
  });
});
