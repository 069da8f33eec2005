import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)('health, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  /** The command as a user can type it without the launcher on the PATH. */
  const command = () => `${viewer.home.dataDir}/bin/claude-mem`;

  it('shows the overall state, each problem with a fix, and the state of each component', async () => {
    const { page } = viewer;
    await viewer.visit('/health-check');
    await page.getByText('Running, 1 warning').waitFor();
    const problem = page.getByRole('listitem').filter({ hasText: 'parked after failed attempts' });
    expect(await problem.getByRole('link', { name: 'Open the queue' }).getAttribute('href')).toBe('/queue');
    await problem.getByText(`${command()} queue retry --parked`, { exact: true }).waitFor();
    for (const part of [
      'Worker',
      'Database',
      'Queue',
      'Observer',
      'Indexes',
      'Events from hosts',
      'Listeners',
    ])
      await page.getByRole('region', { name: part, exact: true }).waitFor();
    await page.getByText(String(viewer.worker.pid), { exact: true }).waitFor();
    await page.getByText(viewer.origin, { exact: true }).waitFor();
    expect(await overflowWhenNarrow(page)).toBe(0);
    await viewer.screenshot('health', { isFullPage: true });
  });

  it('copies a command and confirms that', async () => {
    const { page, context } = viewer;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // The confirmation is visible only briefly.
    await Promise.all([
      page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' }),
      page.getByRole('button', { name: 'Copy claude-mem doctor' }).click(),
    ]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${command()} doctor`);
  });

  it('keeps its content with a notice while the worker is not running, and updates when the worker is back', async () => {
    const { page, pageErrors } = viewer;
    pageErrors.allow(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
    const before = viewer.worker.pid;
    await viewer.killWorker();
    await page.getByText('The worker does not respond. This page updates again').waitFor();
    await page.getByText(String(before), { exact: true }).waitFor();
    await viewer.startWorker();
    await page.getByText(String(viewer.worker.pid), { exact: true }).waitFor({ timeout: 30_000 });
    await page.getByText('The worker does not respond').waitFor({ state: 'detached' });
  });
});
