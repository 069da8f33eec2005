import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    const { page, context } = viewer;
    const bodies = new Map<string, number>();
    const reading: Promise<void>[] = [];
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url());
      if (pathname !== '/' && !pathname.startsWith('/assets/')) return;
      reading.push(answer.body().then((body) => void bodies.set(pathname, gzipSync(body).length)));
    });
    await context.route('**/assets/**', (route) => route.continue()); // past the browser's cache
    await viewer.visit('/');
    await page.waitForTimeout(500); // what is loaded after the first picture
    await Promise.all(reading);
    const total = [...bodies.values()].reduce((sum, bytes) => sum + bytes, 0);
    const list = [...bodies].map(([name, bytes]) => `${bytes} ${name}`).join('\n');
    expect(bodies.size, list).toBeGreaterThan(3);
    expect(total, list).toBeLessThan(MOST_BYTES);
    const before = bodies.size;
    await viewer.visit('/usage');
    await Promise.all(reading);
    expect(bodies.size).toBeGreaterThan(before);
    expect(viewer.troubles.take()).toEqual([]);
  });
});
