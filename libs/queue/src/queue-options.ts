import { ClaudeMemError, messageOf } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';
import { QueueError } from './queue-error.js';

export interface QueueOptions {
  /** Sessions worked on at the same time. @default 4 */
  concurrency?: number;
  /** Messages per batch. @default 20 */
  maxCount?: number;
  /** Payload bytes per batch; one message may be larger. @default 262_144 */
  maxBytes?: number;
  /** A turn that nobody ended is flushed after this much silence. @default 300_000 */
  idleFlushMs?: number;
  /** The same for messages that come in after the end of their turn was processed. @default 10_000 */
  lateFlushMs?: number;
  /** Turns without tool uses wait this long for more of them, unless there are `maxTurns` or the session ends. @default 600_000 */
  conversationFlushMs?: number;
  /** How long a claim stands without renewal. @default 60_000 */
  leaseMs?: number;
  /** Failures of a message alone before it is parked. @default 3 */
  maxAttempts?: number;
  /** Attempts at which a message is parked when a dead process had claimed it. @default 10 */
  maxRecoveries?: number;
  /** Wait after the nth failure in a row, from 1. @default 2 s, 8 s, 32 s, … at most 5 min, ± 20 % */
  backoffMs?: (attempt: number) => number;
  /** Wait after a provider failure that is not retryable and names no time. @default 600_000 */
  pauseMs?: number;
  /** How long `run` waits for handlers after the abort before it gives their batches back. @default 500 */
  abortGraceMs?: number;
  /**
   * False: a turn is also flushed when it overflows. True: whole turns, up to 2,000 messages or 16 MiB. Asked whenever it
   * matters. @default () => false
   */
  waitForTurn?: () => boolean;
  /**
   * Turns per batch. Turns without tool uses are processed together with the turns after them, up to and including the first turn
   * with tool uses. Asked whenever it matters. @default () => 1
   */
  maxTurns?: () => number;
  /** What a thrown error says about its batch. @default errors of storage pause the queue, others count for the message */
  failureOf?: (error: unknown) => QueueFailure;
}

export type QueueSettings = Readonly<Required<QueueOptions>>;

const WHOLE_TURN = { maxCount: 2_000, maxBytes: 16 * 1024 * 1024 };

/** Fills in the defaults and refuses what cannot work. */
export function resolveQueueOptions(options: QueueOptions): QueueSettings {
  const settings: Required<QueueOptions> = {
    concurrency: 4,
    maxCount: 20,
    maxBytes: 256 * 1024,
    idleFlushMs: 5 * 60_000,
    lateFlushMs: 10_000,
    conversationFlushMs: 10 * 60_000,
    leaseMs: 60_000,
    maxAttempts: 3,
    maxRecoveries: 10,
    backoffMs: exponentialBackoffMs,
    pauseMs: 10 * 60_000,
    abortGraceMs: 500,
    waitForTurn: () => false,
    maxTurns: () => 1,
    failureOf: failureOfThrown,
    ...options,
  };
  for (const name of [
    'concurrency',
    'maxCount',
    'maxBytes',
    'leaseMs',
    'maxAttempts',
    'maxRecoveries',
  ] as const)
    if (!(settings[name] >= 1)) throw invalid(name, settings[name], 'at least 1');
  for (const name of [
    'idleFlushMs',
    'lateFlushMs',
    'conversationFlushMs',
    'pauseMs',
    'abortGraceMs',
  ] as const)
    if (!(settings[name] >= 0)) throw invalid(name, settings[name], '0 or more');
  const { backoffMs, waitForTurn, maxCount, maxBytes } = settings;
  return {
    ...settings,
    backoffMs: (attempt) => Math.max(0, backoffMs(attempt) || 0),
    get maxCount() {
      return waitForTurn() ? WHOLE_TURN.maxCount : maxCount;
    },
    get maxBytes() {
      return waitForTurn() ? WHOLE_TURN.maxBytes : maxBytes;
    },
  };
}

function invalid(name: string, value: unknown, expected: string): QueueError {
  return new QueueError(
    'queue/invalid-option',
    `The queue option ${name} must be ${expected}, not ${value}.`,
    {
      data: { name, value },
    },
  );
}

function exponentialBackoffMs(attempt: number): number {
  const base = Math.min(5 * 60_000, 2_000 * 4 ** Math.min(attempt - 1, 10));
  return Math.round(base * (0.8 + Math.random() * 0.4));
}

function failureOfThrown(error: unknown): QueueFailure {
  const isStorage = ClaudeMemError.isInstance(error) && error.code.startsWith('storage/');
  return {
    message: messageOf(error),
    retryable: true,
    scope: isStorage ? 'provider' : 'message',
  };
}
