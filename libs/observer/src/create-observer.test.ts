import { createScriptedProvider } from '@claude-mem/agent-providers/testing';
import { noopLogger, type CommitReply, type CommittedReply, type Store } from '@claude-mem/core';
import { createFixedClock, createMemoryPendingMessages } from '@claude-mem/core/testing';
import { loadSettings } from '@claude-mem/settings';
import { describe, expect, it, vi } from 'vitest';
import { createObserver } from './create-observer.js';

const options = () => ({
  findProject: () => ({ project: null, root: null, isExcluded: false }),
  onCommitted: () => undefined,
  log: noopLogger,
});
const settings = { ...loadSettings({ env: {}, home: '/home/nobody' }).settings, provider: 'local' as const };

describe('createObserver', () => {
  it('restarts when the settings change while the providers load', async () => {
    const clock = createFixedClock(0);
    const end = new AbortController();
    let model = 'first';
    const waiting = new Set<() => void>();
    const observer = createObserver({
      ...options(),
      store: {} as Store,
      messages: createMemoryPendingMessages().messages,
      providers: {
        async local({ model: chosen }) {
          if (model === 'first') {
            model = 'second';
            for (const resolve of waiting) resolve();
          }
          await new Promise((resolve) => setImmediate(resolve));
          return createScriptedProvider([], { model: chosen });
        },
      },
      settings: () => ({ ...settings, model }),
      settingsChanged: (_properties, { signal }) =>
        new Promise((resolve) => {
          waiting.add(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
      clock,
      signal: end.signal,
    });
    const running = observer.run();
    await vi.waitUntil(() => observer.state().model === 'second');
    end.abort();
    await running;
    expect(observer.state().running).toBe(0);
  });

  it('flushes a session, and waits until its messages are processed or the timeout expires', async () => {
    const clock = createFixedClock(0);
    const end = new AbortController();
    const { messages, seed, confirm } = createMemoryPendingMessages();
    let finish = () => {};
    const observer = createObserver({
      ...options(),
      store: {
        getSession: async () => null,
        async commitReply({ confirm: outcomes }: CommitReply) {
          await new Promise<void>((resolve) => (finish = resolve));
          const ids = new Set(outcomes.map(({ id }) => id));
          await confirm((await messages.list()).filter(({ id }) => ids.has(id)));
          return { observations: [], summary: null } as Partial<CommittedReply> as CommittedReply;
        },
      } as Partial<Store> as Store,
      messages,
      providers: {
        local: async () => createScriptedProvider([], { capabilities: { needsCompleteTurn: true } }),
      },
      settings: () => settings,
      settingsChanged: (_properties, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
      clock,
      signal: end.signal,
    });
    const running = observer.run();
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
      return observer.flush(sessionId, { timeoutMs: 250 }).then(() => (isOver = true));
    };
    await vi.waitUntil(() => observer.state().providers.length > 0);

    const observed = flush();
    await vi.waitUntil(() => observer.state().running === 1);
    expect(isOver).toBe(false);
    finish();
    await observed;
    expect(await messages.list()).toEqual([]);

    await work();
    const late = flush();
    await vi.waitUntil(() => observer.state().running === 1);
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
