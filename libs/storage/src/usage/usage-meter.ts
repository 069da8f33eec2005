import {
  localDayOf,
  nextLocalDayEpoch,
  type CallUsage,
  type Store,
  type UsageDecision,
  type UsageLimit,
} from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import { storableOrNull, storableText } from '../records/storable.js';
import { boundedUsage } from './bounded-usage.js';

/** Records the cost of calls. The caller holds the transaction. */
export interface UsageMeter {
  reserve(request: Parameters<Store['reserveUsage']>[0]): UsageDecision;
  /**
   * Ends a running call. A call that has ended stays unchanged. `usage` null: records the estimate. `isAnswered`:
   * counts as a call whatever it cost; otherwise a call without cost counts as refused.
   */
  settle(call: {
    callId: number;
    usage: CallUsage | null;
    isAnswered: boolean;
    /** The model that answered, if the call named none. */
    model?: string | null;
  }): void;
  /** Ends all running calls at their estimate. Returns their number. */
  recover(): number;
}

/**
 * Milliseconds until a budget that only running calls have reached is checked again, because they seldom cost the
 * full reservation.
 */
const RECHECK_MS = 30_000;

interface CallRow extends CallUsage {
  id: number;
  day: string;
  sessionId: number;
  provider: string;
  model: string;
}

interface Sums {
  calls: number;
  tokens: number;
  usd: number;
}

const USAGE_COLUMNS = `input_tokens AS inputTokens, output_tokens AS outputTokens, cached_tokens AS cachedTokens,
  estimated_cost_usd AS estimatedCostUsd`;
const SUMS = `coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(estimated_cost_usd), 0) AS usd`;

export function createUsageMeter(database: Database): UsageMeter {
  const bookedOfDay = database.prepare(
    `SELECT coalesce(sum(calls), 0) AS calls, ${SUMS} FROM usage WHERE day = ?`,
  );
  const openOfDay = database.prepare(`SELECT count(*) AS calls, ${SUMS} FROM usage_calls WHERE day = ?`);
  const bookedOfSession = database
    .prepare('SELECT cumulative_input_tokens + cumulative_output_tokens FROM sdk_sessions WHERE id = ?')
    .pluck();
  const openOfSession = database.prepare(
    `SELECT count(*) AS calls, ${SUMS} FROM usage_calls WHERE session_id = ?`,
  );
  const open = database.prepare(`
    INSERT INTO usage_calls (day, session_id, provider, model, input_tokens, output_tokens, cached_tokens,
      estimated_cost_usd, started_at_epoch)
    VALUES (:day, :sessionId, :provider, :model, :inputTokens, :outputTokens, :cachedTokens, :estimatedCostUsd, :now)`);
  const take = (where: string) =>
    database.prepare(
      `DELETE FROM usage_calls ${where} RETURNING id, day, session_id AS sessionId, provider, model, ${USAGE_COLUMNS}`,
    );
  const takeOne = take('WHERE id = ?');
  const takeAll = take('');
  const addToDay = database.prepare(`
    INSERT INTO usage (day, provider, model, session_id, calls, failed_calls, input_tokens, output_tokens, cached_tokens,
      estimated_cost_usd)
    VALUES (:day, :provider, :model, :sessionId, :calls, :failedCalls, :inputTokens, :outputTokens, :cachedTokens,
      :estimatedCostUsd)
    ON CONFLICT (day, provider, model, session_id) DO UPDATE SET calls = calls + excluded.calls,
      failed_calls = failed_calls + excluded.failed_calls, input_tokens = input_tokens + excluded.input_tokens,
      output_tokens = output_tokens + excluded.output_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
      estimated_cost_usd = estimated_cost_usd + excluded.estimated_cost_usd`);
  const addToSession = database.prepare(`
    UPDATE sdk_sessions SET cumulative_input_tokens = cumulative_input_tokens + :inputTokens,
      cumulative_output_tokens = cumulative_output_tokens + :outputTokens WHERE id = :sessionId`);

  const book = (call: CallRow, usage: CallUsage, isAnswered: boolean) => {
    const { day, sessionId, provider, model } = call;
    addToDay.run({
      ...usage,
      day,
      sessionId,
      provider,
      model,
      calls: isAnswered ? 1 : 0,
      failedCalls: isAnswered ? 0 : 1,
    });
    const { inputTokens, outputTokens } = usage;
    if (inputTokens + outputTokens > 0) addToSession.run({ sessionId, inputTokens, outputTokens });
  };

  return {
    reserve({ sessionId, provider, model, estimate, limits, now }) {
      const day = localDayOf(now);
      const booked = bookedOfDay.get(day) as Sums;
      const inFlight = openOfDay.get(day) as Sums;
      const ofSession = (bookedOfSession.get(sessionId) as number | undefined) ?? 0;
      const inFlightOfSession = openOfSession.get(sessionId) as Sums;
      const meters: [limit: UsageLimit, booked: number, inFlight: number, freeAtEpoch: number | null][] = [
        ['sessionTokens', ofSession, inFlightOfSession.tokens, null],
        ['dayCalls', booked.calls, inFlight.calls, nextLocalDayEpoch(now)],
        ['dayTokens', booked.tokens, inFlight.tokens, nextLocalDayEpoch(now)],
        ['dayUsd', booked.usd, inFlight.usd, nextLocalDayEpoch(now)],
      ];
      for (const [limit, finalSpent, reserved, freeAtEpoch] of meters) {
        const allowed = limits[limit];
        const spent = finalSpent + reserved;
        if (!(allowed > 0) || spent < allowed) continue;
        const isExhausted = finalSpent >= allowed;
        return {
          kind: 'over',
          limit,
          spent,
          allowed,
          freeAtEpoch: isExhausted ? freeAtEpoch : now + RECHECK_MS,
        };
      }
      const { lastInsertRowid } = open.run({
        ...boundedUsage(estimate),
        day,
        sessionId,
        provider: storableText(provider, TEXT_LIMITS.model),
        model: modelName(model),
        now: Math.trunc(now),
      });
      return { kind: 'reserved', callId: Number(lastInsertRowid) };
    },

    settle({ callId, usage, isAnswered, model = null }) {
      const call = takeOne.get(callId) as CallRow | undefined;
      if (!call) return;
      const booked = usage === null ? call : boundedUsage(usage, call);
      book(
        { ...call, model: call.model || modelName(model) },
        booked,
        isAnswered || usage === null || isCharged(booked),
      );
    },

    recover() {
      const calls = takeAll.all() as CallRow[];
      for (const call of calls) book(call, call, true);
      return calls.length;
    },
  };
}

const modelName = (model: string | null) => storableOrNull(model, TEXT_LIMITS.model) ?? '';

const isCharged = ({ inputTokens, outputTokens, estimatedCostUsd }: CallUsage) =>
  inputTokens + outputTokens > 0 || estimatedCostUsd > 0;
