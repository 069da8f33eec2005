import { existsSync } from 'node:fs';
import { localDayOf, type UsageReport } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, spend, type TestHome } from '../testing/run-inside.js';

let home: TestHome;
beforeEach(() => (home = createTestHome()));
afterEach(() => home[Symbol.dispose]());

const NOW = Date.now();
const DAY = 86_400_000;
const call = (at: number, part: object = {}) => ({
  session: 's-1',
  provider: 'claude',
  model: 'claude-haiku-5-5',
  at,
  usage: { inputTokens: 40_000, outputTokens: 5_000, cachedTokens: 30_000, estimatedCostUsd: 0.0421 },
  ...part,
});

describe('claude-mem usage without a worker', () => {
  it('shows calls, tokens, cost and the remaining budget of today', async () => {
    await spend(home.dataDir, [call(NOW), call(NOW), call(NOW - 3 * DAY, { session: 's-2' })]);
    const { exit, stdout, stderr } = await home.run(['usage']);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      'day         calls  failed    input  cached  output  est. cost',
      `${localDayOf(NOW)}      2       0   80,000  60,000  10,000    $0.0842`,
      `${localDayOf(NOW - 3 * DAY)}      1       0   40,000  30,000   5,000    $0.0421`,
      'total           3       0  120,000  90,000  15,000    $0.1263',
      '',
      'Today: 2 of 500 calls (498 left), 90,000 of 2,000,000 tokens (1,910,000 left), about $0.0842.',
    ]);
    expect(stdout).toMatch(/The next day, with a new budget, begins \d{4}-\d\d-\d\d 00:00\.\n.*an estimate/);
  });

  it('groups by session and by observer with its model', async () => {
    await spend(home.dataDir, [
      call(NOW),
      call(NOW, { session: 's-2', provider: 'openai-compatible', model: null }),
    ]);
    expect((await home.run(['usage', '--by', 'session'])).stdout).toMatch(
      /^session .*\n#\d .*\n#\d .*\ntotal /,
    );
    const { stdout } = await home.run(['usage', '--by', 'provider']);
    expect(stdout).toMatch(/^claude, claude-haiku-5-5 +1 /m);
    expect(stdout).toMatch(/^openai-compatible +1 /m);
  });

  it('limits the rows and the total to the days of --since', async () => {
    await spend(
      home.dataDir,
      [0, 1, 6, 7].map((days) => call(new Date(NOW).setHours(12) - days * DAY)),
    );
    const since = async (when: string) => {
      const { stdout } = await home.run(['usage', '--json', '--since', when]);
      const { items, total } = JSON.parse(stdout) as UsageReport;
      expect(total.calls).toBe(items.length);
      return items.length;
    };
    expect(await since('1d')).toBe(1);
    expect(await since('7d')).toBe(3);
    expect(await since(localDayOf(NOW - 7 * DAY))).toBe(4);
  });

  it('explains why there are no calls', async () => {
    expect(await home.run(['usage'])).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(
        /^No calls yet: the observer is "local".*costs nothing\.\nToday: 0 of 500/,
      ),
    });
    home.env['CLAUDE_MEM_PROVIDER'] = 'gemini';
    expect((await home.run(['usage', '--since', '7d'])).stdout).toMatch(
      /^No calls since \d{4}-\d\d-\d\d: the observer "gemini" has made no calls/,
    );
    expect(existsSync(home.dataDir)).toBe(false);
  });

  it('shows only limits that are set', async () => {
    home.env['CLAUDE_MEM_BUDGET_DAY_CALLS'] = '0';
    home.env['CLAUDE_MEM_BUDGET_DAY_USD'] = '0.05';
    home.env['CLAUDE_MEM_BUDGET_SESSION_TOKENS'] = '60000';
    await spend(home.dataDir, [call(NOW)]);
    const { stdout } = await home.run(['usage']);
    expect(stdout).toContain(
      'Today: 1 call, 45,000 of 2,000,000 tokens (1,955,000 left), about $0.0421 of $0.05 ($0.0079 left).',
    );
    expect(stdout).toContain('Limit per session: 60,000 tokens.');
  });

  it.each([
    [['--by', 'month'], /--by is one of day, session, provider/],
    [['--since', 'yesterday'], /--since needs a day/],
    [['--since', '2026-02-30'], /--since needs a day/],
    [['--since', '0d'], /--since needs a day/],
    [['--limit', '0'], /--limit needs/],
  ])('rejects %j', async (args, message) => {
    expect(await home.run(['usage', ...args])).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(message),
    });
  });
});
