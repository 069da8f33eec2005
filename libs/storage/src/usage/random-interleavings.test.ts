import { localDayOf, type CallUsage, type UsageLimits } from '@claude-mem/core';
import { bySize, randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { createTestFolder } from '../__fixtures__/open-test-storage.js';
import { reply } from '../__fixtures__/replies.js';
import { openStorage } from '../index.js';

interface Call {
  day: string;
  sessionId: number;
  usage: CallUsage;
}

const LIMITS: UsageLimits = { dayCalls: 9, dayTokens: 5_000, dayUsd: 6, sessionTokens: 9_000 };
const MOST = { tokens: 1_000, usd: 1 };
const DAY_MS = 24 * 3_600_000;
const NOTHING: CallUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimatedCostUsd: 0 };

const tokensOf = (calls: readonly Call[]) =>
  calls.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
const costOf = (calls: readonly Call[]) => calls.reduce((sum, { usage }) => sum + usage.estimatedCostUsd, 0);

async function playRound(seed: number) {
  const random = randomFrom(seed);
  const total = (most: number) => Math.floor(random() * (most + 1));
  using place = createTestFolder();
  let storage = await openStorage(place);
  const [{ sessionId: firstSession } = { sessionId: 0 }] = await storage.store.capture(
    ['a', 'b', 'c'].map((session) => createEvents(session).prompt('go')),
  );
  const open = new Map<number, Call>();
  const ended: number[] = [];
  const booked: Call[] = [];
  let now = Date.UTC(2026, 0, 1, 12);

  /** Returns a usage of at most the estimate, in steps without rounding errors. */
  const atMost = (most: CallUsage): CallUsage => ({
    inputTokens: total(most.inputTokens),
    outputTokens: total(most.outputTokens),
    cachedTokens: 0,
    estimatedCostUsd: total(most.estimatedCostUsd * 16) / 16,
  });
  const isOver = (sessionId: number) => {
    const all = [...booked, ...open.values()];
    const today = all.filter(({ day }) => day === localDayOf(now));
    return (
      tokensOf(all.filter((call) => call.sessionId === sessionId)) >= LIMITS.sessionTokens ||
      today.length >= LIMITS.dayCalls ||
      tokensOf(today) >= LIMITS.dayTokens ||
      costOf(today) >= LIMITS.dayUsd
    );
  };

  const reserve = async () => {
    const sessionId = firstSession + total(2);
    const estimate = atMost({
      inputTokens: 800,
      outputTokens: MOST.tokens - 800,
      cachedTokens: 0,
      estimatedCostUsd: MOST.usd,
    });
    const wasOver = isOver(sessionId);
    const request = { sessionId, provider: `p${total(1)}`, model: null, estimate, limits: LIMITS, now };
    const decision = await storage.store.reserveUsage(request);
    expect({ seed, kind: decision.kind }).toEqual({ seed, kind: wasOver ? 'over' : 'reserved' });
    if (decision.kind === 'reserved')
      open.set(decision.callId, { day: localDayOf(now), sessionId, usage: estimate });
  };

  const end = async () => {
    const [callId, call] = [...open][total(Math.max(0, open.size - 1))] ?? [];
    if (callId === undefined || call === undefined) return;
    const how = random();
    if (how < 0.2) {
      await storage.store.settleUsage({ callId, usage: null, now });
      booked.push(call);
    } else if (how < 0.4) {
      await storage.store.settleUsage({ callId, usage: NOTHING, now });
    } else {
      const usage = atMost(call.usage);
      const request = reply(call.sessionId, { usage: { callId, ...usage }, now });
      await storage.store.commitReply(request);
      if (random() < 0.3) await storage.store.commitReply(request);
      booked.push({ ...call, usage });
    }
    open.delete(callId);
    ended.push(callId);
  };

  const endAgain = async () => {
    const callId = ended[total(Math.max(0, ended.length - 1))];
    if (callId !== undefined) await storage.store.settleUsage({ callId, usage: null, now });
  };

  const crash = async () => {
    await storage.close();
    storage = await openStorage(place);
    expect(await storage.store.recoverUsage()).toBe(open.size);
    booked.push(...open.values());
    ended.push(...open.keys());
    open.clear();
  };

  for (let step = 0; step < 70; step += 1) {
    const choice = random();
    if (choice < 0.5) await reserve();
    else if (choice < 0.85) await end();
    else if (choice < 0.9) await endAgain();
    else if (choice < 0.95) await crash();
    else now += total(DAY_MS);
  }
  await crash();

  const days = await storage.store.usage({ by: 'day' });
  const sessions = await storage.store.usage({ by: 'session' });
  await storage.close();
  return { booked, days, sessions };
}

it('B064: exceeds a limit by at most one call and counts every call once for random sequences of events', async () => {
  const seeds = bySize({ quick: 4, full: 12 });
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { booked, days, sessions } = await playRound(seed);
    const expected = (calls: readonly Call[]) => ({
      calls: calls.length,
      tokens: tokensOf(calls),
      cost: costOf(calls),
    });
    for (const { day, calls, inputTokens, outputTokens, estimatedCostUsd } of days) {
      const tokens = inputTokens + outputTokens;
      expect({ seed, calls, tokens, cost: estimatedCostUsd }).toEqual({
        seed,
        ...expected(booked.filter((call) => call.day === day)),
      });
      expect(calls).toBeLessThanOrEqual(LIMITS.dayCalls);
      expect(tokens).toBeLessThan(LIMITS.dayTokens + MOST.tokens);
      expect(estimatedCostUsd).toBeLessThan(LIMITS.dayUsd + MOST.usd);
    }
    for (const { sessionId, inputTokens, outputTokens } of sessions) {
      const tokens = inputTokens + outputTokens;
      expect({ seed, tokens }).toEqual({
        seed,
        tokens: tokensOf(booked.filter((call) => call.sessionId === sessionId)),
      });
      expect(tokens).toBeLessThan(LIMITS.sessionTokens + MOST.tokens);
    }
    expect(days.reduce((sum, { calls }) => sum + calls, 0)).toBe(booked.length);
  }
}, 60_000);
