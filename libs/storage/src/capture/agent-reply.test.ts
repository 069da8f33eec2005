import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCaptureHelpers } from '../__fixtures__/create-capture-helpers.js';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { openStorage } from '../index.js';
import { TEXT_LIMITS } from '../limits.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const { captureOne, onlySession } = createCaptureHelpers(() => test);
const NOW = Date.UTC(2026, 0, 3);

const replies = () =>
  test.tamper((database) =>
    database.prepare('SELECT agent_reply FROM user_prompts ORDER BY prompt_number').pluck().all(),
  ) as (string | null)[];
const end = (lastAssistantMessage: string | null) => ({ lastAssistantMessage });

describe('agent reply', () => {
  it('is stored with the prompt when the turn ends, also without tool calls', async () => {
    const { prompt, turnEnd } = createEvents();
    await test.storage.store.capture([prompt('one'), turnEnd(end('Use npm.')), prompt('two')]);
    expect(replies()).toEqual(['Use npm.', null]);
  });

  it('persists when the database is closed and opened again', async () => {
    const { prompt, turnEnd } = createEvents();
    await test.storage.store.capture([prompt('one'), turnEnd(end('Use npm.'))]);
    await test.storage.close();
    await using again = await openStorage(test.place);
    const { items } = await again.store.listSessions();
    expect(await again.store.conversation(items[0]!.id, { throughPrompt: 1, limit: 9 })).toEqual([
      { promptNumber: 1, prompt: 'one', reply: 'Use npm.' },
    ]);
  });

  it('is stored with the newest prompt when prompts were added to the running turn', async () => {
    const { prompt, turnEnd } = createEvents();
    const first = { promptId: 'p1' };
    await test.storage.store.capture([
      prompt('one', first),
      prompt('and this', first),
      turnEnd({ ...first, ...end('Both are done.') }),
      prompt('two', { promptId: 'p2' }),
    ]);
    expect(replies()).toEqual([null, 'Both are done.', null]);
  });

  it('is stored with the prompt that the host names when the reply arrives late', async () => {
    const { prompt, toolUse, turnEnd } = createEvents();
    await test.storage.store.capture([
      prompt('one', { promptId: 'p1' }),
      toolUse(),
      prompt('two', { promptId: 'p2' }),
      turnEnd({ promptId: 'p1', ...end('Use npm.') }),
    ]);
    expect(replies()).toEqual(['Use npm.', null]);
  });

  it('stays unchanged when there is no prompt or no message, or when the event is filtered', async () => {
    const { prompt, turnEnd } = createEvents();
    await captureOne(turnEnd(end('Before any prompt')));
    await captureOne(prompt('one'));
    await captureOne(turnEnd(end(null)));
    await captureOne(turnEnd({ ...end('Filtered'), filterReason: 'capture is switched off' }));
    expect(replies()).toEqual([null]);
  });

  it('is replaced by a longer reply, but not by a shorter one, when the turn ends again', async () => {
    const { prompt, toolUse, turnEnd } = createEvents();
    await test.storage.store.capture([prompt('one'), turnEnd(end('Use npm.'))]);
    for (const [text, expected] of [
      ['Done.', 'Use npm.'],
      ['Use npm. The lock file is committed.', 'Use npm. The lock file is committed.'],
    ] as const) {
      await test.storage.store.capture([toolUse(), turnEnd(end(text))]);
      expect(replies()).toEqual([expected]);
    }
  });

  it('is shortened in the middle when it is too long', async () => {
    const { prompt, turnEnd } = createEvents();
    const text = `Begin ${'🦊'.repeat(40_000)} end`;
    await test.storage.store.capture([prompt('one'), turnEnd(end(text))]);
    const [reply] = replies();
    expect(reply).toMatch(/^Begin 🦊.*characters left out.*🦊 end$/su);
    expect(reply!.length).toBeLessThanOrEqual(TEXT_LIMITS.agentReply);
    expect(reply!.length).toBeGreaterThan(TEXT_LIMITS.agentReply - 50);
    expect(reply!.isWellFormed()).toBe(true);
  });

  it('is excluded from the search index when it is stored or changed', async () => {
    const { prompt, turnEnd } = createEvents();
    await test.storage.store.capture([prompt('the parser'), turnEnd(end('zebra'))]);
    test.tamper((database) => database.exec(`UPDATE user_prompts SET agent_reply = 'zebra crossing'`));
    const pending = test.tamper((database) =>
      database.prepare('SELECT count(*) FROM search_pending').pluck().get(),
    );
    expect(pending).toBe(0);
    expect(findWords(test.place, 'zebra', 'prompt')).toEqual([]);
    expect(findWords(test.place, 'parser', 'prompt')).toHaveLength(1);
    await test.storage.index.rebuild();
    while (!(await test.storage.index.step()).done);
    expect(findWords(test.place, 'zebra', 'prompt')).toEqual([]);
    expect(findWords(test.place, 'parser', 'prompt')).toHaveLength(1);
  });

  it('is deleted with its session and restored when the deletion is undone', async () => {
    const { prompt, turnEnd } = createEvents();
    await test.storage.store.capture([prompt('one'), turnEnd(end('Use zebra.'))]);
    const { id } = await onlySession();
    const { store } = test.storage;
    const { forgetId } = await store.forget({ sessionIds: [id], now: NOW, undoUntil: NOW + 60_000 });
    expect(replies()).toEqual([]);
    expect(await store.conversation(id, { throughPrompt: 9, limit: 9 })).toEqual([]);
    await store.undoForget(forgetId!, NOW + 1);
    expect(replies()).toEqual(['Use zebra.']);
    await store.forget({ sessionIds: [id], now: NOW });
    expect(replies()).toEqual([]);
  });
});
