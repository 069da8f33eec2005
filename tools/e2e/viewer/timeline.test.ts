import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)('the timeline in a browser', { timeout: 90_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'large' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const entries = () => viewer.page.locator('main ol > li');
  const anchor = () => viewer.page.locator('main li[aria-current="true"]');
  const top = () => anchor().evaluate((element) => element.getBoundingClientRect().top);

  it('has the anchor in the middle, marked, by day, and what came before above it', async () => {
    await viewer.visit('/timeline/50000');
    await expect.poll(() => entries().count()).toBe(31);
    expect(await anchor().locator('a[href="/observations/50000"]').count()).toBe(1);
    await expect.poll(async () => Math.abs((await top()) - 325)).toBeLessThan(175);
    expect(await viewer.page.locator('main h2').count()).toBeGreaterThan(0);
    await viewer.screenshot('timeline');
    expect(await viewer.checkAccessibility()).toEqual([]);
  });

  it('goes on in both directions without a jump and without doubles', async () => {
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

  it('is laid around a prompt, a day, and in one project', async () => {
    const { page } = viewer;
    await viewer.visit('/timeline/P100');
    await expect.poll(() => anchor().textContent()).toContain('P100');
    await viewer.visit('/timeline/50000?project=project-0');
    await page.getByText('Show all projects').waitFor();
    await viewer.visit('/timeline/99999999');
    await page.getByText('Nothing is recorded around it').waitFor();
    expect(viewer.troubles.take()).toEqual([]);
  });
});
