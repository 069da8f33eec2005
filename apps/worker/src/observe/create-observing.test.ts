import { noopLogger } from '@claude-mem/core';
import { createConversations } from '@claude-mem/agent-providers';
import { createScriptedProvider } from '@claude-mem/agent-providers/testing';
import { createFixedClock, createMemoryPendingMessages } from '@claude-mem/core/testing';
import { createQueue } from '@claude-mem/queue';
import type { Settings } from '@claude-mem/settings';
import { describe, expect, it } from 'vitest';
import type { WorkerLog } from '../log/create-log.js';
import { until } from '../testing/start-test-worker.js';
import { createObserving } from './create-observing.js';

const log: WorkerLog = { ...noopLogger, with: () => log, isDebug: false };

describe('createObserving', () => {
  it('counts a change of the settings while what they named before is being loaded', async () => {
    const clock = createFixedClock(0);
    const end = new AbortController();
    const { signal } = end;
    const { messages } = createMemoryPendingMessages();
    let model = 'first';
    const waiting = new Set<() => void>();
    const observing = createObserving({
      async choose({ model: chosen }) {
        if (model === 'first') {
          model = 'second';
          for (const tell of waiting) tell();
        }
        await new Promise((resolve) => setImmediate(resolve));
        return { providers: [createScriptedProvider([], { model: chosen })], unready: [] };
      },
      createQueue: () => createQueue({ messages, clock }),
      createHandler: () => async () => undefined,
      createConversations: () => createConversations({ maxHistoryTokens: 0, clock }),
      settingsChanged: ({ signal: stop }) =>
        new Promise((resolve) => {
          waiting.add(resolve);
          stop.addEventListener('abort', () => resolve(), { once: true });
        }),
      settings: () => ({ model }) as Settings,
      clock,
      log,
      signal,
    });
    const running = observing.run();
    await until(() => observing.state().model === 'second');
    end.abort();
    await running;
    expect(observing.state().running).toBe(0);
  });

  it('a session whose work is asked for is waited for until it was observed, and no longer than the patience', async () => {
    const clock = createFixedClock(0);
    const end = new AbortController();
    const { messages, seed, confirm } = createMemoryPendingMessages();
    let finish = () => {};
    const observing = createObserving({
      choose: async () => ({ providers: [createScriptedProvider([])], unready: [] }),
      createQueue: () => createQueue({ messages, clock, options: { waitForTurn: () => true } }),
      createHandler: () => async (batch) => {
        await new Promise<void>((resolve) => (finish = resolve));
        await confirm(batch.messages);
        batch.confirm();
      },
      createConversations: () => createConversations({ maxHistoryTokens: 0, clock }),
      settingsChanged: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
      settings: () => ({}) as Settings,
      clock,
      log,
      signal: end.signal,
    });
    const running = observing.run();
    const work = async () => {
      const [first] = await seed([
        { session: 'a', kind: 'prompt', at: clock.now() },
        { session: 'a', kind: 'tool-use', at: clock.now() },
      ]);
      return first?.sessionId ?? 0;
    };
    const sessionId = await work();
    let isOver = false;
    const flush = () => {
      isOver = false;
      return observing.flush(sessionId, { patienceMs: 250 }).then(() => (isOver = true));
    };

    const observed = flush();
    await until(() => observing.state().running === 1);
    expect(isOver).toBe(false);
    finish();
    await observed;
    expect(await messages.list()).toEqual([]);

    await work();
    const late = flush();
    await until(() => observing.state().running === 1);
    await clock.advance(249);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await late;
    expect(await messages.list()).toHaveLength(1);

    finish();
    end.abort();
    await running;
  });
});
