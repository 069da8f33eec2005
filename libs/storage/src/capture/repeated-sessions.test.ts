import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCaptureHelpers } from '../__fixtures__/create-capture-helpers.js';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const { captureOne, messages, onlySession, dump, confirmAll } = createCaptureHelpers(() => test);

/** Events without prompt ids, as separate hook calls deliver them: each prompt has a new key. */
function createRepeatableEvents() {
  const { start, prompt, toolUse, turnEnd, end } = createEvents();
  let calls = 0;
  return {
    start: () => start(),
    prompt: (text: string) => () =>
      prompt(text, {
        dedupeKey: `prompt:event:${(calls += 1)}`,
        occurredAtEpoch: Date.UTC(2026, 1) + calls * 60_000,
      }),
    tool: (id: string) => () => toolUse({ toolUseId: id, dedupeKey: `tool:${id}` }),
    stop: (message: string) => () =>
      turnEnd({ dedupeKey: `turn-end:${message}`, lastAssistantMessage: message }),
    end: () => end({ dedupeKey: 'session-end:other' }),
  };
}

describe('repeated events without prompt IDs', () => {
  const { start, prompt, tool, stop, end } = createRepeatableEvents();
  const resumed = () => createEvents().start({ source: 'resume' });
  const compacted = () => createEvents().start({ source: 'compact' });
  it.each([
    ['without a prompt', [start, tool('a'), tool('b'), stop('Done.'), end]],
    ['that was compacted and has no prompt', [compacted, tool('a'), stop('Done.'), end]],
    ['whose turn goes on after its end', [start, tool('a'), stop('Done.'), tool('b'), stop('Done.'), end]],
    [
      'that is resumed with a prompt',
      [start, tool('a'), stop('Done.'), end, resumed, prompt('Go on'), tool('b'), stop('Done.')],
    ],
    [
      'with equal prompts',
      [start, prompt('Go on'), tool('a'), stop('Done.'), prompt('Go on'), tool('b'), stop('Done.'), end],
    ],
    ['that is still in its second turn', [start, tool('a'), stop('Done.'), end, prompt('Go on'), tool('b')]],
  ])('R17: change no row for a session %s', async (_name, events) => {
    for (const event of events) await captureOne(event());
    const pending = dump();
    for (const event of events) expect((await captureOne(event())).kind).toBe('duplicate');
    expect(dump()).toEqual(pending);
    await confirmAll((await onlySession()).id);
    const drained = dump();
    for (const event of [...events, ...events]) await captureOne(event());
    expect(dump()).toEqual(drained);
  });

  it('R17: queue a second turn end with the same message when tool uses came after the first', async () => {
    for (const event of [start, tool('a'), stop('Done.'), tool('b'), stop('Done.')])
      await captureOne(event());
    expect((await messages()).map(({ kind }) => kind)).toEqual([
      'observation',
      'summarize',
      'observation',
      'summarize',
    ]);
  });

  it('R17: store equal prompts when the user sent each of them', async () => {
    for (const event of [
      start,
      start,
      prompt('Go on'),
      tool('a'),
      tool('a'),
      stop('Done.'),
      prompt('Go on'),
      prompt('Go on'),
    ])
      await captureOne(event());
    expect(await onlySession()).toMatchObject({ promptCounter: 3 });
  });

  it('R17: complete a resumed session again when it did more work', async () => {
    for (const event of [start, tool('a'), stop('Done.'), end, resumed, tool('b'), end])
      await captureOne(event());
    expect(await onlySession()).toMatchObject({ status: 'completed' });
  });
});
