import type { UsageRow } from '@claude-mem/core';
import { bySize } from '@claude-mem/testing';
import { plausibleReply } from '@claude-mem/testing/observers';
import type { HealthDetail } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { openObserverHarness, type ObserverHarness } from '../testing/open-observer-harness.js';
import { until } from '../testing/start-test-worker.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CAP = 8_000;

const spent = async (harness: ObserverHarness) =>
  ((await harness.worker.ask({ path: '/api/usage?by=total' })).json as { total: UsageRow }).total;

describe('observer budgets', { timeout: 180_000 }, () => {
  it('B062: keeps every request below the limit and covers every event when one session has many large tool uses', async () => {
    await using harness = await openObserverHarness({ answers: [plausibleReply()] });
    const count = bySize({ quick: 100, full: 500 });
    const tools = Array.from({ length: count }, (_, index) => ({
      tool_input: { command: `make part-${index}` },
      tool_response: { stdout: `"part" ${index} \\ of many;\n`.repeat(800) },
    }));
    await harness.turn({ session: 'b062', tools });
    await harness.pass(10 * MINUTE, { stepMs: 5_000 });
    expect(await harness.waiting()).toBe(0);
    const sizes = harness.vendor.requests.map(({ raw }) => raw.length / 4);
    expect(sizes.length).toBeLessThanOrEqual(count * 0.08);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(CAP);
    // requests contain no history: the last one is no larger than the first
    expect(sizes.at(-1)).toBeLessThanOrEqual((sizes[0] ?? 0) * 1.1);
    expect(await harness.outcomes()).toMatchObject({ stored: count + 1 });
    for (let index = 0; index < count; index += 1)
      expect(
        harness.vendor.requests.filter(({ prompt }) => new RegExp(`make part-${index}\\b`).test(prompt)),
      ).toHaveLength(1);
  });

  it('keeps the bytes of every request below a small limit', async () => {
    await using harness = await openObserverHarness({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_REQUEST_MAX_TOKENS: 1_900 },
    });
    const tools = Array.from({ length: 20 }, () => ({
      tool_response: { stdout: '"\\"\n\t'.repeat(3_000) },
    }));
    await harness.turn({
      session: 'cap',
      tools,
      prompt: '"\n'.repeat(4_000),
      closing: '\\"\n'.repeat(4_000),
    });
    await harness.pass(MINUTE);
    const sizes = harness.vendor.requests.map(({ raw }) => raw.length / 4);
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_900);
  });

  it('B064: stops at the daily call limit, reports the limit, and continues on the next day when turns are pending', async () => {
    const calls = bySize({ quick: 5, full: 50 });
    const rounds = bySize({ quick: 6, full: 50 });
    // Each turn has two messages: the tool use and the end.
    const turns = rounds * bySize({ quick: 4, full: 20 });
    await using harness = await openObserverHarness({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_BUDGET_DAY_CALLS: calls },
    });
    const sessions = Array.from({ length: turns / rounds }, (_, at) => `b064-${at}`);
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(sessions.map((session) => harness.turn({ session })));
    await harness.pass(10 * MINUTE, { stepMs: 10_000 });
    expect(harness.vendor.requests).toHaveLength(calls);
    await harness.pass(6 * HOUR, { stepMs: 5 * MINUTE });
    expect(harness.vendor.requests).toHaveLength(calls);
    const health = await harness.worker.health();
    expect(health).toMatchObject({ status: 'degraded', queue: { pending: 2 * (turns - calls), parked: 0 } });
    expect(health.notices).toEqual([
      `The observer claude is paused until 2026-01-06 00:00, events stay in the queue: The budget of ${calls} calls a day is used up (CLAUDE_MEM_BUDGET_DAY_CALLS).`,
    ]);
    const detail = (await harness.worker.ask({ path: '/api/health' })).json as HealthDetail;
    expect(detail.problems).toMatchObject([{ code: 'budget-used-up', severity: 'warning', link: 'usage' }]);
    expect(await harness.sessionStart()).toContain(`The budget of ${calls} calls a day is used up`);
    expect(await spent(harness)).toMatchObject({ calls, failedCalls: 0 });
    await harness.pass(9 * HOUR, { stepMs: 5 * MINUTE });
    expect(harness.vendor.requests).toHaveLength(2 * calls);
    expect((await harness.worker.health()).queue).toMatchObject({ pending: 2 * (turns - 2 * calls) });
  });

  it('applies a raised limit immediately, and uses the local provider when it is the fallback', async () => {
    await using harness = await openObserverHarness({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_BUDGET_DAY_CALLS: 1 },
    });
    for (const session of ['one', 'two', 'three']) await harness.turn({ session });
    await harness.pass(2 * MINUTE);
    expect(harness.vendor.requests).toHaveLength(1);
    await harness.change({ CLAUDE_MEM_BUDGET_DAY_CALLS: 2 });
    await harness.pass(2 * MINUTE);
    expect(harness.vendor.requests).toHaveLength(2);
    expect(await harness.waiting()).toBe(2);
    await harness.change({ CLAUDE_MEM_PROVIDER_FALLBACK: 'local' });
    await harness.pass(2 * MINUTE);
    expect(harness.vendor.requests).toHaveLength(2);
    expect(await harness.waiting()).toBe(0);
  });

  it('finishes running calls when the budget sends the next turn to the local provider', async () => {
    const reply = plausibleReply();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await using harness = await openObserverHarness({
      answers: [(request) => asked.then(() => reply(request))],
      settings: { CLAUDE_MEM_BUDGET_DAY_CALLS: 2, CLAUDE_MEM_PROVIDER_FALLBACK: 'local' },
    });
    for (const session of ['one', 'two']) await harness.turn({ session });
    await harness.clock.advance(1_000);
    await until(() => harness.vendor.inFlight() === 2);
    await harness.turn({ session: 'three' });
    await harness.clock.advance(1_000);
    // Each turn has two messages: the tool use and the end.
    await until(async () => {
      const { queue } = await harness.worker.health();
      return queue?.pending === 0 && queue.processing === 4;
    });
    answer();
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(2);
    expect(await spent(harness)).toMatchObject({ calls: 2, failedCalls: 0 });
    expect(await harness.observations()).toHaveLength(2);
    expect(await harness.waiting()).toBe(0);
  });

  it('pauses only the session that has used its tokens', async () => {
    await using harness = await openObserverHarness({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_BUDGET_SESSION_TOKENS: 1_000 },
    });
    await harness.turn({ session: 'greedy' });
    await harness.turn({ session: 'greedy' });
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(1);
    await harness.turn({ session: 'other' });
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(2);
    const { status, notices, queue } = await harness.worker.health();
    expect({ status, pending: queue?.pending }).toEqual({ status: 'degraded', pending: 2 });
    expect(notices).toEqual([expect.stringContaining('CLAUDE_MEM_BUDGET_SESSION_TOKENS')]);
    await harness.change({ CLAUDE_MEM_BUDGET_SESSION_TOKENS: 0 });
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(3);
    expect(await harness.worker.health()).toMatchObject({ status: 'ok', notices: [] });
  });

  it('uses the free fallback when a session has used its tokens', async () => {
    await using harness = await openObserverHarness({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_BUDGET_SESSION_TOKENS: 1_000, CLAUDE_MEM_PROVIDER_FALLBACK: 'local' },
    });
    await harness.turn({ session: 'greedy' });
    await harness.turn({ session: 'greedy' });
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(1);
    expect(await harness.waiting()).toBe(0);
  });

  it('counts the tokens that the vendor reports, and no tokens for refused calls', async () => {
    const usage = { inputTokens: 700, outputTokens: 90, cachedTokens: 500 };
    const answers = [
      { kind: 'error', status: 529, errorKind: 'overloaded' } as const,
      { ...plausibleReply()({ instructions: '', prompt: '<summary>' }), usage },
    ];
    await using harness = await openObserverHarness({ answers: [() => answers.shift() ?? { kind: 'hang' }] });
    await harness.turn({ session: 'meter' });
    await harness.pass(MINUTE);
    expect(await spent(harness)).toMatchObject({ calls: 1, failedCalls: 1, ...usage });
  });

  it('reduces a request that is too long for the vendor, and counts each attempt', async () => {
    const reply = plausibleReply();
    let limit = 1_700;
    await using harness = await openObserverHarness({
      answers: [
        (asked) =>
          (asked.instructions.length + asked.prompt.length) / 4 > limit
            ? { kind: 'error', status: 413, errorKind: 'too-long' }
            : reply(asked),
      ],
    });
    const tools = Array.from({ length: 12 }, (_, index) => ({
      tool_response: { stdout: `line ${index} of the output\n`.repeat(400) },
    }));
    await harness.turn({ session: 'long', tools });
    await harness.pass(MINUTE);
    expect(await harness.waiting()).toBe(0);
    const sizes = harness.vendor.requests.map(({ raw }) => raw.length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.at(-1)).toBeLessThan((sizes[0] ?? 0) * 0.75);
    expect(await spent(harness)).toMatchObject({ calls: 1, failedCalls: sizes.length - 1 });
    limit = 0;
    await harness.turn({ session: 'never', tools: [] });
    await harness.end('never');
    await harness.pass(5 * MINUTE, { stepMs: 5_000 });
    expect((await harness.worker.health()).queue).toMatchObject({ pending: 0, parked: 1 });
  });

  it('sends no request when a turn contains no work', async () => {
    await using harness = await openObserverHarness({ answers: [plausibleReply()] });
    const look = { tool_name: 'Read', tool_input: { file_path: '/x' } };
    await harness.turn({ session: 'idle', prompt: 'go on', tools: [look, look], closing: 'Nothing to do.' });
    await harness.pass(MINUTE);
    expect(await harness.waiting()).toBe(0);
    expect(harness.vendor.requests).toHaveLength(0);
    expect(await harness.outcomes()).toMatchObject({ evidence: 2, empty: 1, stored: 0 });
    await harness.turn({ session: 'idle', tools: [look, look] });
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(1);
  });

  it('summarizes a turn when its work was sent before its end and the closing message is short', async () => {
    await using harness = await openObserverHarness({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_BATCH_MAX_SIZE: 4 },
    });
    await harness.turn({ session: 'full', prompt: 'go on', tools: [{}, {}, {}, {}], closing: null });
    await harness.pass(10_000);
    expect(harness.vendor.requests).toHaveLength(1);
    await harness.worker.hook('Stop', { session_id: 'full', last_assistant_message: 'Done.' });
    await harness.pass(10_000);
    expect(harness.vendor.requests).toHaveLength(2);
    expect(await harness.summaries()).toHaveLength(1);
  });

  it('counts only work toward the batch size, not evidence', async () => {
    await using harness = await openObserverHarness({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_BATCH_MAX_SIZE: 4 },
    });
    const look = { tool_name: 'Read', tool_input: { file_path: '/x' } };
    await harness.turn({ session: 'evidence', tools: [look, look, look, {}, look, look, {}, look] });
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(1);
  });

  it('includes thinking in the estimate when the usage of a call is unknown', async () => {
    await using harness = await openObserverHarness({
      answers: [() => ({ kind: 'reset' })],
      settings: { CLAUDE_MEM_CLAUDE_MODEL: 'claude-opus-5-5' },
    });
    await harness.turn({ session: 'thoughts' });
    await harness.pass(MINUTE);
    const { calls, outputTokens } = await spent(harness);
    expect(outputTokens / calls).toBe(5_000);
  });

  it('counts no cost for a server in the local network when the usage of a call is unknown', async () => {
    await using harness = await openObserverHarness({
      observers: ['openai-compatible'],
      answers: [() => ({ kind: 'reset' })],
    });
    await harness.turn({ session: 'own' });
    await harness.pass(MINUTE);
    const total = await spent(harness);
    expect(total.inputTokens).toBeGreaterThan(0);
    expect(total.estimatedCostUsd).toBe(0);
  });
});
