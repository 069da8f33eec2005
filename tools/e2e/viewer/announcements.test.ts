import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

const AWAY = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

describe.skipIf(chromiumPath === null)(
  'headings, focus and announcements in a browser',
  { timeout: 90_000 },
  () => {
    let viewer: OpenViewer;
    beforeAll(async () => {
      viewer = await openViewer({ memory: 'small' });
    }, OPEN_TIMEOUT_MS);
    afterAll(() => viewer[Symbol.asyncDispose]());

    const remember = async (title: string) => {
      const { observation } = await viewer.ask<{ observation: { id: number } }>({
        method: 'POST',
        path: '/api/memory',
        body: { title, project: 'shop' },
      });
      return observation.id;
    };
    const focus = (page: Page) =>
      page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
    const isAt = async (title: string) => {
      await expect.poll(() => focus(viewer.page)).toBe(`H1 ${title}`);
      await expect.poll(() => viewer.page.title()).toBe(`${title} · claude-mem`);
    };

    it('focuses the heading and sets the title after a link, a key and the back button', async () => {
      const { page } = viewer;
      await viewer.visit('/');
      await expect.poll(() => page.title()).toBe('Feed · claude-mem');
      await page.locator('ol article').first().waitFor();
      expect(await focus(page)).toMatch(/^BODY/);
      await page.getByRole('link', { name: 'Usage' }).click();
      await isAt('Usage');
      await Promise.all([page.keyboard.press('g'), page.keyboard.press('i')]);
      await isAt('Files');
      const file = page.getByRole('table').getByRole('link').first();
      const path = (await file.getAttribute('title')) ?? '';
      await file.click();
      await isAt(path.slice(path.lastIndexOf('/') + 1));
      await page.getByRole('link', { name: /^All files/ }).click();
      await isAt('Files');
      await page.goBack();
      await isAt(path.slice(path.lastIndexOf('/') + 1));
      const record = page.locator('main article [data-record-link][href^="/observations/"]').first();
      const title = (await record.textContent()) ?? '';
      await record.click();
      await isAt(title);
      expect(viewer.pageErrors.take()).toEqual([]);
    });

    it('keeps the focus in a text field when typing changes the page', async () => {
      const { page } = viewer;
      await viewer.visit('/usage');
      await page.keyboard.press('/');
      await page.keyboard.type('voucher');
      await page.locator('main article mark').first().waitFor();
      await expect.poll(() => page.title()).toBe('Search · claude-mem');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('search-box');
    });

    it('shows the root when a path has no file name', async () => {
      await viewer.visit('/files?path=%2F');
      await expect.poll(() => viewer.page.locator('h1').textContent()).toBe('/');
    });

    it('announces new records above the list once', async () => {
      const { page } = viewer;
      for (let count = 0; count < 20; count += 1) await remember(`To make the feed long, ${count}`);
      await viewer.visit('/');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.locator('ol article').first().waitFor();
      await page.evaluate(() => document.getElementById('page')?.scrollBy(0, 1_500));
      // The page shows the records in the next frame, which can be late on a busy machine.
      await page.locator('ol[data-top]').waitFor({ state: 'detached' });
      await page.evaluate(() => {
        const announced: string[] = [];
        Object.assign(window, { announced });
        const watcher = new MutationObserver((changes) => {
          for (const { target } of changes) {
            const element = target instanceof Element ? target : target.parentElement;
            const region = element?.closest('[role="status"], [aria-live]');
            if (region && document.getElementById('page')?.contains(region))
              announced.push(region.textContent);
          }
        });
        watcher.observe(document, { subtree: true, childList: true, characterData: true });
      });
      for (const word of ['first', 'second', 'third']) await remember(`Came above, the ${word}`);
      await page.getByRole('button', { name: '3 new' }).waitFor();
      const announced = () => page.evaluate(() => (window as unknown as { announced: string[] }).announced);
      await expect.poll(announced).toEqual(['New records above']);
      await page.getByRole('button', { name: '3 new' }).click();
      await page.locator('ol').getByText('Came above, the third').waitFor();
      expect(await viewer.checkAccessibility('main')).toEqual([]);
    });

    it('removes the undo button when the deletion was undone elsewhere', async () => {
      const { page, pageErrors } = viewer;
      pageErrors.allow(/status of 404/);
      const id = await remember('Forgotten here, undone there');
      await viewer.visit(`/observations/${id}`);
      await page.getByRole('button', { name: 'Forget', exact: true }).click();
      const notice = page.getByText(`Forgot #${id}`);
      await notice.waitFor();
      const { items } = await viewer.ask<{ items: { forgetId: number; finalAtEpoch: number }[] }>({
        path: '/api/memory/forgotten',
      });
      const [item] = items;
      await viewer.ask({ method: 'POST', path: `/api/memory/forget/${item?.forgetId}/undo` });
      // The test continues before the undo period ends.
      await notice.waitFor({ state: 'detached', timeout: (item?.finalAtEpoch ?? 0) - 2_000 - Date.now() });
      await page.getByRole('heading', { level: 1, name: 'Forgotten here, undone there' }).waitFor();
      expect(pageErrors.take()).toEqual([]);
    });

    it('reports in the search that the worker is not running', async () => {
      const { page, pageErrors } = viewer;
      await viewer.visit('/search?q=voucher');
      await page.locator('main article').first().waitFor();
      pageErrors.allow(AWAY);
      await viewer.killWorker();
      await page.locator('main').getByText('The worker does not respond.').waitFor();
      expect(await page.locator('main article').count()).toBeGreaterThan(0);
      await viewer.startWorker();
      await page.locator('main').getByText('The worker does not respond.').waitFor({ state: 'detached' });
    });
  },
);
