import type { Page } from 'playwright-core';

/** Pixels by which the page is wider than a window of 360; 0 when nothing has to be scrolled sideways. */
export async function overflowWhenNarrow(page: Page): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = await page
    .locator('main')
    .evaluate((main) =>
      Math.max(
        main.scrollWidth - main.clientWidth,
        document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    );
  if (before !== null) await page.setViewportSize(before);
  return overflow;
}
