import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)('signing in, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small', isSignedIn: false });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('shows nothing but what to do to a browser that is not signed in', async () => {
    const { page, origin, troubles } = viewer;
    troubles.allow(/status of 401/);
    for (const address of ['/', '/sessions/1']) {
      const answer = await page.goto(`${origin}${address}`);
      expect(answer?.status()).toBe(401);
      await expect.poll(() => page.locator('h1').textContent()).toBe('This browser is not signed in');
      expect(await page.locator('code').textContent()).toBe('claude-mem open');
      expect(await page.locator('script').count()).toBe(0);
    }
    expect(await viewer.checkAccessibility()).toEqual([]);
    await viewer.screenshot('sign-in-needed');
  });

  it('signs in with the address of claude-mem open, which leaves the code nowhere', async () => {
    const { page, origin, context } = viewer;
    const address = await viewer.signInAddress();
    await page.goto(address);
    await page.locator('main h1').first().waitFor();
    expect(new URL(page.url()).search).not.toContain('code');
    expect(page.url().startsWith(`${origin}/`)).toBe(true);
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: `claude_mem_${viewer.home.port}`,
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
    });
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.goto(address);
    await page.locator('main h1').first().waitFor();
    expect(viewer.troubles.take()).toEqual([]);
  });

  it('opens any page by its address', async () => {
    for (const address of ['/sessions', '/settings', '/nowhere']) {
      await viewer.visit(address);
      expect(new URL(viewer.page.url()).pathname).toBe(address);
    }
    expect(viewer.troubles.take()).toEqual([]);
  });
});
