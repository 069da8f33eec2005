import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

/** Addresses and what stands on the page once its answers are there. */
const PAGES = [
  ['/', 'ol article'],
  ['/search?q=retry', 'article mark'],
  ['/timeline/50000', '[data-record-id]'],
  ['/observations/50000', 'dl'],
  ['/sessions', 'ol a[href^="/sessions/"], ul a[href^="/sessions/"]'],
  ['/sessions/7000', 'article'],
  ['/projects', 'a[href^="/projects/"]'],
  ['/projects/1', 'svg.recharts-surface'],
  ['/files', 'a[href^="/files?"]'],
  ['/queue', 'h1'],
  ['/usage', '[role="meter"]'],
  ['/context', 'pre'],
  ['/settings', '[data-setting]'],
  ['/logs', 'li'],
  ['/health-check', 'dl'],
] as const;

describe.skipIf(chromiumPath === null)(
  'every page over 100,000 records, in a browser',
  { timeout: 90_000 },
  () => {
    let viewer: OpenViewer;
    beforeAll(async () => {
      viewer = await openViewer({ memory: 'large' });
    }, OPEN_TIMEOUT_MS);
    afterAll(() => viewer[Symbol.asyncDispose]());

    it.each(PAGES)('%s is drawn, reads well and fits a narrow window', async (address, content) => {
      const { page } = viewer;
      await viewer.visit(address);
      await page
        .locator(`main ${content.replaceAll(', ', ', main ')}`)
        .first()
        .waitFor();
      expect(await page.locator('main h1').count()).toBe(1);
      expect(await page.locator('main [role="alert"]').count()).toBe(0);
      expect(await viewer.checkAccessibility()).toEqual([]);
      expect(await overflowWhenNarrow(page)).toBe(0);
      await viewer.screenshot(`every-large${address.replaceAll(/[/?=]/g, '-')}`);
      expect(viewer.troubles.take()).toEqual([]);
    });

    it('is gone through with the keyboard alone: to each page by its keys, to its first link by Tab', async () => {
      const { page } = viewer;
      await viewer.visit('/');
      for (const [key, title] of [
        ['e', 'Sessions'],
        ['p', 'Projects'],
        ['i', 'Files'],
        ['q', 'Queue'],
        ['u', 'Usage'],
        ['c', 'Context'],
        ['t', 'Settings'],
        ['l', 'Logs'],
        ['h', 'Health'],
        ['f', 'Feed'],
      ] as const) {
        // the second within the time that the first waits for it, however late the page takes the first
        await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);
        await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      }
      await page.keyboard.press('/');
      // all at once: a hit of a part of it would go while one is at it
      await page.keyboard.insertText('retry');
      await page.locator('main article mark').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/observations\/\d+/);
    });
  },
);
