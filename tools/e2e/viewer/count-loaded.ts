import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** What a page loads of the viewer itself. */
export interface Loaded {
  /** Bytes of each part by its path, as gzip packs it. */
  parts: ReadonlyMap<string, number>;
  /** Resolves with the sum of what was answered so far. */
  total(): Promise<number>;
}

/** Counts from now on. The page goes past the browser's cache for all of its life. */
export async function countLoaded(page: Page): Promise<Loaded> {
  const parts = new Map<string, number>();
  const reading: Promise<void>[] = [];
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname !== '/' && !pathname.startsWith('/assets/')) return;
    const read = answer.body().then((body) => void parts.set(pathname, gzipSync(body).length));
    // what fails is told by total(); a page that is closed is asked for none
    read.catch(() => undefined);
    reading.push(read);
  });
  await page.route('**/assets/**', (route) => route.continue());
  return {
    parts,
    async total() {
      await Promise.all(reading);
      return [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
    },
  };
}
