import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countLoaded } from './count-loaded.js';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

const MOST_BYTES = 150_000;

describe.skipIf(chromiumPath === null)('the weight of the viewer', { timeout: 120_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('is below 150 kB packed for the first page, and every page brings its own part', async () => {
    const { page } = viewer;
    const loaded = await countLoaded(page);
    await viewer.visit('/');
    await page.waitForTimeout(500); // what is loaded after the first picture
    const total = await loaded.total();
    const list = [...loaded.parts].map(([name, bytes]) => `${bytes} ${name}`).join('\n');
    expect(loaded.parts.size, list).toBeGreaterThan(3);
    expect(total, list).toBeLessThan(MOST_BYTES);
    const before = loaded.parts.size;
    await viewer.visit('/usage');
    await expect.poll(() => loaded.parts.size).toBeGreaterThan(before);
    await loaded.total();
    expect(viewer.troubles.take()).toEqual([]);
  });
});
