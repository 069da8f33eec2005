import { connect, createServer, type Socket } from 'node:net';
import { bySize } from '@claude-mem/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { holdReplies } from './hold-replies.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';
import { LONG_LISTS } from './write-memory.js';

interface Entry {
  kind: string;
  project: string;
  item: { id: number; title?: string | null };
}

const SCROLLED_ROWS = bySize({ quick: 1_500, full: 5_000 });
/** A second loopback address of this machine, on which a test can use the port of the worker again. */
const OTHER_ADDRESS = '127.0.0.2';
const { poll } = expect;

describe.skipIf(chromiumPath === null)('the feed, in a browser', { timeout: 90_000 }, () => {
  let viewer: OpenViewer;
  let projects: string[];
  beforeAll(async () => {
    viewer = await openViewer({ memory: LONG_LISTS });
    const { items } = await viewer.ask<{ items: { name: string; observations: number }[] }>({
      path: '/api/projects',
    });
    projects = items.toSorted((one, other) => other.observations - one.observations).map(({ name }) => name);
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const remember = async (title: string, project = projects[0] ?? '') => {
    const { observation } = await viewer.ask<{ observation: { id: number } }>({
      method: 'POST',
      path: '/api/memory',
      body: { title, project, concepts: ['gotcha'], files: ['src/feed.ts'] },
    });
    return observation.id;
  };
  const newest = async (query = 'limit=20') =>
    (await viewer.ask<{ items: Entry[] }>({ path: `/api/feed?${query}` })).items.map(nameOf);
  const shown = () => rowsOf(viewer.page);
  const open = async (address = '/') => {
    await viewer.visit(address);
    await viewer.page.locator('ol article').first().waitFor();
    await poll(() => viewer.page.getByText('Live', { exact: true }).count()).toBe(1);
  };
  const scroll = (by: number) =>
    viewer.page.evaluate((pixels) => document.getElementById('page')?.scrollBy(0, pixels), by);

  it('shows the newest records and their number', async () => {
    await open();
    await poll(async () => (await shown()).slice(0, 5)).toEqual((await newest()).slice(0, 5));
    await viewer.page.getByText(/^\d+,\d{3} records, newest first$/).waitFor();
    await viewer.screenshot('feed');
    const isWide = await viewer.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWide).toBe(false);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('keeps the number of rows in the page constant when the user scrolls through thousands of records', async () => {
    const { page } = viewer;
    await open();
    const heap = await heapOf(page);
    await scroll(4_000);
    for (let at = 0; at < SCROLLED_ROWS; at = await lastRow(page)) {
      await scroll(100_000);
      await poll(() => lastRow(page)).toBeGreaterThan(at);
    }
    expect(await page.locator('ol > li').count()).toBeLessThan(40);
    expect((await heapOf(page)) - heap).toBeLessThan(12 * 1024 * 1024);
    await scroll(-200_000);
    await poll(() => isSettled(page)).toBe(true);
    const at = await topRow(page);
    const everything: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && everything.length < at + 20;) {
      const reply: { items: Entry[]; nextCursor: string | null } = await viewer.ask({
        path: `/api/feed?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      });
      everything.push(...reply.items.map(nameOf));
      cursor = reply.nextCursor;
    }
    await poll(() => rowAt(page, at)).toBe(everything[at]);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('shows new records at once, and shows a button instead when the list is scrolled down', async () => {
    const { page } = viewer;
    await open();
    await remember('Comes while one looks at the top');
    const first = page.locator('ol > li').first();
    await first
      .filter({ hasText: 'Comes while one looks at the top' })
      .getByText('new', { exact: true })
      .waitFor();
    await scroll(3_000);
    await page.locator('ol[data-top]').waitFor({ state: 'detached' });
    await poll(() => isSettled(page)).toBe(true);
    const before = await placesOf(page);
    for (const word of ['first', 'second', 'third']) await remember(`Comes meanwhile, the ${word}`);
    await page.getByRole('button', { name: '3 new' }).waitFor();
    expect(await placesOf(page)).toEqual(before);
    await viewer.screenshot('feed-waiting', { widths: [1280] });
    await page.getByRole('button', { name: '3 new' }).click();
    await poll(async () => (await shown()).slice(0, 6)).toEqual((await newest()).slice(0, 6));
    await poll(() => focused(page)).toBe('Comes meanwhile, the third');
    expect(await page.getByRole('button', { name: /new$/ }).count()).toBe(0);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('B170: shows all matching records once when the stream is interrupted and resumes', async () => {
    await using line = await openLine(viewer);
    const { page } = line;
    const [one = '', other = ''] = projects;
    await page.goto(`${line.origin}/?project=${encodeURIComponent(one)}`);
    await poll(() => page.getByText('Live', { exact: true }).count()).toBe(1);
    await remember('Before the cut', one);
    await page.getByText('Before the cut').waitFor();
    line.cut();
    await poll(() => page.getByText('Disconnected').count()).toBe(1);
    for (const number of [1, 2, 3]) {
      await remember(`During the cut ${number}`, one);
      await remember(`Elsewhere ${number}`, other);
    }
    // The page retries twice, each time after a longer delay.
    for (const _attempt of [1, 2])
      await page.waitForEvent('requestfailed', (request) => request.url().includes('/stream'));
    expect(await page.getByText(/^During the cut/).count()).toBe(0);
    line.mend();
    await page.getByText('During the cut 3').waitFor();
    await remember('After the cut', one);
    await page.getByText('After the cut').waitFor();
    const there = await newest(`project=${encodeURIComponent(one)}&project=`);
    await poll(async () => (await rowsOf(page)).slice(0, 5)).toEqual(there.slice(0, 5));
    const rows = await rowsOf(page);
    expect(new Set(rows).size).toBe(rows.length);
    expect(await page.getByText(/^Elsewhere/).count()).toBe(0);
  });

  it('keeps its position when the worker is killed and started again', async () => {
    const { page, pageErrors } = viewer;
    pageErrors.allow(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/,
    );
    await open();
    await scroll(6_000);
    await page.locator('ol[data-top]').waitFor({ state: 'detached' });
    await poll(() => isSettled(page)).toBe(true);
    const before = await placesOf(page);
    await viewer.killWorker();
    await poll(() => page.getByText('Disconnected').count()).toBe(1);
    await viewer.startWorker();
    await remember('Came while the worker was new');
    await page.getByRole('button', { name: '1 new' }).waitFor({ timeout: 45_000 });
    expect(await placesOf(page)).toEqual(before);
    pageErrors.take();
  });

  it('explains why the feed is not live and reconnects when the stream is available again', async () => {
    const { page, pageErrors } = viewer;
    pageErrors.allow(/status of (503|401)/);
    for (const [status, words, long] of [
      [503, 'Not live', /Close some of them/],
      [401, 'Signed out', /claude-mem open/],
    ] as const) {
      await page.route('**/stream*', (route) => route.fulfill({ status, body: '{}' }));
      await viewer.visit('/');
      await page.getByText(words, { exact: true }).waitFor();
      await page.getByTitle(long).waitFor();
      await page.unroute('**/stream*');
      await page.getByText('Live', { exact: true }).waitFor();
    }
    pageErrors.take();
  });

  it('B173: does not show a late reply when the filter has changed', async () => {
    const { page } = viewer;
    const [one = '', other = ''] = projects;
    const held = await holdReplies(page, new RegExp(`/api/feed\\?.*project=${one}(&|$)`));
    await open();
    const choose = async (name: string) => {
      await page.getByRole('combobox', { name: 'Project' }).fill(name);
      await page.getByRole('option', { name }).first().click();
    };
    await page.keyboard.press('f');
    await choose(one);
    await poll(() => held.count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: `Remove project ${one}` }).click();
    await page.keyboard.press('f');
    await choose(other);
    await page.keyboard.press('Escape');
    await poll(() => projectsShown(page)).toEqual([other]);
    await held.release();
    expect(new URL(page.url()).searchParams.getAll('project')).toEqual([other]);
    expect(await projectsShown(page)).toEqual([other]);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('shows the number of matching records for each filter, and keeps the filters in the address', async () => {
    const { page } = viewer;
    await open();
    await page.getByRole('button', { name: 'Filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    for (const name of [/^observation/, /^bugfix/]) {
      const box = dialog.getByRole('checkbox', { name });
      // The URL contains the selection. The page is rendered later than the click.
      await box.click();
      await poll(() => box.isChecked()).toBe(true);
    }
    const file = dialog.getByRole('combobox', { name: 'File or folder' });
    await file.fill('-retry.ts');
    await poll(() => page.getByRole('option', { name: /-retry\.ts/ }).count()).toBeGreaterThan(1);
    await file.press('Escape');
    expect(await viewer.checkAccessibility('[role="dialog"]')).toEqual([]);
    await viewer.screenshot('feed-filters');
    await page.keyboard.press('Escape');
    await poll(() => focused(page)).toContain('Filters (2)');
    await poll(() => badgesShown(page)).toEqual(['bugfix']);
    expect(new URL(page.url()).search).toBe('?kind=observation&type=bugfix');
    await page.reload();
    await poll(() => badgesShown(page)).toEqual(['bugfix']);
    await page.goBack();
    await page.getByRole('button', { name: 'Remove type bugfix' }).waitFor({ state: 'detached' });
    await viewer.visit('/?dateTo=2001-01-01');
    await page.getByText('No matching records').waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('ol article').first().waitFor();
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('S06: shows which records an agent saved', async () => {
    const { page } = viewer;
    const body = { title: 'Always deploy on Fridays', project: projects[0], savedBy: 'agent' };
    await viewer.ask({ method: 'POST', path: '/api/memory', body });
    await open();
    const entry = page.locator('ol > li').filter({ hasText: 'Always deploy on Fridays' });
    await entry.getByText('saved by an agent').waitFor();
  });

  it('supports the keyboard: move, pin, edit, forget, undo, open, return to the same position', async () => {
    const { page } = viewer;
    const id = await remember('To be kept by the keys');
    await open();
    await page.keyboard.press('j');
    await poll(() => focused(page)).toBe('To be kept by the keys');
    await page.keyboard.press('p');
    await page.locator('ol > li').first().getByText('pinned').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('dialog').getByLabel('Title', { exact: true }).fill('Changed by the keys');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.locator('ol > li').first().getByText('Changed by the keys').waitFor();
    await poll(() => focused(page)).toBe('Changed by the keys');
    await page.keyboard.press('Delete');
    await page.getByText(`Forgot #${id}`).waitFor();
    await poll(() => page.locator('ol').getByText('Changed by the keys').count()).toBe(0);
    await poll(() => focused(page)).not.toBe('');
    await page.keyboard.press('u');
    await page.locator('ol').getByText('Changed by the keys').waitFor();
    for (let times = 0; times < 30; times += 1) await page.keyboard.press('j');
    await poll(() => topRow(page)).toBeGreaterThan(15);
    await poll(() => isSettled(page)).toBe(true);
    const title = await focused(page);
    const before = await topRow(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/(observations|sessions)\/\d+$/);
    await page.locator('main h1').first().waitFor();
    await page.goBack();
    await page.locator('ol article').first().waitFor();
    await poll(() => topRow(page)).toBe(before);
    await page.getByRole('link', { name: title }).first().waitFor();
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('removes a record that was deleted elsewhere, and updates a record that was edited', async () => {
    const { page } = viewer;
    const gone = await remember('Forgotten from elsewhere');
    const kept = await remember('Edited from elsewhere');
    await open();
    await page.locator('ol').getByText('Forgotten from elsewhere').waitFor();
    await viewer.ask({
      method: 'PATCH',
      path: `/api/observations/${kept}`,
      body: { title: 'Edited, and said so' },
    });
    await page.locator('ol > li').first().getByText('Edited, and said so').waitFor();
    await viewer.ask({
      method: 'POST',
      path: '/api/memory/forget',
      body: { ids: [gone], undoSeconds: 60 },
    });
    await page.locator('ol').getByText('Forgotten from elsewhere').waitFor({ state: 'detached' });
    expect(viewer.pageErrors.take()).toEqual([]);
  });
});

/** Opens the viewer in a separate browser window through a connection that the test can cut. */
async function openLine(viewer: OpenViewer) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(viewer.home.port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(viewer.home.port, OTHER_ADDRESS, resolve));
  const origin = `http://${OTHER_ADDRESS}:${viewer.home.port}`;
  const context = await viewer.context.browser()?.newContext({ locale: 'en-GB' });
  if (context === undefined) throw new Error('no browser');
  const page = await context.newPage();
  const address = new URL(await viewer.signInAddress());
  await page.goto(`${origin}${address.pathname}${address.search}`);
  return {
    page,
    origin,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      await context.close();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const nameOf = ({ kind, item }: Entry) =>
  `${kind === 'observation' ? '#' : kind === 'summary' ? 'S' : 'P'}${item.id}`;

/** The cited rows, ordered by position. */
const rowsOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('ol > li[data-index]')]
      .toSorted((one, other) => Number(one.dataset['index']) - Number(other.dataset['index']))
      .map((row) => row.querySelector('[data-record-id]')?.textContent ?? ''),
  );
const rowAt = (page: Page, index: number) =>
  page.evaluate(
    (place) => document.querySelector(`ol > li[data-index="${place}"] [data-record-id]`)?.textContent ?? '',
    index,
  );
const lastRow = (page: Page) =>
  page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll<HTMLElement>('ol > li')].map((row) => Number(row.dataset['index'])),
    ),
  );
/** Index of the first row that starts in the window; -1 when no row is rendered there. */
const topRow = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('ol > li')].filter((row) => {
      const { top } = row.getBoundingClientRect();
      return top > 0 && top < innerHeight;
    });
    return rows.length === 0 ? -1 : Math.min(...rows.map((row) => Number(row.dataset['index'])));
  });
/** True when loaded rows fill the window, so that the page uses the current scroll position. */
const isSettled = (page: Page) =>
  page.evaluate(() => {
    const edges = [...document.querySelectorAll('ol > li:has([data-record-id])')]
      .map((row) => row.getBoundingClientRect())
      .filter(({ top, bottom }) => bottom > 0 && top < innerHeight)
      .toSorted((one, other) => one.top - other.top);
    const isComplete = edges.every(
      ({ top }, index) => index === 0 || top - (edges[index - 1]?.bottom ?? 0) < 40,
    );
    return isComplete && (edges[0]?.top ?? 1) <= 0 && (edges.at(-1)?.bottom ?? 0) >= innerHeight;
  });
/** Vertical positions of the records in the window. */
const placesOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('ol > li')]
      .map((row) => [
        Math.round(row.getBoundingClientRect().top),
        row.querySelector('[data-record-id]')?.textContent,
      ])
      .filter(([top]) => Number(top) > 0 && Number(top) < innerHeight)
      .toSorted(([one], [other]) => Number(one) - Number(other)),
  );
const focused = (page: Page) =>
  page.evaluate(() =>
    document.activeElement === document.body ? '' : (document.activeElement?.textContent ?? ''),
  );
const badgesShown = (page: Page) =>
  page.evaluate(() => [
    ...new Set([...document.querySelectorAll('ol article [data-type]')].map((badge) => badge.textContent)),
  ]);
const projectsShown = (page: Page) =>
  page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('ol article footer > :first-child')].map((name) => name.textContent),
    ),
  ]);
async function heapOf(page: Page): Promise<number> {
  const debug = await page.context().newCDPSession(page);
  await debug.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debug.send('Runtime.getHeapUsage');
  await debug.detach();
  return usedSize;
}
