import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleSession } from '../../sample/sample-session.mjs';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)('a newcomer', { timeout: 120_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'empty' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('is told on every page what to do next while there is nothing', async () => {
    for (const [address, advice] of [
      ['/', /install|session/i],
      ['/sessions', /install|session/i],
      ['/projects', /install|session/i],
      ['/queue', /nothing|empty|no /i],
    ] as const) {
      await viewer.visit(address);
      await viewer.page.locator('main').getByText(advice).first().waitFor();
    }
    expect(await viewer.checkAccessibility()).toEqual([]);
    expect(viewer.troubles.take()).toEqual([]);
  });

  it('is told so by the search too, with a command that works as it stands', async () => {
    await viewer.visit('/search?q=retry');
    await viewer.page.getByText('The memory is empty').waitFor();
    const command = `${viewer.home.dataDir}/bin/claude-mem`;
    for (const address of ['/search?q=retry', '/', '/sessions', '/projects']) {
      await viewer.visit(address);
      await viewer.page.locator('main').getByText(`${command} install --host claude-code`).waitFor();
      expect(await overflowWhenNarrow(viewer.page)).toBe(0);
    }
    expect(await viewer.checkAccessibility()).toEqual([]);
  });

  it('sees the sample session of npm start arrive, and something worth seeing on every page', async () => {
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
      ['/health-check', /It works|Everything works/],
    ] as const) {
      await viewer.visit(address);
      await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
      await viewer.screenshot(`newcomer${address.replace(/\W+/g, '-')}`, { widths: [1280] });
    }
    expect(viewer.troubles.take()).toEqual([]);
  });
});
