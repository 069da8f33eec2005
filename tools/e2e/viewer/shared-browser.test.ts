import { describe, expect, it } from 'vitest';
import environment from '../end-of-tests.js';
import { chromiumPath } from './find-chromium.js';
import { OPEN_TIMEOUT_MS } from './open-viewer.js';
import { acquireBrowser } from './shared-browser.js';

describe.skipIf(chromiumPath === null)('the shared test browser', { timeout: OPEN_TIMEOUT_MS }, () => {
  it('is reused by the next test without open pages', async () => {
    const first = await acquireBrowser();
    const second = await acquireBrowser();
    await (await first.browser.newContext()).newPage();
    await first[Symbol.asyncDispose]();
    expect(second.browser.contexts()).toHaveLength(1);
    await second[Symbol.asyncDispose]();
    await using third = await acquireBrowser();
    expect(third.browser).toBe(first.browser);
    expect(third.browser.contexts()).toEqual([]);
  });

  it('disables every feature that Playwright disables, and opens a window without other pages', async () => {
    await using held = await acquireBrowser();
    const debug = await held.browser.newBrowserCDPSession();
    const { commandLine } = await debug.send('SystemInfo.getInfo');
    const [ofPlaywright = [], inUse] = [...commandLine.matchAll(/--disable-features=(\S+)/g)].map(
      ([, names = '']) => names.split(','),
    );
    expect(inUse).toEqual(expect.arrayContaining(ofPlaywright));
    await (await held.browser.newContext()).newPage();
    const { targetInfos } = await debug.send('Target.getTargets', { filter: [{}] });
    expect(targetInfos.map(({ url }) => url).filter((url) => url.startsWith('chrome:'))).toEqual([]);
  });

  it('is replaced after a crash, and the test that used it ends without an error', async () => {
    const first = await acquireBrowser();
    const context = await first.browser.newContext();
    const gone = new Promise((resolve) => first.browser.once('disconnected', resolve));
    const debug = await first.browser.newBrowserCDPSession();
    debug.send('Browser.crash').catch(() => undefined);
    await gone;
    await using second = await acquireBrowser();
    expect(await (await second.browser.newContext()).newPage()).toBeDefined();
    await context.close();
    await first[Symbol.asyncDispose]();
  });
});

it('closes browsers at the end of the test process in reverse order', async () => {
  const ended: string[] = [];
  const global: { [key: symbol]: AsyncDisposable[] } = {};
  const { teardown } = await environment.setup(global, {});
  const [atEnd = []] = Object.getOwnPropertySymbols(global).map((key) => global[key]);
  for (const name of ['first', 'second'])
    atEnd.push({ [Symbol.asyncDispose]: async () => void ended.push(name) });
  await teardown(global);
  expect(ended).toEqual(['second', 'first']);
});
