import { ClaudeMemError, messageOf, pause, type Clock, type Logger } from '@claude-mem/core';
import type { Memory } from '@claude-mem/search';
import type { Settings } from '@claude-mem/settings';
import type { Storage } from '@claude-mem/storage';
import type { IndexState } from '@claude-mem/worker-protocol';
import type { Diagnostic } from '../lifecycle/diagnostic.js';
import type { SearchParts } from './open-search-parts.js';

/** Search, and the synchronization of its indexes. Nothing is loaded before it is needed. */
export interface Searching {
  /** Opens the memory for reading on the first call. */
  memory(): Promise<Memory>;
  isOpen(): boolean;
  /**
   * Loads what the first page of the viewer and its first search need, and yields to the event loop between the
   * steps.
   */
  prepareForViewer(): void;
  /** Must be called after records were stored or deleted. */
  wake(): void;
  state(): Promise<IndexState>;
  /** Starts to rebuild indexes, or to add missing entries at once, in the background. */
  rebuild(part: 'words' | 'vectors' | 'all' | 'missing'): Promise<void>;
  /** Problems for the user, one sentence each. */
  diagnostics(): Promise<readonly Diagnostic[]>;
  /** Keeps the indexes up to date until the abort. Must be called once. */
  run(): Promise<void>;
  close(): Promise<void>;
}

/** Number of records per step, so that other database requests do not wait for longer. */
const WORDS_STEP = 100;
/** Milliseconds without events before idle work starts, and its maximum delay. */
const QUIET_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const BUSY_PAUSE_MS = 250;
const STEP_PAUSE_MS = 20;
const LOOK_MS = 60_000;
const AGAIN_MS = 10_000;

export function createSearching({
  storage,
  openParts,
  settings,
  settingsChanged,
  lastEventAt,
  clock,
  log,
  signal,
}: {
  storage: Storage;
  /** Opens the parts of search with the settings. */
  openParts(settings: Settings): Promise<SearchParts>;
  settings: () => Settings;
  /** Resolves at the next change of a setting that search depends on. */
  settingsChanged(options: { signal: AbortSignal }): Promise<void>;
  /** Time of the last event. */
  lastEventAt(): number;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Searching {
  let parts: Promise<SearchParts> | null = null;
  let opened: SearchParts | null = null;
  let problem: string | null = null;
  let updateProblem: string | null = null;
  let isHurried = false;
  let isPreparing = false;
  const naps = new Set<AbortController>();

  const need = (): Promise<SearchParts> => {
    signal.throwIfAborted();
    parts ??= openParts(settings()).then(
      (ready) => {
        opened = ready;
        wake();
        return ready;
      },
      (error: unknown) => {
        parts = null;
        throw error;
      },
    );
    return parts;
  };
  const drop = async () => {
    const leaving = parts;
    parts = null;
    opened = null;
    const left = await leaving?.catch(() => null);
    await left?.close();
  };

  const isQuiet = () => clock.now() - lastEventAt() >= QUIET_MS;
  /** Ends early when records were stored. */
  const nap = async (ms: number, stop: AbortSignal) => {
    const woken = new AbortController();
    naps.add(woken);
    await pause(clock, ms, AbortSignal.any([stop, woken.signal]));
    naps.delete(woken);
  };
  const wake = () => {
    for (const woken of naps) woken.abort();
    opened?.sync?.wake();
  };

  /** Indexes records that no transaction has indexed: those of an older version, or all of them after a rebuild. */
  const keepWords = async () => {
    while (!signal.aborted) {
      try {
        const { done } = await storage.index.step({ limit: WORDS_STEP });
        updateProblem = null;
        if (done) await nap(LOOK_MS, signal);
        else await pause(clock, isQuiet() ? STEP_PAUSE_MS : BUSY_PAUSE_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        updateProblem = 'The search index could not be updated. The worker tries again.';
        log.error({ error }, 'Indexing failed');
        await pause(clock, AGAIN_MS, signal);
      }
    }
  };

  /**
   * When a search finds damage of the index, the index is repaired and the search is repeated on its current content.
   */
  const mending = (memory: Memory): Memory => {
    type Method = (...parameters: unknown[]) => Promise<unknown>;
    const repair =
      (method: Method): Method =>
      async (...parameters) => {
        try {
          return await method(...parameters);
        } catch (error) {
          const isDamage =
            ClaudeMemError.isInstance(error) && /^storage\/(corrupt|schema-mismatch)$/.test(error.code);
          if (!isDamage || !(await storage.index.repair())) throw error;
          wake();
          return method(...parameters);
        }
      };
    const methods = Object.entries(memory).map(([name, method]) => [name, repair(method as Method)]);
    return { ...memory, ...(Object.fromEntries(methods) as Memory) };
  };

  /** Idle work waits while events arrive. */
  const quiet = async (stop: AbortSignal) => {
    const latest = clock.now() + MAX_WAIT_MS;
    while (!stop.aborted && !isQuiet() && !isHurried && clock.now() < latest) await nap(QUIET_MS, stop);
  };

  /** Nothing is loaded for an empty memory. */
  const untilNeeded = async (stop: AbortSignal) => {
    while (!stop.aborted && opened === null && (await storage.index.state()).total === 0)
      await nap(LOOK_MS, stop);
  };

  /** Synchronizes vectors with the current settings until they change. */
  const keepVectors = async () => {
    while (!signal.aborted) {
      const over = new AbortController();
      const stop = AbortSignal.any([signal, over.signal]);
      // Before anything is opened, because closing and opening take time, during which the settings may change again.
      const changed = settingsChanged({ signal: stop }).then(() => over.abort());
      try {
        await drop();
        await untilNeeded(stop);
        await quiet(stop);
        if (stop.aborted) continue;
        const { sync } = await need();
        problem = null;
        await Promise.race([warm(), changed]);
        await (sync === null ? changed : sync.run({ signal: stop }));
      } catch (error) {
        if (signal.aborted) return;
        problem = 'Search by meaning is not available; the log says why.';
        log.error({ error }, 'Search could not be opened');
        await pause(clock, AGAIN_MS, stop);
      } finally {
        over.abort();
      }
    }
  };

  const memory = async () => mending(await (await need()).memory());

  /** The first session start or file read does not wait for the loading. */
  const warm = async () => {
    try {
      await (await memory()).search({ limit: 1 });
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'Search could not be made ready ahead');
    }
  };

  const prepareForViewer = async () => {
    if (isPreparing) return;
    isPreparing = true;
    try {
      const { facets, search } = await memory();
      await facets({});
      const { items } = await search({ limit: 1 });
      await search({ query: items[0]?.item.title ?? '', meaning: false, limit: 1 });
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'Search could not be made ready for the viewer');
    } finally {
      isPreparing = false;
    }
  };

  /** Creates all missing vectors without pauses. */
  const hurry = async () => {
    if (isHurried) return;
    isHurried = true;
    try {
      const { sync } = await need();
      await sync?.drain({ signal });
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, 'The vectors that are missing could not be made');
    } finally {
      isHurried = false;
    }
  };

  const lexicalProblem = async () => updateProblem ?? (await storage.index.problem());

  const vectorProblem = async (): Promise<string | null> => {
    if (problem !== null || opened === null) return problem;
    if (opened.missing !== null) return opened.missing;
    const { problem: reason } = (await opened.sync?.status()) ?? { problem: null };
    return reason === null ? null : `Search by meaning is not up to date: ${reason}`;
  };

  return {
    memory,
    isOpen: () => opened?.isOpen() ?? false,
    prepareForViewer: () => void prepareForViewer(),
    wake,
    async state() {
      const { indexed, total } = await storage.index.state();
      const problem = await lexicalProblem();
      const { vectorIndex, embedder } = settings();
      const isOff = vectorIndex === 'none' || embedder === 'none';
      const { waiting, failed } = await storage.vectors.counts();
      const vectors = {
        index: isOff ? 'none' : vectorIndex,
        model: isOff ? null : (opened?.model ?? null),
        waiting: isOff ? 0 : waiting,
        failed: isOff ? 0 : failed,
        problem: isOff ? null : await vectorProblem(),
      };
      // The number of waiting texts is unknown until the index was opened with these settings.
      const isKnown = isOff || opened !== null || total === 0;
      const isDone = indexed >= total && isKnown && vectors.waiting === 0 && vectors.problem === null;
      const words = { indexed, total, ...(problem !== null && { problem }) };
      return { words, vectors, isDone };
    },
    async rebuild(part) {
      if (part === 'words' || part === 'all') await storage.index.rebuild();
      if (part === 'vectors' || part === 'all') await (await need()).sync?.rebuild();
      wake();
      if (part !== 'words') {
        await need();
        void hurry();
      }
    },
    async diagnostics() {
      const [words, vectors] = [await lexicalProblem(), await vectorProblem()];
      return [
        ...(words === null ? [] : [lexicalDiagnostic(words)]),
        ...(vectors === null ? [] : [vectorsDiagnostic(vectors)]),
      ];
    },
    run: async () => void (await Promise.all([keepWords(), keepVectors()])),
    close: drop,
  };
}

const lexicalDiagnostic = (message: string): Diagnostic => ({
  code: 'words-index',
  severity: 'error',
  message,
  action: 'Run: claude-mem reindex --words',
  link: 'logs',
});

const vectorsDiagnostic = (message: string): Diagnostic => ({
  code: 'search-by-meaning',
  severity: 'warning',
  message,
  action:
    'claude-mem retries automatically. To disable vectors: claude-mem settings set CLAUDE_MEM_VECTOR_INDEX none',
  link: 'settings',
});
