import { claudePayloads } from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleSession } from '../../sample/sample-session.mjs';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

const INSTALL = /\/bin\/claude-mem install --host claude-code/;

describe.skipIf(chromiumPath === null)('an empty memory, in a browser', { timeout: 120_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'empty' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it.each([
    ['/', 'The memory is empty', INSTALL],
    ['/search?q=retry', 'The memory is empty', INSTALL],
    ['/sessions', 'No sessions yet', INSTALL],
    ['/files', 'No files yet', null],
    ['/projects', 'No projects yet', INSTALL],
    ['/usage', 'No cost', /no model, no key, no tokens/],
    ['/queue', /nothing|empty|no /i, null],
  ] as const)('explains on %s what to do next when nothing is stored', async (address, title, advice) => {
    const main = viewer.page.locator('main');
    await viewer.navigate(address);
    await main.getByText(title).first().waitFor();
    if (advice !== null) await main.getByText(advice).first().waitFor();
    if (advice === INSTALL) await main.getByText(`${viewer.home.dataDir}/bin/claude-mem`).first().waitFor();
    expect(await viewer.checkAccessibility()).toEqual([]);
    expect(await overflowWhenNarrow(viewer.page)).toBe(0);
    await viewer.screenshot(`empty${address.replace(/\W+/g, '-')}`, { widths: [360, 1280] });
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('shows the first record in the feed when it arrives', async () => {
    const { page } = viewer;
    await viewer.visit('/');
    await page.getByText('The memory is empty').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const payloads = claudePayloads({ cwd: viewer.home.project });
    await viewer.hook('UserPromptSubmit', payloads.prompt('Add a parser.'));
    await page.locator('ol > li').first().getByText('Add a parser.').waitFor();
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('lists new sessions when they start, also after the worker was killed', async () => {
    const { page, hook, home, pageErrors } = viewer;
    const titles = () => page.getByRole('list', { name: 'Sessions' }).getByRole('link').allTextContents();
    const begin = async (text: string) => {
      const payloads = claudePayloads({ cwd: home.project });
      await hook('UserPromptSubmit', payloads.prompt(text));
    };
    await viewer.visit('/sessions');
    await expect.poll(titles).toEqual(['Add a parser.']);
    await begin('The second one.');
    await expect.poll(titles).toEqual(['The second one.', 'Add a parser.']);
    pageErrors.allow(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
    await viewer.killWorker();
    await viewer.startWorker();
    await begin('The third one.');
    await expect.poll(titles).toEqual(['The third one.', 'The second one.', 'Add a parser.']);
  });

  it('shows the sample session of npm start on every page', async () => {
    const { page } = viewer;
    await viewer.visit('/');
    for (const { event, payload } of sampleSession(viewer.home.project)) await viewer.hook(event, payload);
    await viewer.drained();
    await page
      .getByText(/startOfDay/)
      .first()
      .waitFor();
    const { items } = await viewer.ask<{ items: { id: number; sessionId: number; projectId: number }[] }>({
      path: '/api/observations',
    });
    expect(items.length).toBeGreaterThan(2);
    const { id = 0, sessionId = 0, projectId = 0 } = items[0] ?? {};
    for (const [address, text] of [
      ['/search?query=report', /month/i],
      [`/observations/${id}`, /UTC/],
      [`/timeline/${id}`, /UTC/],
      ['/sessions', /demo/],
      [`/sessions/${sessionId}`, /Orders placed in the evening/],
      ['/files', /filter-by-day/],
      ['/projects', /demo/],
      [`/projects/${projectId}`, /monthly/],
      ['/usage', /local|calls|nothing/i],
      ['/context', /demo/],
      ['/settings', /Set by the environment/],
      ['/logs', /Worker ready/],
      ['/health-check', /Running, |No problems/],
    ] as const) {
      await viewer.navigate(address);
      await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
      await viewer.screenshot(`sample${address.replace(/\W+/g, '-')}`, { widths: [1280] });
    }
    expect(viewer.pageErrors.take()).toEqual([]);
  });
});
