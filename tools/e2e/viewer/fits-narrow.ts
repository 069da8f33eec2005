import { waitFor } from '@claude-mem/testing';
import type { Page } from 'playwright-core';

/** Pixels by which the page is wider than a window of 360; 0 when nothing has to be scrolled sideways. */
export async function overflowWhenNarrow(page: Page): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  // what follows the width of its place, such as a plot, does so some frames later
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const overflow = () =>
    page
      .locator('main')
      .evaluate((main) =>
        Math.max(
          main.scrollWidth - main.clientWidth,
          document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      );
  await waitFor(async () => (await overflow()) <= 0, { what: 'it to fit' }).catch(() => undefined);
  const left = await overflow();
  if (before !== null) await page.setViewportSize(before);
  return left;
}
