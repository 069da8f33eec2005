import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '@claude-mem/testing';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

interface Page<Item> {
  items: readonly Item[];
}

/** Rows in sight and around; the window shows about twelve. */
const MOST_ROWS = 60;

describe.skipIf(chromiumPath === null)(
  'sessions, files and projects of a large memory, in a browser',
  { timeout: 120_000 },
  () => {
    let viewer: OpenViewer;
    beforeAll(async () => {
      viewer = await openViewer({ memory: 'large' });
    }, OPEN_TIMEOUT_MS);
    afterAll(() => viewer[Symbol.asyncDispose]());

    it('keeps only the sessions in sight in the page, however far one scrolls', async () => {
      const { page } = viewer;
      await viewer.visit('/sessions');
      const list = page.getByRole('list', { name: 'Sessions' });
      const entries = list.getByRole('listitem');
      await entries.first().waitFor();
      const main = page.getByRole('main');
      const last = async () => Number(await entries.last().getAttribute('aria-posinset'));
      await waitFor(
        async () => {
          await main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
          expect(await entries.count()).toBeLessThan(MOST_ROWS);
          return (await last()) >= 1_000;
        },
        { what: 'the thousandth session', deadlineMs: 60_000 },
      );
      await main.evaluate((element) => element.scrollTo(0, 0));
      await expect.poll(async () => entries.first().getAttribute('aria-posinset')).toBe('1');
    });

    it.each([
      ['sessions', '/sessions', 'list', 'Sessions'],
      ['files', '/files', 'table', 'Files'],
      ['projects', '/projects', 'table', 'Projects'],
    ] as const)('shows the %s', async (name, address, role, label) => {
      const { page } = viewer;
      await viewer.visit(address);
      await page.getByRole(role, { name: label }).waitFor();
      await viewer.screenshot(`large-${name}`);
    });

    it('draws a year of a project, and shows the history of the file that is touched most', async () => {
      const { page } = viewer;
      const { items } = await viewer.ask<Page<{ id: number; observations: number }>>({
        path: '/api/projects',
      });
      const [busiest] = items.toSorted((a, b) => b.observations - a.observations);
      await viewer.visit(`/projects/${busiest?.id}`);
      await page.getByRole('button', { name: '1 year' }).click();
      await page
        .getByRole('figure', { name: 'Observations by week and type' })
        .getByRole('application')
        .waitFor();
      await viewer.screenshot('large-project', { isWhole: true });
      await page.getByRole('region', { name: 'Most touched files' }).getByRole('link').first().click();
      await page.getByRole('article').first().waitFor();
      await page.getByRole('list', { name: 'Observations by type' }).waitFor();
      await viewer.screenshot('large-file');
      expect(viewer.troubles.take()).toEqual([]);
    });
  },
);
