import { toFacts, type Observation } from '@claude-mem/core';
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)('editing the memory in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const button = (name: string) => viewer.page.getByRole('button', { name, exact: true });
  const notices = () => viewer.page.getByRole('region', { name: 'Notifications' });
  // A notification also has the role "dialog".
  const dialog = () => viewer.page.getByRole('dialog').filter({ has: viewer.page.locator('form') });
  const field = (name: string) => dialog().getByLabel(name, { exact: true });
  const read = (id: number) => viewer.ask<Observation>({ path: `/api/observations/${id}` });
  const edit = (id: number, body: object) =>
    viewer.ask({ method: 'PATCH', path: `/api/observations/${id}`, body });
  const open = async (id: number) => {
    await viewer.visit(`/observations/${id}`);
    await button('Edit').waitFor();
  };

  it('shows a complete observation with the records before and after it', async () => {
    const { page } = viewer;
    await open(2);
    const { title, narrative, facts, concepts } = await read(2);
    await expect.poll(() => page.locator('h1').textContent()).toBe(title);
    for (const text of [narrative ?? '', ...facts.map(({ text }) => text), ...concepts])
      await page.getByText(text, { exact: true }).first().waitFor({ state: 'attached' });
    await page.locator('li[aria-current="true"]').waitFor();
    await page.getByRole('link', { name: 'shop' }).first().waitFor();
    await viewer.screenshot('observation');
  });

  it('pins at once, and reverts the pin with the error message when the worker refuses', async () => {
    const { page, pageErrors } = viewer;
    await open(2);
    await button('Pin').click();
    await button('Unpin').waitFor();
    await expect.poll(async () => (await read(2)).pinned).toBe(true);
    pageErrors.allow(/status of 400/);
    await page.route('**/api/observations/2', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 400,
            json: { error: { code: 'storage/refused', message: 'Not on this day.' } },
          })
        : route.continue(),
    );
    await button('Unpin').click();
    await notices().getByText('Not on this day.').waitFor();
    await button('Unpin').waitFor();
    await page.unroute('**/api/observations/2');
  });

  it('reports a dialog that cannot be loaded', async () => {
    const { page, pageErrors } = viewer;
    pageErrors.allow(/net::ERR_FAILED/);
    await page.route('**/assets/EditDialog*', (route) => route.abort());
    await open(2);
    await button('Edit').click();
    await notices().getByText('The dialog cannot be opened').waitFor();
    expect(await page.locator('h1').count()).toBe(1);
    await page.unroute('**/assets/EditDialog*');
  });

  it('edits with the keyboard, with one list item per line and limits as text', async () => {
    const { page } = viewer;
    await open(2);
    await button('Edit').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => field('Type').evaluate((one) => one === document.activeElement)).toBe(true);
    await field('Title').fill('x'.repeat(301));
    await dialog().getByText('1 character too long').waitFor();
    await viewer.screenshot('edit', { widths: [360, 1280] });
    expect(await viewer.checkAccessibility('[role="dialog"]')).toEqual([]);
    await field('Title').fill('Times are kept in UTC');
    await field('Facts, one per line').fill('first fact\n\nsecond fact');
    await page.keyboard.press('Control+Enter');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('h1').textContent()).toBe('Times are kept in UTC');
    expect(await read(2)).toMatchObject({
      title: 'Times are kept in UTC',
      facts: toFacts(['first fact', 'second fact'], 'user'),
      pinned: true,
    });
    await expect.poll(() => button('Edit').evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('asks before it overwrites a concurrent change', async () => {
    await open(2);
    await button('Edit').click();
    await field('Title').fill('Mine');
    await edit(2, { title: 'Theirs', subtitle: 'Theirs too' });
    await dialog().getByRole('heading', { name: 'Changed elsewhere' }).waitFor();
    expect(
      await button('Save')
        .isDisabled()
        .catch(() => true),
    ).toBe(true);
    await button('Keep mine').click();
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await read(2)).toMatchObject({ title: 'Mine', subtitle: 'Theirs too' });
  });

  it('supersedes a record by a search result, and undoes that', async () => {
    const { page } = viewer;
    await open(1);
    await button('Supersede').click();
    await dialog().getByRole('searchbox').fill('monthly report');
    await dialog().getByRole('radio', { name: /^#3 / }).check();
    expect(await viewer.checkAccessibility('[role="dialog"]')).toEqual([]);
    await dialog().getByRole('button', { name: 'Replace by #3' }).click();
    await page.getByText('Superseded by').waitFor();
    expect((await read(1)).supersededBy).toBe(3);
    await button('Supersede').click();
    await dialog().getByRole('button', { name: 'Remove replacement' }).click();
    await expect.poll(async () => (await read(1)).supersededBy).toBe(null);
  });

  it('deletes a record, offers undo, and keeps the focus in the list', async () => {
    const { page } = viewer;
    viewer.pageErrors.allow(/status of 404/);
    await viewer.visit('/search?q=');
    const cards = page.locator('#search-results > li');
    await expect.poll(() => cards.count()).toBeGreaterThan(3);
    const [count, second] = [
      await cards.count(),
      await cards.nth(1).locator('[data-record-link]').textContent(),
    ];
    await cards
      .first()
      .getByRole('button', { name: /^Forget / })
      .focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => cards.count()).toBe(count - 1);
    await notices()
      .getByText(/^Forgot #/)
      .waitFor();
    await viewer.screenshot('forgotten', { widths: [360, 1280] });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(second);
    await page.keyboard.press('u');
    await expect.poll(() => cards.count()).toBe(count);
    await notices().getByText('Restored').waitFor();
  });

  it('deletes several records, and restores all of them', async () => {
    const { page } = viewer;
    await viewer.visit('/search?q=voucher');
    const cards = page.locator('#search-results > li');
    await expect.poll(() => cards.count()).toBeGreaterThan(1);
    const count = await cards.count();
    await button('Select').click();
    await cards.nth(0).getByRole('checkbox').check();
    await cards.nth(1).getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await page
      .getByRole('group', { name: 'Selected observations' })
      .getByRole('button', { name: 'Forget' })
      .click();
    await expect.poll(() => cards.count()).toBe(count - 2);
    await notices().getByText('Forgot 2 observations').waitFor();
    await notices().getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(() => cards.count()).toBe(count);
  });

  it('shows a change that was made before the page received events', async () => {
    const { page } = viewer;
    const connections: Route[] = [];
    await page.route('**/stream', (route) => void connections.push(route));
    await open(2);
    await edit(2, { title: 'Changed before the connection' });
    await expect.poll(() => connections.length).toBe(1);
    await connections[0]?.continue();
    await page.unroute('**/stream');
    await page.getByRole('heading', { name: 'Changed before the connection' }).waitFor();
  });

  it('reports an observation that was deleted elsewhere, and restores it', async () => {
    const { page } = viewer;
    await open(3);
    await viewer.ask({ method: 'POST', path: '/api/memory/forget', body: { ids: [3], undoSeconds: 60 } });
    await page.getByText('#3 was forgotten').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Undo' }).click();
    await button('Edit').waitFor();
    expect((await read(3)).id).toBe(3);
    await viewer.visit('/observations/4711');
    await page.getByText('There is no observation #4711').waitFor();
    expect(viewer.pageErrors.take()).toEqual([]);
  });
});
