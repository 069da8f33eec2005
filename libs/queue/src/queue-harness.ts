import type { Logger, PendingMessage, PendingMessages } from '@claude-mem/core';
import { createFixedClock, createMemoryPendingMessages, type PendingSeed } from '@claude-mem/core/testing';
import { createQueue } from './create-queue.js';
import type { HandleBatch, HeldBatch, QueueFailure } from './queue.js';
import type { QueueOptions } from './queue-options.js';

const NOW = Date.UTC(2026, 0, 1);

/** Opens a queue over the in-memory port with a manual clock. The backoff is one second per failure. */
export function openQueueHarness({
  options = {},
  wrap = (messages) => messages,
}: { options?: QueueOptions; wrap?: (messages: PendingMessages) => PendingMessages } = {}) {
  const clock = createFixedClock(NOW);
  const opened = createMemoryPendingMessages();
  const logs: { level: string; fields: object; message: string }[] = [];
  const log = (level: string) => (fields: object, message: string) => logs.push({ level, fields, message });
  const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const allOptions = { backoffMs: (attempt: number) => attempt * 1_000, ...options };
  const openQueue = () =>
    createQueue({ messages: wrap(opened.messages), clock, logger, options: allOptions });

  return {
    ...opened,
    clock,
    logs,
    openQueue,
    queue: openQueue(),
    /** Adds the prompt, the tool uses and optionally the end of one turn at the current time. */
    async seedTurn(session: string, { toolUses = 1, isOver = true, texts = [] as string[] } = {}) {
      const at = clock.now();
      const uses: PendingSeed[] = Array.from({ length: toolUses }, (_, index) => ({
        session,
        kind: 'tool-use',
        at,
        text: texts[index] ?? `result ${index + 1}`,
      }));
      const end: PendingSeed[] = isOver ? [{ session, kind: 'turn-end', at }] : [];
      const [first] = await opened.seed([{ session, kind: 'prompt', at }, ...uses, ...end]);
      return first?.sessionId ?? 0;
    },
    seedEnd: (session: string) => opened.seed([{ session, kind: 'turn-end', at: clock.now() }]),
    seedToolUse: (session: string, text = 'late') =>
      opened.seed([{ session, kind: 'tool-use', at: clock.now(), text }]),
    seedEvidence: (session: string, texts: readonly string[]) =>
      opened.seed(
        texts.map((text) => ({ session, kind: 'tool-use', at: clock.now(), text, isEvidence: true })),
      ),
    /** Commits and confirms a batch, like a successful handler. */
    async finish(batch: HeldBatch) {
      await opened.confirm(batch.messages);
      batch.confirm();
    },
  };
}

export type QueueHarness = ReturnType<typeof openQueueHarness>;

/** Starts `run` and returns functions that stop it. */
export function startRun(
  harness: QueueHarness,
  handle: HandleBatch,
  queue = harness.queue,
): { ended: Promise<void>; stop(): Promise<void>; abort(): void } {
  const stop = new AbortController();
  const ended = queue.run(handle, { signal: stop.signal });
  return {
    ended,
    stop: async () => {
      stop.abort();
      await ended;
    },
    abort: () => stop.abort(),
  };
}

/** Waits until all work that needs no time to pass is done. */
export async function runPendingWork(rounds = 30): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the text with which a message was seeded. */
export function getText({ payload }: PendingMessage): string {
  if ('reason' in payload) return payload.reason;
  return (payload.response as { stdout: string }).stdout;
}

export const getTexts = (batch: HeldBatch) => batch.messages.map(getText);

export const messageFailure: QueueFailure = { message: 'bad reply', retryable: true, scope: 'message' };
export const rejection: QueueFailure = { message: 'invalid request', retryable: false, scope: 'message' };
export const outage: QueueFailure = { message: 'overloaded', retryable: true, scope: 'provider' };
export const sessionLimit: QueueFailure = { message: 'over its limit', retryable: false, scope: 'session' };
