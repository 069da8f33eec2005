import {
  createProviderChain,
  type Conversations,
  type ProviderChain,
  type ProviderState,
} from '@claude-mem/agent-providers';
import { pause, type Clock } from '@claude-mem/core';
import type { HandleBatch, Queue } from '@claude-mem/queue';
import type { Settings } from '@claude-mem/settings';
import type { WorkerLog } from '../log/create-log.js';
import type { ProviderChoice } from './choose-providers.js';
import { observerNotices } from './observer-words.js';

export interface Observing {
  state(): ObservingState;
  /** What a person should know about who observes, one sentence each. */
  notices(): readonly string[];
  /** The one of them that a starting session is told; null when none lasts. The same words as long as nothing changes. */
  notice(): string | null;
  /** Something was committed. What only adds to a running turn may wait a moment: the queue looks at everything it has. */
  notify(options: { isTurnOver: boolean }): void;
  /** Work that waits of a session is observed now, also of a turn that goes on. Resolves when it was, or after the patience. */
  flush(sessionId: number, options: { patienceMs: number }): Promise<void>;
  /** Looks at everything again now, also during a pause after a failure: somebody asked for another try. */
  resume(): void;
  /** Conversations about these sessions end, with all they carry. */
  forget(sessionIds: readonly number[]): void;
  /** Begins; to be called once. Resolves after the abort, when every batch was given back. */
  run(): Promise<void>;
}

interface ObservingState {
  /** Who would be asked now; the first of the settings when nobody. */
  provider: string;
  model: string | null;
  running: number;
  /** What keeps somebody from working; null when all is well. */
  problem: string | null;
  /** All of the settings that are ready, in order. */
  providers: readonly ProviderState[];
}

const SOON_MS = 15;
const LATER_MS = 500;
const TURNS_PER_CALL = 6;

/**
 * Keeps the queue worked on by the providers of the settings. When nobody can observe, everything stays pending, it is
 * said once, and a change of the settings is waited for.
 */
export function createObserving({
  choose,
  createQueue,
  createHandler,
  createConversations,
  settingsChanged,
  settings,
  clock,
  log,
  signal,
}: {
  choose(settings: Settings): Promise<ProviderChoice>;
  /** `waitForTurn`: whoever would be asked now needs whole turns. `maxTurns`: turns without tool uses per request. */
  createQueue(options: { waitForTurn: () => boolean; maxTurns: () => number }, settings: Settings): Queue;
  createHandler(parts: { chain: ProviderChain; conversations: Conversations }): HandleBatch;
  createConversations(settings: Settings): Conversations;
  /** Resolves at the next change of what the observer depends on. */
  settingsChanged(options: { signal: AbortSignal }): Promise<void>;
  settings: () => Settings;
  clock: Clock;
  log: WorkerLog;
  signal: AbortSignal;
}): Observing {
  let queue: Queue | null = null;
  let chain: ProviderChain | null = null;
  let conversations: Conversations | null = null;
  let unready: ProviderChoice['unready'] = [];

  let wakeAt = Infinity;
  const wakeIn = (ms: number) => {
    const at = clock.now() + ms;
    if (at >= wakeAt) return;
    wakeAt = at;
    const wake = () => {
      if (wakeAt !== at) return;
      wakeAt = Infinity;
      queue?.notify();
    };
    clock.sleep(ms, { signal }).then(wake, () => undefined);
  };

  const logChange = ({ name, state, reason }: ProviderState) => {
    if (state === 'works') log.info({ provider: name }, 'The observer works again');
    else
      log.warn(
        { provider: name, reason },
        state === 'aside' ? 'The observer is paused' : 'The observer failed',
      );
  };

  /** Works with the settings as they are now, until they change. */
  const work = async (): Promise<void> => {
    const over = new AbortController();
    const stop = AbortSignal.any([signal, over.signal]);
    // before the settings are read: loading what they name takes a while, in which they may change again
    const changed = settingsChanged({ signal: stop });
    void changed.then(() => over.abort());
    try {
      const current = settings();
      const choice = await choose(current);
      unready = choice.unready;
      for (const { name, problem } of unready) log.warn({ provider: name }, problem);
      const asked = createProviderChain({
        providers: choice.providers,
        clock,
        onChange(state, { isChanged: isNews }) {
          if (isNews) logChange(state);
          // what is due depends on who is asked
          queue?.notify();
        },
      });
      chain = asked;
      if (choice.providers.length === 0) return await changed;
      await using opened = createConversations(current);
      conversations = opened;
      const waitForTurn = () => asked.current()?.capabilities.needsCompleteTurn ?? false;
      // each call of a model has a cost, and rules have none
      const maxTurns = () => (asked.current()?.capabilities.readsBatch ? 1 : TURNS_PER_CALL);
      queue = createQueue({ waitForTurn, maxTurns }, current);
      await queue.run(createHandler({ chain: asked, conversations: opened }), { signal: stop });
    } finally {
      queue = null;
      conversations = null;
      over.abort();
    }
  };

  const run = async () => {
    while (!signal.aborted) {
      try {
        await work();
      } catch (error) {
        if (signal.aborted) return;
        log.error({ error }, 'Observing failed; trying again');
        await pause(clock, 1_000, signal);
      }
    }
  };

  const states = () => chain?.states() ?? [];
  const notices = () =>
    observerNotices({
      unready,
      states: states(),
      standIn: chain?.current()?.name ?? null,
      hasPausedSessions: (queue?.activity().pausedSessions ?? 0) > 0,
      queuePauseReason: queue?.activity().pauseReason ?? null,
      now: clock.now(),
    });
  return {
    state() {
      const current = chain?.current();
      const [first] = states();
      return {
        provider: current?.name ?? first?.name ?? unready[0]?.name ?? settings().provider,
        model: current?.model ?? first?.model ?? null,
        running: queue?.activity().running ?? 0,
        problem: notices()[0]?.text ?? null,
        providers: states(),
      };
    },
    notices: () => notices().map(({ text }) => text),
    notice: () => notices().find(({ isLasting }) => isLasting)?.text ?? null,
    notify: ({ isTurnOver }) => wakeIn(isTurnOver ? SOON_MS : LATER_MS),
    async flush(sessionId, { patienceMs }) {
      const over = new AbortController();
      const flushed = queue
        ?.flush({ sessionId, signal: AbortSignal.any([signal, over.signal]) })
        .catch((error: unknown) => log.warn({ error, sessionId }, 'A session could not be flushed'));
      await Promise.race([flushed, pause(clock, patienceMs, over.signal)]);
      over.abort();
    },
    resume() {
      chain?.reset();
      queue?.resume();
      queue?.notify();
    },
    forget(sessionIds) {
      for (const id of sessionIds)
        conversations
          ?.forget(id)
          .catch((error: unknown) => log.warn({ error }, 'A conversation did not end well'));
    },
    run,
  };
}
