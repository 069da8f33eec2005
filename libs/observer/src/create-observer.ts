import {
  createConversations,
  createProviderChain,
  type Conversations,
  type ProviderChain,
  type ProviderState,
} from '@claude-mem/agent-providers';
import {
  pause,
  type CapturedEvent,
  type CaptureResult,
  type Clock,
  type CommittedReply,
  type Logger,
  type PendingMessages,
  type ProjectFinder,
  type Store,
} from '@claude-mem/core';
import { createQueue, type Queue } from '@claude-mem/queue';
import { loadMode, usageLimitsOf, type Settings, OBSERVER_SETTINGS } from '@claude-mem/settings';
import { chooseProviders, type ProviderChoice, type ProviderTable } from './choose-providers.js';
import { classifyFailure } from './classify-failure.js';
import { createBatchHandler } from './create-batch-handler.js';
import { draftConversation } from './draft-conversation.js';
import { observerNotices } from './observer-notices.js';

/** Turns the pending messages of the queue into records. */
export interface Observer {
  state(): ObserverState;
  /** Returns one sentence for each problem of the observer. */
  notices(): readonly string[];
  /** Returns the notice for a session that starts; null when no problem lasts longer than a minute. */
  notice(): string | null;
  /** Notifies the observer about committed events. */
  captured(results: readonly CaptureResult[], events: readonly CapturedEvent[]): void;
  /** Notifies the queue about new messages. The queue checks all sessions soon, or later if no turn has ended. */
  notify(options: { isTurnOver: boolean }): void;
  /**
   * Processes the pending messages of a session, including those of an unfinished turn. Resolves after the processing
   * or the timeout.
   */
  flush(sessionId: number, options: { timeoutMs: number }): Promise<void>;
  /** Ends all pauses after failures and retries. */
  resume(): void;
  /** Closes the conversations that the observer has with providers about these sessions. */
  forget(sessionIds: readonly number[]): void;
  /** Runs the observer. Call it once. Resolves after the abort, when all claimed messages are released. */
  run(): Promise<void>;
}

/** State of the observer, for status and health reports. */
export interface ObserverState {
  /** Name of the current provider. If there is none, the first provider of the settings. */
  provider: string;
  model: string | null;
  /** Number of batches that are currently processed. */
  running: number;
  /** The most important notice; null when there is none. */
  problem: string | null;
  /** All configured providers, in the order of the settings. */
  providers: readonly ProviderState[];
}

/** The observer restarts when one of these settings changes. */
const OBSERVER_DEPENDENCIES: readonly (keyof Settings)[] = [
  ...OBSERVER_SETTINGS.map(({ property }) => property),
  'mode',
  'language',
  'verbosity',
  'requestMaxTokens',
  'budgetDayCalls',
  'budgetDayTokens',
  'budgetDayUsd',
  'budgetSessionTokens',
  'batchingEnabled',
  'batchMaxSize',
];

const SOON_MS = 15;
const LATER_MS = 500;
const RESTART_MS = 1_000;
const TURNS_PER_CALL = 6;
/** Token limit of a conversation if the settings contain no limit. */
const DEFAULT_REQUEST_TOKENS = 8_000;

/**
 * Creates the observer, which processes the queue with the providers of the settings. While no provider is available,
 * all messages stay pending, and the reason is logged once.
 * @param options.providers loads a provider by its name in the settings
 * @param options.findProject finds the checkout in which a session works
 * @param options.settingsChanged resolves at the next change of one of the properties, or when aborted
 * @param options.onCommitted called after each commit of records
 */
export function createObserver({
  store,
  messages,
  providers,
  findProject,
  settings,
  settingsChanged,
  onCommitted,
  clock,
  log,
  signal,
}: {
  store: Store;
  messages: PendingMessages;
  providers: ProviderTable;
  findProject: ProjectFinder;
  settings: () => Settings;
  settingsChanged(properties: readonly (keyof Settings)[], options: { signal: AbortSignal }): Promise<void>;
  onCommitted(reply: CommittedReply): void;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Observer {
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

  /** Works with the current settings until they change. */
  const work = async (): Promise<void> => {
    const over = new AbortController();
    const stop = AbortSignal.any([signal, over.signal]);
    // This call must come before the settings are read, because they can change while the providers are loaded.
    const changed = settingsChanged(OBSERVER_DEPENDENCIES, { signal: stop });
    void changed.then(() => over.abort());
    try {
      const current = settings();
      const choice = await chooseProviders(current, { table: providers, clock });
      unready = choice.unready;
      for (const { name, problem } of unready) log.warn({ provider: name }, problem);
      const selected = createProviderChain({
        providers: choice.providers,
        clock,
        onChange(state, { isChanged }) {
          if (isChanged) logChange(state);
          // The current provider determines which messages are due.
          queue?.notify();
        },
      });
      chain = selected;
      if (choice.providers.length === 0) return await changed;
      await using opened = openConversations(current, clock);
      conversations = opened;
      queue = createQueue({
        messages,
        clock,
        logger: log,
        options: {
          waitForTurn: () => selected.current()?.capabilities.needsCompleteTurn ?? false,
          // Several turns share a model call to save cost. Rules have no cost per call.
          maxTurns: () => (selected.current()?.capabilities.readsBatch ? 1 : TURNS_PER_CALL),
          maxCount: current.batchingEnabled ? current.batchMaxSize : 1,
          failureOf: classifyFailure,
        },
      });
      const handleBatch = createBatchHandler({
        store,
        chain: selected,
        conversations: opened,
        requestOptions: () => requestOptionsOf(settings()),
        findProject,
        draftConversation,
        onCommitted,
        clock,
        log,
      });
      await queue.run(handleBatch, { signal: stop });
    } finally {
      queue = null;
      conversations = null;
      over.abort();
    }
  };

  const states = () => chain?.states() ?? [];
  const notices = () =>
    observerNotices({
      unready,
      states: states(),
      fallback: chain?.current()?.name ?? null,
      hasPausedSessions: (queue?.activity().pausedSessions ?? 0) > 0,
      queuePauseReason: queue?.activity().pauseReason ?? null,
      now: clock.now(),
    });

  const observer: Observer = {
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
    captured(results, events) {
      // A tool use does not end its turn.
      if (results.some(({ kind }) => kind === 'stored'))
        observer.notify({ isTurnOver: events.some(({ kind }) => kind !== 'tool-use') });
      for (const [index, { kind }] of events.entries()) {
        const result = results[index];
        if (kind === 'compaction' && result) void observer.flush(result.sessionId, { timeoutMs: 0 });
      }
    },
    notify: ({ isTurnOver }) => wakeIn(isTurnOver ? SOON_MS : LATER_MS),
    async flush(sessionId, { timeoutMs }) {
      const over = new AbortController();
      const flushed = queue
        ?.flush({ sessionId, signal: AbortSignal.any([signal, over.signal]) })
        .catch((error: unknown) => log.warn({ error, sessionId }, 'A session could not be flushed'));
      await Promise.race([flushed, pause(clock, timeoutMs, over.signal)]);
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
          .catch((error: unknown) => log.warn({ error }, 'A conversation could not be ended'));
    },
    async run() {
      while (!signal.aborted) {
        try {
          await work();
        } catch (error) {
          if (signal.aborted) return;
          log.error({ error }, 'Observing failed; trying again');
          await pause(clock, RESTART_MS, signal);
        }
      }
    },
  };
  return observer;
}

function openConversations({ requestMaxTokens }: Settings, clock: Clock): Conversations {
  const maxRequestTokens = requestMaxTokens || DEFAULT_REQUEST_TOKENS;
  return createConversations({
    maxHistoryTokens: Math.floor(maxRequestTokens / 8),
    maxRequestTokens,
    clock,
  });
}

const requestOptionsOf = (settings: Settings) => ({
  mode: loadMode(settings.mode),
  language: settings.language,
  verbosity: settings.verbosity,
  maxTokens: settings.requestMaxTokens,
  limits: usageLimitsOf(settings),
});
