import { ClaudeMemError, messageOf } from '@claude-mem/core';
import type { QueueFailure } from './queue.js';
import { QueueError } from './queue-error.js';

export interface QueueOptions {
  /** Number of sessions processed in parallel. @default 4 */
  concurrency?: number;
  /** Messages per batch. @default 20 */
  maxCount?: number;
  /** Payload bytes per batch. A single message may be larger. @default 262_144 */
  maxBytes?: number;
  /** Time without a new message after which a turn without an end is flushed. @default 300_000 */
  idleFlushMs?: number;
  /** The same for messages that arrive after the end of their turn was processed. @default 10_000 */
  lateFlushMs?: number;
  /**
   * Time that turns without tool uses wait for further turns, unless there are `maxTurns` or the session ends. @default
   * 600_000
   */
  conversationFlushMs?: number;
  /** Duration of a claim without renewal. @default 60_000 */
  leaseMs?: number;
  /** Failures of a single message before it is parked. @default 3 */
  maxAttempts?: number;
  /** Number of claims by dead processes after which a message is parked. @default 10 */
  maxRecoveries?: number;
  /** Returns the wait in milliseconds after `attempt` consecutive failures, at least 1. @default 2 s, 8 s, 32 s, … at most 5 min, ± 20 % */
  backoffMs?: (attempt: number) => number;
  /** Pause after a provider failure that is not retryable and contains no time. @default 600_000 */
  pauseMs?: number;
  /** Time that `run` waits for handlers after an abort before it releases their batches. @default 500 */
  abortGraceMs?: number;
  /**
   * When false, a running turn is also flushed when it is full. When true, turns are complete, up to 2,000 messages or
   * 16 MiB. Called for each decision. @default () => false
   */
  waitForTurn?: () => boolean;
  /**
   * Turns per batch. Turns without tool uses are processed together with the turns after them, up to and including the
   * first turn with tool uses. Called for each decision. @default () => 1
   */
  maxTurns?: () => number;
  /**
   * Converts a thrown error to a failure of the batch. By default, storage errors pause the queue, and all others are
   * message failures.
   */
  failureOf?: (error: unknown) => QueueFailure;
}

export type QueueSettings = Readonly<Required<QueueOptions>>;

const COMPLETE_TURN_LIMITS = { maxCount: 2_000, maxBytes: 16 * 1024 * 1024 };

/**
 * Adds the defaults and validates the options.
 * @throws QueueError `queue/invalid-option`
 */
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
    failureOf: toFailure,
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
      return waitForTurn() ? COMPLETE_TURN_LIMITS.maxCount : maxCount;
    },
    get maxBytes() {
      return waitForTurn() ? COMPLETE_TURN_LIMITS.maxBytes : maxBytes;
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

function toFailure(error: unknown): QueueFailure {
  const isStorage = ClaudeMemError.isInstance(error) && error.code.startsWith('storage/');
  return {
    message: messageOf(error),
    retryable: true,
    scope: isStorage ? 'provider' : 'message',
  };
}
