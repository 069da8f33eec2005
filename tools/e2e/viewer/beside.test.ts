import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)(
  'a record beside its list, in a wide window',
  { timeout: 120_000 },
  () => {
    let viewer: OpenViewer;
    beforeAll(async () => {
      viewer = await openViewer({ memory: 'small', width: 1600 });
    }, OPEN_TIMEOUT_MS);
    afterAll(() => viewer[Symbol.asyncDispose]());

    const beside = () => viewer.page.getByRole('complementary', { name: 'The whole record' });
    const heading = () => beside().getByRole('heading', { level: 2 });
    const titles = () => viewer.page.locator('article [data-record-link]');

    it.each(['/?kind=observation', '/search?q=voucher'])(
      '%s: what has focus or was clicked',
      async (address) => {
        const { page } = viewer;
        await viewer.visit(address);
        await heading()
          .filter({ hasText: (await titles().first().textContent()) ?? '' })
          .waitFor();
        const second = (await titles().nth(1).textContent()) ?? '';
        await page
          .locator('article')
          .nth(1)
          .locator('header')
          .click({ position: { x: 120, y: 8 } });
        await heading().filter({ hasText: second }).waitFor();
        await page.keyboard.press('k');
        await heading().filter({ hasText: second }).waitFor({ state: 'detached' });
        expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
        expect(await viewer.checkAccessibility()).toEqual([]);
      },
    );

    it('is not there where it has no room', async () => {
      await viewer.visit('/');
      await heading().waitFor();
      await viewer.page.setViewportSize({ width: 1280, height: 800 });
      await beside().waitFor({ state: 'detached' });
      await viewer.page.setViewportSize({ width: 1600, height: 800 });
      await heading().waitFor();
      expect(viewer.troubles.take()).toEqual([]);
    });
  },
);
