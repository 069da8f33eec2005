import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const store = () => test.storage.store;
const conversation = (sessionId: number, throughPrompt = 1_000, limit = 60) =>
  store().conversation(sessionId, { throughPrompt, limit });

/** Captures turns with a prompt and a reply. Returns the id of their session. */
async function talk(turns: readonly (readonly [prompt: string, reply: string | null])[], name = 'session-1') {
  const { prompt, turnEnd } = createEvents(name);
  const events = turns.flatMap(([text, lastAssistantMessage]) => [
    prompt(text),
    turnEnd({ lastAssistantMessage }),
  ]);
  const [first] = await store().capture(events);
  return first!.sessionId;
}

describe('conversation', () => {
  it('lists the turns of one session, oldest first', async () => {
    const id = await talk([
      ['Which tool?', 'npm or yarn.'],
      ['npm', null],
    ]);
    await talk([['Other', 'Other reply.']], 'session-2');
    expect(await conversation(id)).toEqual([
      { promptNumber: 1, prompt: 'Which tool?', reply: 'npm or yarn.' },
      { promptNumber: 2, prompt: 'npm', reply: null },
    ]);
  });

  it('ends with the requested turn when the session continued', async () => {
    const id = await talk([
      ['one', 'First.'],
      ['two', 'Second.'],
      ['three', 'Third.'],
    ]);
    expect((await conversation(id, 2)).map(({ prompt }) => prompt)).toEqual(['one', 'two']);
    expect(await conversation(id, 0)).toEqual([]);
  });

  it('joins prompts that were added to a running turn, including the last turn', async () => {
    const { prompt, turnEnd } = createEvents();
    const p1 = { promptId: 'p1' };
    const p2 = { promptId: 'p2' };
    const [first] = await store().capture([
      prompt('one', p1),
      prompt('and this', p1),
      turnEnd({ ...p1, lastAssistantMessage: 'First.' }),
      prompt('two', p2),
      prompt('wait', p2),
      prompt('three', { promptId: 'p3' }),
    ]);
    expect(await conversation(first!.sessionId, 3)).toEqual([
      { promptNumber: 1, prompt: 'one\n\nand this', reply: 'First.' },
      { promptNumber: 3, prompt: 'two\n\nwait', reply: null },
    ]);
  });

  it('drops the oldest turns when there are more than the limit, which is at most 200', async () => {
    const id = await talk(Array.from({ length: 210 }, (_, index) => [`prompt ${index + 1}`, null] as const));
    const numbers = async (limit: number) =>
      (await conversation(id, 209, limit)).map(({ promptNumber }) => promptNumber);
    expect(await numbers(2)).toEqual([208, 209]);
    const most = await numbers(1_000);
    expect([most.length, most[0], most.at(-1)]).toEqual([200, 10, 209]);
  });

  it('omits the oldest turns when all texts together exceed 200,000 characters', async () => {
    const id = await talk(Array.from({ length: 4 }, () => ['x'.repeat(45_000), 'y'.repeat(6_000)] as const));
    const numbers = async () => (await conversation(id)).map(({ promptNumber }) => promptNumber);
    expect(await numbers()).toEqual([2, 3, 4]);
    await store().capture([createEvents().prompt('z'.repeat(48_000), { dedupeKey: 'fifth' })]);
    expect(await numbers()).toEqual([3, 4, 5]);
  });
});
