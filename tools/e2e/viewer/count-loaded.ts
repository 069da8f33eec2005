import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** Files of the viewer that a page has loaded. */
export interface Loaded {
  /** Compressed size in bytes (gzip) of each file, by path. */
  parts: ReadonlyMap<string, number>;
  /** Resolves with the sum of the sizes so far. */
  total(): Promise<number>;
}

/** Starts to count. Intercepting the requests disables the HTTP cache of the page until the page is closed. */
export async function countLoaded(page: Page): Promise<Loaded> {
  const parts = new Map<string, number>();
  const reading: Promise<void>[] = [];
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname !== '/' && !pathname.startsWith('/assets/')) return;
    const read = answer.body().then((body) => void parts.set(pathname, gzipSync(body).length));
    // Errors are reported by total(). No test calls it after the page was closed.
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
