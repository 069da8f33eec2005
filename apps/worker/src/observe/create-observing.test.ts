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
});
