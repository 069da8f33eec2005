import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { holdReplies } from './hold-replies.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';
import { LONG_LISTS } from './write-memory.js';

describe.skipIf(chromiumPath === null)('search, in a browser', { timeout: 90_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: LONG_LISTS });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const box = () => viewer.page.getByRole('searchbox', { name: 'Search the memory' });
  const hits = () => viewer.page.locator('#search-results:not([data-updating]) > li');
  const titles = () => viewer.page.locator('#search-results [data-record-link]');
  const isFocused = (index: number) =>
    titles()
      .nth(index)
      .evaluate((link) => link === document.activeElement);

  it('shows the newest records without a query, and updates the marked results while the user types', async () => {
    const { page } = viewer;
    await viewer.visit('/search');
    await expect.poll(() => hits().count()).toBe(20);
    expect(await page.locator('#search-results mark').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('retry queu');
    await expect.poll(() => box().inputValue()).toBe('retry queu');
    await expect.poll(() => hits().first().locator('mark').count()).toBeGreaterThan(1);
    // The page first shows results for the first letters.
    await expect
      .poll(async () =>
        (await page.locator('#search-results mark').allTextContents()).filter(
          (word) => !/retr|queu/i.test(word),
        ),
      )
      .toEqual([]);
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('retry queu');
    await viewer.screenshot('search');
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('shows the parts of a score, which add up to the score', async () => {
    await hits().first().getByRole('button', { name: 'Score details' }).click();
    const table = hits().first().getByRole('table');
    await table.getByRole('row', { name: /^Lexical match/ }).waitFor();
    const values = (await table.locator('tbody td').allTextContents()).map(Number);
    const total = Number(await table.locator('tfoot td').textContent());
    expect(Math.abs(values.reduce((sum, value) => sum + value, 0) - total)).toBeLessThan(0.005);
    await viewer.screenshot('search-why', { widths: [360, 1280] });
    expect(await viewer.checkAccessibility('main')).toEqual([]);
  });

  it('supports the keyboard: arrow keys move between box and results, Enter opens a result, back returns', async () => {
    const { page } = viewer;
    await box().focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => isFocused(0)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => isFocused(1)).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => box().evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => isFocused(0)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/observations\/\d+$/);
    await page.goBack();
    await expect.poll(() => box().inputValue()).toBe('retry queu');
    await expect.poll(() => hits().count()).toBe(20);
  });

  it('filters by facets, keeps them in the address, and removes them', async () => {
    const { page } = viewer;
    const side = page.getByRole('complementary', { name: 'Search filters' });
    await side
      .getByRole('group', { name: 'Type' })
      .getByRole('checkbox', { name: /^decision/ })
      .click();
    const types = async () => [
      ...new Set(await page.locator('#search-results [data-type]').allTextContents()),
    ];
    await expect.poll(types).toEqual(['decision']);
    expect(new URL(page.url()).searchParams.getAll('type')).toEqual(['decision']);
    await page.getByRole('button', { name: 'Remove Type decision' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('type')).toBe(false);
    // The page shows the old results until the response arrives.
    await expect.poll(async () => (await types()).length).toBeGreaterThan(1);
  });

  it('adds the next results and moves the focus to the first of them when "Show more" is pressed', async () => {
    const { page } = viewer;
    await expect.poll(() => hits().count()).toBe(20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => hits().count()).toBe(40);
    await expect.poll(() => isFocused(20)).toBe(true);
  });

  it('finds sessions and prompts, and shows a hint when there are no results', async () => {
    const { page } = viewer;
    await page.getByRole('radio', { name: 'Sessions' }).click({ force: true });
    await expect.poll(() => page.locator('#search-results a[href^="/sessions/"]').count()).toBe(20);
    await viewer.screenshot('search-sessions', { widths: [1280] });
    await page.getByRole('radio', { name: 'Prompts' }).click({ force: true });
    await expect.poll(() => page.locator('#search-results [data-kind="prompt"]').count()).toBe(20);
    await box().fill('zzzzzzqqqqq');
    await page.getByText('No prompts found').waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('B173: never shows a late reply when another project was chosen', async () => {
    const { page } = viewer;
    const held = await holdReplies(page, /\/api\/search\?.*project-0/);
    await viewer.visit('/search?q=token');
    await expect.poll(() => hits().count()).toBe(20);
    const projects = page.getByRole('group', { name: 'Project' });
    const choose = async (name: RegExp, isOn: boolean) => {
      await projects.getByRole('checkbox', { name }).click();
      // The URL changes at the click and the page is rendered later. A project that is not selected can disappear from
      // the choices.
      const ticked = projects.getByRole('checkbox', { name, checked: true });
      await expect.poll(() => ticked.count()).toBe(isOn ? 1 : 0);
    };
    await choose(/^project-0/, true);
    await expect.poll(() => held.count()).toBeGreaterThan(0);
    expect(await page.locator('#search-results > li').count()).toBe(0);
    await choose(/^project-1 /, true);
    await choose(/^project-0/, false);
    await expect.poll(() => hits().count()).toBe(20);
    await held.release();
    const shown = await page.locator('#search-results footer a[href^="/projects/"]').allTextContents();
    expect([...new Set(shown)]).toEqual(['project-1']);
    viewer.pageErrors.take();
  });
});
