import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { HOSTILE } from './hostile-texts.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

const DAY_MS = 86_400_000;

describe.skipIf(chromiumPath === null)('projects, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
    const types = ['bugfix', 'feature', 'change', 'decision'];
    const records = Array.from({ length: 120 }, (_, index) => ({
      uid: `spread-${index}`,
      project: '/clients/acme/shop',
      type: types[index % types.length],
      title: `Learned ${index}`,
      files_modified: [`src/part-${index % 7}.ts`],
      created_at: new Date(Date.now() - (index % 60) * DAY_MS).toISOString(),
    }));
    await viewer.ask({ method: 'POST', path: '/api/import', body: records });
    await viewer.ask({ method: 'PATCH', path: '/api/observations/1', body: { pinned: true } });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const open = async (name: string) => {
    await viewer.visit('/projects');
    await viewer.page.getByRole('link', { name, exact: true }).click();
    await viewer.page.getByRole('heading', { name, level: 1 }).waitFor();
  };

  it('lists projects with their counts in the selected order, and explains parent folders in names', async () => {
    const { page } = viewer;
    await viewer.visit('/projects');
    const rows = page.getByRole('table', { name: 'Projects' }).getByRole('rowheader');
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByText('the parent folders are shown').waitFor();
    await page.getByRole('button', { name: 'Observations' }).click();
    await expect.poll(() => rows.first().innerText()).toBe('shop (acme)\n/clients/acme/shop');
    await page.getByRole('img', { name: /^60 observations in the last 30 days$/ }).waitFor();
    await page.getByRole('button', { name: 'Project', exact: true }).press('Enter');
    await page
      .getByRole('columnheader', { name: 'Project', exact: true })
      .and(page.locator('[aria-sort="ascending"]'))
      .waitFor();
    await viewer.screenshot('projects');
  });

  it('draws the activity by day and type for the selected range, and shows the same numbers as a table', async () => {
    const { page } = viewer;
    await open('shop (acme)');
    const plot = page.getByRole('figure', { name: 'Observations by day and type' });
    await plot.getByRole('application').waitFor();
    const legend = plot.getByRole('list', { name: 'Legend' });
    const sums = async () =>
      (await legend.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    await expect.poll(sums).toEqual(['bugfix 30', 'feature 30', 'decision 30', 'change 30']);
    await page.getByRole('button', { name: '30 days' }).click();
    await expect.poll(sums).toEqual(['bugfix 16', 'feature 16', 'decision 14', 'change 14']);
    await plot.getByText('As a table').click();
    const table = plot.getByRole('table');
    await expect
      .poll(() => table.getByRole('columnheader').allTextContents())
      .toEqual(['Day', 'bugfix', 'feature', 'decision', 'change']);
    await expect.poll(() => table.getByRole('row').count()).toBe(31);
    await page.getByRole('button', { name: '1 year' }).click();
    await page.getByRole('figure', { name: 'Observations by week and type' }).waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await page.getByRole('button', { name: '90 days' }).click();
    await viewer.screenshot('project', { isFullPage: true });
  });

  it('shows the numbers of a day when the keyboard selects the day', async () => {
    const { page } = viewer;
    await open('shop (acme)');
    await page.getByRole('application').focus();
    await page.keyboard.press('ArrowRight');
    const shown = page.getByRole('figure').getByRole('status');
    const first = await shown.innerText();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shown.innerText()).not.toBe(first);
  });

  it('shows open steps, most used files, pinned records and latest sessions as links', async () => {
    const { page } = viewer;
    await open('shop');
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Open next steps')
      .getByText('Show a used voucher in the history of orders.', { exact: false })
      .waitFor();
    await expect
      .poll(() => part('Most touched files').getByRole('link').first().getAttribute('title'))
      .toBe('src/checkout/basket.ts');
    await part('Latest sessions')
      .getByRole('link', { name: 'Add a voucher field to the checkout.' })
      .waitFor();
    await part('Pinned').getByRole('link', { name: 'Evening orders were missing because' }).waitFor();
    const elsewhere = page.getByRole('navigation', { name: 'This project elsewhere' });
    expect(await elsewhere.getByRole('link', { name: 'Feed' }).getAttribute('href')).toBe('/?project=shop');
    expect(await elsewhere.getByRole('link', { name: 'Context' }).getAttribute('href')).toBe(
      '/context?cwd=%2Frepos%2Fshop',
    );
    await part('Open next steps').getByRole('link').first().click();
    await page.getByRole('region', { name: 'Turn 1' }).waitFor();
  });

  it('deletes a project only after its name is typed, and restores the project', async () => {
    const { page } = viewer;
    await open('shop (acme)');
    await page.getByRole('button', { name: 'Forget project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('120 observations, 0 summaries and 0 prompts').waitFor();
    const forget = dialog.getByRole('button', { name: 'Forget the project' });
    expect(await forget.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('shop');
    expect(await forget.isDisabled()).toBe(true);
    expect(await viewer.checkAccessibility('[role="dialog"]')).toEqual([]);
    await dialog.getByRole('textbox').fill('shop (acme)');
    await dialog.getByRole('textbox').press('Enter');
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    const row = page.getByRole('row').filter({ hasText: '/clients/acme/shop' });
    await expect
      .poll(() =>
        row.count().then((count) => (count === 0 ? '0' : row.getByRole('cell').first().innerText())),
      )
      .toBe('0');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => row.getByRole('cell').first().innerText()).toBe('120');
  });

  it('shows hostile names as text', async () => {
    await open(HOSTILE.project);
    expect(await viewer.page.locator('main script, main img').count()).toBe(0);
    expect(viewer.pageErrors.take()).toEqual([]);
  });
});
