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
import { createNews } from './create-news.js';
import { observerNotices } from './observer-words.js';

export interface Observing {
  state(): ObservingState;
  /** What a person should know about who observes, one sentence each. */
  notices(): readonly string[];
  /** The one of them that a starting session is told; null when none lasts. The same words as long as nothing changes. */
  notice(): string | null;
  /** Something was committed. What only adds to a running turn may wait a moment: the queue looks at everything it has. */
  notify(options: { isTurnOver: boolean }): void;
  /** Looks at everything again now, also during a pause after a failure: somebody asked for another try. */
  resume(): void;
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
  createQueue(options: { waitForTurn: boolean }, settings: Settings): Queue;
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
  let unready: ProviderChoice['unready'] = [];
  const moves = createNews();

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
        state === 'aside' ? 'The observer is set aside' : 'The observer fails',
      );
  };

  /** One queue for as long as the kind of provider stays the same: whole turns for some, parts for others. */
  const round = async (
    parts: { chain: ProviderChain; conversations: Conversations },
    stop: AbortSignal,
  ): Promise<void> => {
    const kindNow = () => parts.chain.current()?.capabilities.needsWholeTurn;
    const waitForTurn = kindNow() ?? false;
    const ended = new AbortController();
    const roundStop = AbortSignal.any([stop, ended.signal]);
    const watch = async () => {
      while (!roundStop.aborted) {
        await moves.next({ clock, until: parts.chain.nextChangeAt(), signal: roundStop });
        if (kindNow() === !waitForTurn) ended.abort();
      }
    };
    queue = createQueue({ waitForTurn }, settings());
    const watching = watch();
    await queue.run(createHandler(parts), { signal: roundStop });
    queue = null;
    await watching;
  };

  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const choice = await choose(settings());
      const era = new AbortController();
      const stop = AbortSignal.any([signal, era.signal]);
      const changed = settingsChanged({ signal: stop });
      unready = choice.unready;
      for (const { name, problem } of unready) log.warn({ provider: name }, problem);
      chain = createProviderChain({
        providers: choice.providers,
        clock,
        onChange(state, { isNews }) {
          if (isNews) logChange(state);
          moves.tell();
        },
      });
      if (choice.providers.length === 0) {
        await changed;
        continue;
      }
      void changed.then(() => era.abort());
      await using conversations = createConversations(settings());
      while (!stop.aborted) await round({ chain, conversations }, stop);
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
      hasHeldSessions: (queue?.activity().heldSessions ?? 0) > 0,
      heldBackBecause: queue?.activity().heldBackBecause ?? null,
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
    resume() {
      chain?.reset();
      queue?.resume();
      queue?.notify();
    },
    run,
  };
}
