import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)(
  'search in a browser, at 100,000 observations',
  { timeout: 90_000 },
  () => {
    let viewer: OpenViewer;
    beforeAll(async () => {
      viewer = await openViewer({ memory: 'large' });
    }, OPEN_TIMEOUT_MS);
    afterAll(() => viewer[Symbol.asyncDispose]());

    const box = () => viewer.page.getByRole('searchbox', { name: 'Search the memory' });
    const hits = () => viewer.page.locator('#search-results > li');

    it('shows the newest without words, and answers as one types', async () => {
      const { page } = viewer;
      await viewer.visit('/search');
      await expect.poll(() => hits().count()).toBe(20);
      await page.keyboard.press('/');
      await page.keyboard.type('retry queue', { delay: 60 });
      await expect.poll(() => page.locator('#search-results mark').count()).toBeGreaterThan(5);
      await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('retry queue');
      expect(await box().inputValue()).toBe('retry queue');
      await viewer.screenshot('search');
      expect(viewer.troubles.take()).toEqual([]);
    });

    it('explains a score by parts that add up to it', async () => {
      const { page } = viewer;
      const why = hits().first().getByRole('button', { name: 'Why this' });
      await why.click();
      const table = hits().first().getByRole('table');
      await table.waitFor();
      const values = (await table.locator('tbody td').allTextContents()).map(Number);
      const total = Number(await table.locator('tfoot td').textContent());
      expect(values.length).toBeGreaterThan(0);
      expect(Math.abs(values.reduce((sum, value) => sum + value, 0) - total)).toBeLessThan(0.005);
      await viewer.screenshot('search-why', { widths: [360, 1280] });
      expect(await page.getByRole('row', { name: /^Its words/ }).count()).toBe(1);
    });

    it('has no fault that axe finds', async () => {
      expect(await viewer.checkAccessibility()).toEqual([]);
    });
  },
);
