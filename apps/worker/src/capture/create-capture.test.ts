import { setFlagsFromString } from 'node:v8';
import type { CapturedEvent } from '@claude-mem/core';
import { systemClock } from '@claude-mem/core';
import { loadSettings } from '@claude-mem/settings';
import { claudePayloads } from '@claude-mem/testing';
import { expect, it } from 'vitest';
import { createCapture } from './create-capture.js';
import { createHookReader } from './read-hook.js';

setFlagsFromString('--allow-natives-syntax');
const haveSameClass = new Function('one', 'other', 'return %HaveSameMap(one, other)') as (
  one: unknown,
  other: unknown,
) => boolean;

it('gives no tool use a hidden class of its own', async () => {
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
