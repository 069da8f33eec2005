import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS } from './open-viewer.js';

const TABS = 8;

describe.skipIf(chromiumPath === null)('tabs of one browser', { timeout: OPEN_TIMEOUT_MS }, () => {
  it('are all served while in view: those without a stream say so, read anew, and have one when others are closed', async () => {
    await using viewer = await openViewer({ memory: 'small' });
    const remember = (title: string) =>
      viewer.ask({ method: 'POST', path: '/api/memory', body: { title, project: 'shop' } });
    const hears = (tab: Page, title: string) => tab.locator('ol').getByText(title).waitFor();
    const says = (tab: Page, words: string) => tab.getByText(words, { exact: true }).waitFor();

    const tabs = [viewer.page];
    while (tabs.length < TABS) tabs.push(await viewer.context.newPage());
    for (const tab of tabs) {
      await tab.goto(`${viewer.origin}/`);
      await tab.locator('ol article').first().waitFor();
    }
    const [first, last] = [tabs.at(0), tabs.at(-1)];
    if (first === undefined || last === undefined) throw new Error('no tab');
    await says(first, 'Live');
    await says(last, 'Not live');
    await remember('Came while all were in view');
    await hears(first, 'Came while all were in view');
    await hears(last, 'Came while all were in view');

    for (const tab of tabs.slice(0, -1)) await tab.close();
    await says(last, 'Live');
    await remember('Came while one was left');
    await hears(last, 'Came while one was left');
    expect(viewer.troubles.take()).toEqual([]);
  });
});
