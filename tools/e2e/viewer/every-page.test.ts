import { bySize, waitFor } from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';
import { GENERATED_SIZES, LONG_LISTS } from './write-memory.js';

interface Page<Item> {
  items: readonly Item[];
}

const SIZE = GENERATED_SIZES[LONG_LISTS];
const MIDDLE = SIZE / 2;
/** One of the latest sessions. Each session has 14 observations. */
const SESSION = Math.floor(SIZE / 15);

/** Maximum number of rendered rows. About twelve rows are visible. */
const MAX_ROWS = 60;
/** The quick run covers two requests of the list. */
const SCROLLED_SESSIONS = bySize({ quick: 200, full: 1_000 });

/** URLs of all pages, each with a selector that matches when its content is shown. */
const PAGES = [
  ['/', 'ol article'],
  ['/search?q=retry', 'article mark'],
  [`/timeline/${MIDDLE}`, '[data-record-id]'],
  [`/observations/${MIDDLE}`, 'dl'],
  ['/sessions', 'ol a[href^="/sessions/"], ul a[href^="/sessions/"]'],
  [`/sessions/${SESSION}`, 'article'],
  ['/projects', 'a[href^="/projects/"]'],
  ['/projects/1', 'svg[role="application"]'],
  ['/files', 'a[href^="/files?"]'],
  ['/queue', 'h1'],
  ['/usage', '[role="meter"]'],
  ['/context', 'pre'],
  ['/settings', '[data-setting]'],
  ['/logs', 'li'],
  ['/health-check', 'dl'],
] as const;

describe.skipIf(chromiumPath === null)(
  `every page with ${SIZE.toLocaleString('en')} observations, in a browser`,
  { timeout: 90_000 },
  () => {
    let viewer: OpenViewer;
    beforeAll(async () => {
      viewer = await openViewer({ memory: LONG_LISTS });
    }, OPEN_TIMEOUT_MS);
    afterAll(() => viewer[Symbol.asyncDispose]());

    it.each(PAGES)(
      '%s is accessible in both themes and fits a narrow window when its content is shown',
      async (address, content) => {
        const { page } = viewer;
        await viewer.navigate(address);
        await page
          .locator(`main ${content.replaceAll(', ', ', main ')}`)
          .first()
          .waitFor();
        expect(await page.locator('main h1').count()).toBe(1);
        expect(await page.locator('main [role="alert"]').count()).toBe(0);
        expect(await viewer.checkAccessibilityOfThemes()).toEqual([]);
        expect(await overflowWhenNarrow(page)).toBe(0);
        await viewer.screenshot(`every-large${address.replaceAll(/[/?=]/g, '-')}`);
        expect(viewer.pageErrors.take()).toEqual([]);
      },
    );

    it('opens each page and a search result when only the keyboard is used', async () => {
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
        // Both keys are pressed at once, because the first key waits only a limited time for the second.
        await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);
        await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      }
      await page.keyboard.press('/');
      // The text is inserted at once, because typed letters would replace the results while a key selects one.
      await page.keyboard.insertText('retry');
      await page.locator('main article mark').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/observations\/\d+/);
    });

    const entries = () => viewer.page.locator('main ol > li');
    const anchor = () => viewer.page.locator('main li[aria-current="true"]');
    const top = () => anchor().evaluate((element) => element.getBoundingClientRect().top);

    it('centres and marks the anchor when a timeline opens', async () => {
      await viewer.navigate(`/timeline/${MIDDLE}`);
      await expect.poll(() => entries().count()).toBe(31);
      expect(await anchor().locator(`a[href="/observations/${MIDDLE}"]`).count()).toBe(1);
      await expect.poll(async () => Math.abs((await top()) - 325)).toBeLessThan(175);
      expect(await viewer.page.locator('main h2').count()).toBeGreaterThan(0);
      await viewer.screenshot('timeline');
    });

    it('adds later and earlier timeline entries once without a jump when a button is clicked', async () => {
      const { page } = viewer;
      await page.getByRole('button', { name: 'Later' }).click();
      await expect.poll(() => entries().count()).toBe(71);
      await page.locator('#page').evaluate((scroller) => scroller.scrollTo({ top: 0 }));
      const before = await entries()
        .first()
        .evaluate((entry) => entry.getBoundingClientRect().top);
      const firstLink = await entries().first().locator('[data-record-link]').textContent();
      await page.getByRole('button', { name: 'Earlier' }).click();
      await expect.poll(() => entries().count()).toBe(111);
      const after = await entries()
        .nth(40)
        .evaluate((entry) => entry.getBoundingClientRect().top);
      expect(await entries().nth(40).locator('[data-record-link]').textContent()).toBe(firstLink);
      expect(Math.abs(after - before)).toBeLessThan(80);
      const ids = await page.locator('main ol > li header').allTextContents();
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('opens a timeline around a prompt and within one project', async () => {
      const { page } = viewer;
      await viewer.visit('/timeline/P100');
      await expect.poll(() => anchor().textContent()).toContain('P100');
      await viewer.visit(`/timeline/${MIDDLE}?project=project-0`);
      await page.getByText('Show all projects').waitFor();
      await viewer.visit('/timeline/99999999');
      await page.getByText('No records around this time').waitFor();
      expect(viewer.pageErrors.take()).toEqual([]);
    });

    it('keeps only the visible sessions in the page when the list is scrolled to the end', async () => {
      const { page } = viewer;
      await viewer.navigate('/sessions');
      const list = page.getByRole('list', { name: 'Sessions' });
      const entries = list.getByRole('listitem');
      await entries.first().waitFor();
      const main = page.getByRole('main');
      const last = async () => Number(await entries.last().getAttribute('aria-posinset'));
      await waitFor(
        async () => {
          await main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
          expect(await entries.count()).toBeLessThan(MAX_ROWS);
          return (await last()) >= SCROLLED_SESSIONS;
        },
        { what: `session ${SCROLLED_SESSIONS}`, deadlineMs: 60_000 },
      );
      await main.evaluate((element) => element.scrollTo(0, 0));
      await expect.poll(async () => entries.first().getAttribute('aria-posinset')).toBe('1');
    });

    it('draws a year of the largest project and shows the history of its most touched file', async () => {
      const { page } = viewer;
      const { items } = await viewer.ask<Page<{ id: number; observations: number }>>({
        path: '/api/projects',
      });
      const [busiest] = items.toSorted((a, b) => b.observations - a.observations);
      await viewer.navigate(`/projects/${busiest?.id}`);
      await page.getByRole('button', { name: '1 year' }).click();
      await page
        .getByRole('figure', { name: 'Observations by week and type' })
        .getByRole('application')
        .waitFor();
      await viewer.screenshot('large-project', { isFullPage: true });
      await page.getByRole('region', { name: 'Most touched files' }).getByRole('link').first().click();
      await page.getByRole('article').first().waitFor();
      await page.getByRole('list', { name: 'Observations by type' }).waitFor();
      await viewer.screenshot('large-file');
      expect(viewer.pageErrors.take()).toEqual([]);
    });
  },
);
