import { waitFor } from '@claude-mem/testing';
import type { Page } from 'playwright-core';

/** Returns the overflow in pixels at a window width of 360 pixels. 0 means that no horizontal scrolling is needed. */
export async function overflowWhenNarrow(page: Page): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  // Elements that adapt to their container, such as charts, are resized a few frames later.
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
