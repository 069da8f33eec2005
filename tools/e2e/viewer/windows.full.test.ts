import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countLoaded } from './count-loaded.js';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

const MAX_BYTES = 150_000;
const HIDDEN_TABS = 7;

describe.skipIf(chromiumPath === null)('windows and tabs of one browser', { timeout: 120_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small', width: 1600 });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const beside = () => viewer.page.getByRole('complementary', { name: 'Selected record' });
  const heading = () => beside().getByRole('heading', { level: 2 });
  const titles = () => viewer.page.locator('article [data-record-link]');

  it('loads less than 150 kB for the first page and loads the other pages on demand', async () => {
    const page = await viewer.context.newPage();
    const loaded = await countLoaded(page);
    await page.goto(`${viewer.origin}/`);
    await page.locator('ol article').first().waitFor();
    await page.waitForLoadState('networkidle');
    const total = await loaded.total();
    const list = [...loaded.parts].map(([name, bytes]) => `${bytes} ${name}`).join('\n');
    expect(loaded.parts.size, list).toBeGreaterThan(3);
    expect(total, list).toBeLessThan(MAX_BYTES);
    const before = loaded.parts.size;
    await page.getByRole('link', { name: 'Usage' }).click();
    await expect.poll(() => loaded.parts.size).toBeGreaterThan(before);
    await loaded.total();
    await page.close();
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it.each(['/?kind=observation', '/search?q=voucher'])(
    'shows the focused or clicked record of %s beside the list when the window is wide',
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
      expect(await viewer.checkAccessibility('main')).toEqual([]);
    },
  );

  it('hides the record beside the list when the window is narrow', async () => {
    await viewer.visit('/');
    await heading().waitFor();
    await viewer.page.setViewportSize({ width: 1280, height: 800 });
    await beside().waitFor({ state: 'detached' });
    await viewer.page.setViewportSize({ width: 1600, height: 800 });
    await heading().waitFor();
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  describe('with eight tabs of the feed', () => {
    const tabs: Page[] = [];
    const remember = (title: string) =>
      viewer.ask({ method: 'POST', path: '/api/memory', body: { title, project: 'shop' } });
    const records = (tab: Page, title: string) => tab.locator('ol').getByText(title);
    const waitForStatus = (tab: Page, status: string) => tab.getByText(status, { exact: true }).waitFor();

    it('opens a stream only in the visible tab and shows missed records when a tab is visible again', async () => {
      const { context, page: visible } = viewer;
      await viewer.visit('/');
      await waitForStatus(visible, 'Live');
      while (tabs.length < HIDDEN_TABS) {
        const tab = await context.newPage();
        await tab.addInitScript(() =>
          Object.defineProperty(document, 'hidden', { get: () => true, configurable: true }),
        );
        await tab.goto(`${viewer.origin}/`);
        await tab.locator('ol article').first().waitFor();
        tabs.push(tab);
      }
      const [first] = tabs;
      if (first === undefined) throw new Error('no tab');
      await remember('Stored while the tab was hidden');
      await records(visible, 'Stored while the tab was hidden').waitFor();
      expect(await records(first, 'Stored while the tab was hidden').count()).toBe(0);
      await setHidden(first, false);
      await records(first, 'Stored while the tab was hidden').waitFor();
      await waitForStatus(first, 'Live');
      const isClosed = first.waitForEvent('requestfailed', (request) => request.url().includes('/stream'));
      await setHidden(first, true);
      await isClosed;
      await remember('Stored while it was hidden again');
      await records(visible, 'Stored while it was hidden again').waitFor();
      expect(await records(first, 'Stored while it was hidden again').count()).toBe(0);
      await setHidden(first, false);
      await records(first, 'Stored while it was hidden again').waitFor();
      const ids = await first.locator('ol > li [data-record-id]').allTextContents();
      expect(new Set(ids).size).toBe(ids.length);
      expect(viewer.pageErrors.take()).toEqual([]);
    });

    it('refreshes tabs without a stream and streams to them when other tabs are closed', async () => {
      for (const tab of tabs) await setHidden(tab, false);
      const last = tabs.at(-1);
      if (last === undefined) throw new Error('no tab');
      await waitForStatus(viewer.page, 'Live');
      await waitForStatus(last, 'Not live');
      await remember('Stored while all were visible');
      await records(viewer.page, 'Stored while all were visible').waitFor();
      await records(last, 'Stored while all were visible').waitFor();

      await viewer.page.goto('about:blank');
      for (const tab of tabs.slice(0, -1)) await tab.close();
      await waitForStatus(last, 'Live');
      await remember('Stored while one was left');
      await records(last, 'Stored while one was left').waitFor();
      await last.close();
      expect(viewer.pageErrors.take()).toEqual([]);
    });
  });
});

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
