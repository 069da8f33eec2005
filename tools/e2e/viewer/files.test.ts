import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { HOSTILE } from './hostile-texts.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

/** Paths with characters that a URL must escape, and paths of the maximum length. */
const ODD_PATHS = [
  'src/a name with spaces.ts',
  'src/100%.ts',
  'src/#1?x=2&y=3.ts',
  'src/größe/日本語.ts',
  'src/a,b;c.ts',
  `src/${'long-folder-name/'.repeat(58)}end.ts`,
  `src/${'長い名前'.repeat(248)}.ts`,
];

describe.skipIf(chromiumPath === null)('files, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
    const records = [
      ...ODD_PATHS.map((file, index) => ({
        uid: `odd-${index}`,
        project: '/repos/odd',
        title: `Learned of odd file ${index}`,
        files_modified: [file],
      })),
      { uid: 'same', project: '/repos/docs-site', title: 'Time is kept in UTC', files_read: ['src/time.ts'] },
    ];
    await viewer.ask({ method: 'POST', path: '/api/import', body: records });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('lists the most used files, finds files by a part of the path, and separates projects', async () => {
    const { page } = viewer;
    await viewer.visit('/files');
    const table = page.getByRole('table', { name: 'Files' });
    await table.getByRole('row').filter({ hasText: 'src/checkout/basket.ts' }).waitFor();
    await expect.poll(() => table.getByRole('row').filter({ hasText: 'src/time.ts' }).count()).toBe(2);
    await viewer.screenshot('files');
    await page.getByLabel('Part of a path').fill('VOUCHER');
    const found = async () =>
      (await table.getByRole('rowheader').getByRole('link').allTextContents()).toSorted();
    await expect.poll(found).toEqual(['api/vouchers.ts', 'src/checkout/voucher-field.tsx']);
    await page.getByLabel('Part of a path').fill('no such file');
    await page.getByText('No matching files').waitFor();
    await page.getByLabel('Part of a path').fill('');
    await page.getByLabel('Project', { exact: true }).selectOption('docs-site');
    await expect.poll(() => table.getByRole('row').filter({ hasText: 'src/time.ts' }).count()).toBe(1);
  });

  it('shows the history of a file, newest first, and other projects with the same path', async () => {
    const { page } = viewer;
    await viewer.visit('/files?path=src%2Fcheckout%2Fbasket.ts&project=shop');
    await page.getByRole('heading', { name: 'Prices are whole cents everywhere' }).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
    const types = page.getByRole('list', { name: 'Observations by type' });
    await expect
      .poll(async () =>
        (await types.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      )
      .toEqual(expect.arrayContaining(['feature 1', 'refactor 1']));
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('file', { isFullPage: true });
    await viewer.visit('/files?path=src%2Ftime.ts&project=shop');
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await page.getByText('Also in').getByRole('link', { name: 'docs-site' }).click();
    await page.getByRole('heading', { name: 'Time is kept in UTC' }).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
  });

  it('finds every file whose path ends with the text', async () => {
    const { page } = viewer;
    await viewer.visit('/files');
    await page.getByLabel('Part of a path').fill('time.ts');
    await page.getByLabel('Part of a path').press('Enter');
    await page.getByRole('heading', { name: 'time.ts', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(2);
    await page.getByText('Several projects have this path').waitFor();
  });

  it.each(ODD_PATHS.map((path, index) => ({ name: path.slice(0, 40), path, index })))(
    'follows links to $name',
    async ({ path, index }) => {
      const { page } = viewer;
      await viewer.navigate('/files?path=&project=odd');
      await page.getByTitle(path, { exact: true }).click();
      await page.getByRole('heading', { name: `Learned of odd file ${index}` }).waitFor();
      await expect.poll(() => page.getByRole('article').count()).toBe(1);
      expect(new URL(page.url()).searchParams.get('path')).toBe(path);
      await page.reload();
      await page.getByRole('heading', { name: `Learned of odd file ${index}` }).waitFor();
      const { scroll, seen } = await page
        .getByRole('main')
        .evaluate((main) => ({ scroll: main.scrollWidth, seen: main.clientWidth }));
      expect(scroll).toBe(seen);
    },
  );

  it('shows hostile paths as text', async () => {
    const { page } = viewer;
    await viewer.visit('/files');
    await page.getByTitle(HOSTILE.file, { exact: true }).click();
    await page.getByRole('heading', { name: HOSTILE.title }).first().waitFor();
    expect(await page.locator('main script, main img, main iframe').count()).toBe(0);
    expect(viewer.pageErrors.take()).toEqual([]);
  });
});
