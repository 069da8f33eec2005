import { createScriptedProvider } from '@claude-mem/agent-providers/testing';
import { localDayOf, type UsageReport } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { playTurn } from '../testing/play-turn.js';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

const USAGE = { inputTokens: 3_000, outputTokens: 500, cachedTokens: 1_000, estimatedCostUsd: 0.02 };
const XML = '<observation><type>change</type><title>The limit is 2</title></observation>';

const paidProvider = () =>
  createScriptedProvider([], {
    model: 'small-1',
    otherwise: {
      reply: { kind: 'text', text: XML, usage: USAGE, model: 'small-1', isTruncated: false },
    },
  });

const usage = async (worker: TestWorker, query = '') =>
  (await worker.ask({ path: `/api/usage${query}` })).json as UsageReport;

describe('GET /api/usage', { timeout: 60_000 }, () => {
  it('returns the usage and the remaining budget in one response', async () => {
    await using worker = await startTestWorker({
      settings: { CLAUDE_MEM_BUDGET_DAY_USD: 1, CLAUDE_MEM_BUDGET_SESSION_TOKENS: 90_000 },
      providers: { local: async () => paidProvider() },
    });
    for (const session of ['a', 'b']) await playTurn(worker, session);
    await worker.drained();
    const { items, total, today, note } = await usage(worker);
    expect(items).toEqual([total].map((row) => ({ ...row, day: localDayOf(Date.now()) })));
    expect(total).toMatchObject({ calls: 2, failedCalls: 0, inputTokens: 6_000, estimatedCostUsd: 0.04 });
    expect(today).toMatchObject({
      calls: { spent: 2, limit: 500, left: 498 },
      tokens: { spent: 7_000, limit: 2_000_000, left: 1_993_000 },
      usd: { spent: 0.04, limit: 1, left: 0.96 },
      sessionTokens: 90_000,
    });
    expect(note).toContain('estimate');
    expect((await usage(worker, '?by=session')).items.map(({ sessionId }) => sessionId).sort()).toEqual([
      1, 2,
    ]);
    expect((await usage(worker, '?by=session&sessionId=2')).total.calls).toBe(1);
    expect((await usage(worker, '?by=provider')).items).toMatchObject([
      { provider: 'scripted', model: 'small-1' },
    ]);
    expect((await usage(worker, '?by=day-model')).items).toEqual([
      { ...total, day: localDayOf(Date.now()), provider: 'scripted', model: 'small-1' },
    ]);
    expect((await usage(worker, '?by=day&since=2999-01-01')).items).toEqual([]);
  });

  it('rejects invalid groups, dates and limits', async () => {
    await using worker = await startTestWorker();
    for (const query of ['?by=hour', '?since=today', '?limit=501', '?sessionId=0'])
      expect(await worker.ask({ path: `/api/usage${query}` }), query).toMatchObject({
        status: 400,
        json: { error: { code: 'worker/bad-request' } },
      });
  });

  it('B064: stops at the daily call limit, keeps pending events, reports the reason, and continues the next day', async () => {
    const clock = createFixedClock(new Date(2026, 10, 28, 12).getTime());
    const provider = paidProvider();
    await using worker = await startTestWorker({
      clock,
      settings: { CLAUDE_MEM_BUDGET_DAY_CALLS: 3, CLAUDE_MEM_CONTEXT_NOTICE: false },
      providers: { local: async () => provider },
    });
    for (const session of ['a', 'b', 'c', 'd', 'e']) await playTurn(worker, session);
    const seconds = async (count: number) => {
      for (let second = 0; second < count; second += 1) {
        await clock.advance(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await until(async () => {
      await seconds(1);
      return (await worker.health()).notices.some((notice) => notice.includes('3 calls a day'));
    });
    await seconds(600);
    expect(provider.requests).toHaveLength(3);
    expect((await worker.health()).queue).toMatchObject({ pending: 4, parked: 0 });
    expect((await usage(worker)).today.calls).toEqual({ spent: 3, limit: 3, left: 0 });
    const start = async (session_id: string) =>
      (await worker.hook('SessionStart', { session_id, cwd: worker.home.project, source: 'startup' })).json;
    expect(await start('f')).toMatchObject({
      systemMessage: expect.stringMatching(/^claude-mem: [^\n]*3 calls a day[^\n]*$/),
    });
    expect(await start('f')).not.toHaveProperty('systemMessage');

    await clock.advance(12 * 3_600_000);
    await until(async () => {
      await seconds(1);
      return (await worker.health()).queue?.pending === 0;
    });
    expect(provider.requests).toHaveLength(5);
    expect(await start('g')).not.toHaveProperty('systemMessage');
  });
});
