import { claudePayloads } from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)(
  'sessions, files and projects of an empty memory, in a browser',
  { timeout: 60_000 },
  () => {
    let viewer: OpenViewer;
    beforeAll(async () => {
      viewer = await openViewer({ memory: 'empty' });
    }, OPEN_TIMEOUT_MS);
    afterAll(() => viewer[Symbol.asyncDispose]());

    it.each([
      ['sessions', 'No sessions yet'],
      ['files', 'No files yet'],
      ['projects', 'No projects yet'],
    ])('%s say what to do', async (name, title) => {
      await viewer.visit(`/${name}`);
      await viewer.page.getByText(title).waitFor();
      expect(await viewer.checkAccessibility()).toEqual([]);
      await viewer.screenshot(`${name}-empty`, { widths: [1280] });
    });

    it('lists what begins while one looks, also after the worker was gone', async () => {
      const { page, hook, home, troubles } = viewer;
      const titles = () => page.getByRole('list', { name: 'Sessions' }).getByRole('link').allTextContents();
      const begin = async (text: string) => {
        const payloads = claudePayloads({ cwd: home.project });
        await hook('UserPromptSubmit', payloads.prompt(text));
      };
      await viewer.visit('/sessions');
      await page.getByText('No sessions yet').waitFor();
      await begin('The first one.');
      await expect.poll(titles).toEqual(['The first one.']);
      troubles.allow(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
      await viewer.killWorker();
      await viewer.startWorker();
      await begin('The second one.');
      await expect.poll(titles, { timeout: 30_000 }).toEqual(['The second one.', 'The first one.']);
    });
  },
);
