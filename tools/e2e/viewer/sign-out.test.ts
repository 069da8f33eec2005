import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)('signing out, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('says what it does, and nothing is done by closing that', async () => {
    const { page } = viewer;
    await viewer.visit('/');
    await page.getByRole('button', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign this browser out?' });
    await dialog.waitFor();
    expect(await viewer.checkAccessibility()).toEqual([]);
    await viewer.screenshot('sign-out', { widths: [360, 1280] });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(async () => (await fetch('/api/stats')).status)).toBe(200);
    expect(viewer.troubles.take()).toEqual([]);
  });

  it('takes all tabs of this browser to the page that says how to come back, and no other browser', async () => {
    const { page, context, origin, troubles } = viewer;
    const other = await context.newPage();
    await other.goto(`${origin}/sessions`);
    await other.locator('h1', { hasText: 'Sessions' }).waitFor();
    const copies = await context.cookies();
    expect(copies).toHaveLength(1);
    troubles.allow(/status of 401/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, other]) {
      await tab.locator('h1', { hasText: 'This browser is not signed in' }).waitFor();
      expect(await tab.locator('script').count()).toBe(0);
    }
    expect(await context.cookies()).toEqual([]);
    await other.close();
    const [copy] = copies;
    const { status } = await fetch(`${origin}/api/stats`, {
      headers: { cookie: `${copy?.name}=${copy?.value}` },
    });
    expect(status).toBe(200);
    await page.goto(await viewer.signInAddress());
    await page.locator('main h1').first().waitFor();
    expect(troubles.take()).toEqual([]);
  });
});
