import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)('usage, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small', env: { CLAUDE_MEM_BUDGET_DAY_USD: '0.01' } });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('draws calls, tokens and cost by day, and shows the same numbers in tables', async () => {
    const { page } = viewer;
    await viewer.visit('/usage');
    for (const name of ['Calls by day', 'Tokens by day', 'Estimated cost by day'])
      await page.getByRole('figure', { name }).locator('svg[role="application"]').first().waitFor();
    const { total } = await viewer.ask<{ total: { inputTokens: number } }>({
      path: `/api/usage?by=total&since=${await firstDay(viewer, 30)}`,
    });
    const inTotals = page.getByText('Input tokens').locator('xpath=following-sibling::dd');
    await expect.poll(() => inTotals.textContent()).toBe(total.inputTokens.toLocaleString('en-GB'));
    const rows = page.getByRole('region', { name: 'By model' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(4);
    await expect.poll(() => rows.nth(1).textContent()).toContain('claude-haiku-4-5');
    const mostExpensive = page.getByRole('region', { name: 'Most expensive sessions' });
    await expect.poll(() => mostExpensive.getByRole('link').count()).toBe(1);
    expect(await overflowWhenNarrow(page)).toBe(0);
    await viewer.screenshot('usage', { isFullPage: true });
  });

  it('switches to 90 days and back', async () => {
    const { page } = viewer;
    const calls = page.getByText(/^Calls in \d+ days$/).locator('xpath=following-sibling::dd');
    const of30 = await calls.textContent();
    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByText('Calls in 90 days').waitFor();
    expect(Number(await calls.textContent())).toBeGreaterThan(Number(of30));
    await page.getByRole('button', { name: '30 days' }).click();
    await page.getByText('Calls in 30 days').waitFor();
    expect(await calls.textContent()).toBe(of30);
  });

  it('shows the remaining budget of today and the time of the next budget', async () => {
    const { page } = viewer;
    const { today } = await viewer.ask<{ today: { usd: { spent: number }; calls: { limit: number } } }>({
      path: '/api/usage?limit=1',
    });
    const cost = page.getByRole('meter', { name: 'Estimated cost' });
    const text = await cost.getAttribute('aria-valuetext');
    expect(text).toMatch(today.usd.spent >= 0.01 ? /used up$/ : /left$/);
    expect(await page.getByRole('meter', { name: 'Calls' }).getAttribute('aria-valuemax')).toBe(
      String(today.calls.limit),
    );
    await page.getByText(/The next day, with a new budget, begins at/).waitFor();
  });
});

async function firstDay(viewer: OpenViewer, days: number): Promise<string> {
  return viewer.page.evaluate((count) => {
    const date = new Date();
    date.setDate(date.getDate() - count + 1);
    return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
  }, days);
}
