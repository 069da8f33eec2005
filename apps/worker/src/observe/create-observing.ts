import type { AgentProvider } from '@claude-mem/agent-providers';
import { pause, type Clock } from '@claude-mem/core';
import type { HandleBatch, Queue } from '@claude-mem/queue';
import type { Settings } from '@claude-mem/settings';
import type { WorkerLog } from '../log/create-log.js';
import type { ProviderChoice } from './choose-provider.js';

export interface Observing {
  /** Name of the provider at work, and what keeps it from working. */
  state(): { provider: string; running: number; problem: string | null };
  /** Something was committed. What only adds to a running turn may wait a moment: the queue looks at everything it has. */
  notify(options: { isTurnOver: boolean }): void;
  /** Looks at everything again now, also during a pause after a failure: somebody asked for another try. */
  resume(): void;
  /** Begins; to be called once. Resolves after the abort, when every batch was given back. */
  run(): Promise<void>;
}

const SOON_MS = 15;
const LATER_MS = 500;

/**
 * Keeps the queue worked on by the provider of the settings. When nobody can observe, everything stays pending, it is
 * said once, and a change of the settings is waited for.
 */
export function createObserving({
  choose,
  createQueue,
  createHandler,
  settingsChanged,
  settings,
  clock,
  log,
  signal,
}: {
  choose(settings: Settings): Promise<ProviderChoice>;
  createQueue(provider: AgentProvider, settings: Settings): Queue;
  createHandler(choice: ProviderChoice & { kind: 'ready' }): HandleBatch;
  /** Resolves at the next change of what the observer depends on. */
  settingsChanged(options: { signal: AbortSignal }): Promise<void>;
  settings: () => Settings;
  clock: Clock;
  log: WorkerLog;
  signal: AbortSignal;
}): Observing {
  let queue: Queue | null = null;
  let provider = settings().provider as string;
  let problem: string | null = null;

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

  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const choice = await choose(settings());
      const round = new AbortController();
      const stop = AbortSignal.any([signal, round.signal]);
      const changed = settingsChanged({ signal: stop });
      if (choice.kind === 'setup-required') {
        provider = choice.name;
        problem = choice.problem;
        log.warn({ provider }, choice.problem);
        await changed;
        continue;
      }
      provider = choice.provider.name;
      problem = null;
      queue = createQueue(choice.provider, settings());
      void changed.then(() => round.abort());
      await queue.run(createHandler(choice), { signal: stop });
      queue = null;
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

  return {
    state: () => {
      const activity = queue?.activity();
      const heldBack = activity?.heldBackBecause ?? null;
      return { provider, running: activity?.running ?? 0, problem: problem ?? heldBack };
    },
    notify: ({ isTurnOver }) => wakeIn(isTurnOver ? SOON_MS : LATER_MS),
    resume: () => {
      queue?.resume();
      queue?.notify();
    },
    run,
  };
}
