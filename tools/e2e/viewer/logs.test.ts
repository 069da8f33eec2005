import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { bySize } from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { holdReplies } from './hold-replies.js';
import { HOSTILE } from './hostile-texts.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

const MB = 1024 * 1024;
/** The page shows at most 4,000 lines. */
const SCROLLED_LINES = bySize({ quick: 1_000, full: 4_000 });
/** Many times the number of bytes that the worker may read when the page opens. */
const LOG_BYTES = bySize({ quick: 50, full: 500 }) * MB;

describe.skipIf(chromiumPath === null)('logs, in a browser', { timeout: 90_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('shows new lines at once, and waits while the list is scrolled down', async () => {
    const { page } = viewer;
    for (let index = 0; index < 300; index += 1) write(viewer, `An older line ${index}`, 'info', { index });
    write(viewer, 'A batch was read', 'info', { provider: 'local', messages: 4, ms: 12 });
    write(viewer, 'The observer fails for the moment', 'warn', {
      provider: 'gemini',
      error: { code: 'rate-limited', message: 'Asked too often' },
    });
    write(viewer, 'Not stored', 'error', { error: { code: 'ENOSPC', message: 'no space left' } });
    await viewer.visit('/logs');
    await page.getByText('New lines appear automatically').waitFor();
    await line(viewer, 'A batch was read').waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('logs');
    write(viewer, 'This is new');
    await line(viewer, 'This is new').waitFor();

    await page.evaluate(() => document.getElementById('page')?.scrollTo(0, 3_000));
    await page.getByText('Paused while you read older lines').waitFor({ state: 'attached' });
    await expect.poll(() => isFilled(viewer)).toBe(true);
    const seen = await visibleRows(viewer);
    write(viewer, 'Written while one reads');
    // The wait is longer than the interval at which the list reads new lines.
    await page.waitForTimeout(2_500);
    expect(await visibleRows(viewer)).toEqual(seen);
    await page.getByRole('button', { name: 'Go to the newest' }).click();
    await line(viewer, 'Written while one reads').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Go to the newest' }).click();
    await page.getByText('New lines appear automatically').waitFor();
  });

  it('B058: shows all fields of a line as text, and copies the line', async () => {
    const { page, context } = viewer;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    write(viewer, HOSTILE.title, 'warn', { hostile: HOSTILE.narrative, nested: { deep: [1, HOSTILE.fact] } });
    const row = line(viewer, HOSTILE.title);
    await row.waitFor();
    await row.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true');
    await page.getByText(HOSTILE.narrative, { exact: true }).waitFor();
    expect(await page.locator('main img, main iframe, main script').count()).toBe(0);
    expect(await overflowWhenNarrow(page)).toBe(0);
    await viewer.screenshot('logs-line', { widths: [360, 1280] });
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await page.getByRole('button', { name: 'Copy the line' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain(JSON.stringify(HOSTILE.narrative));
  });

  it('filters by level and text, and keeps both in the address', async () => {
    const { page } = viewer;
    await page.getByLabel('Level').selectOption('Warnings and errors');
    await line(viewer, 'The observer fails for the moment').waitFor();
    await line(viewer, 'A batch was read').waitFor({ state: 'detached' });
    await page.getByLabel('Text', { exact: true }).fill('enospc');
    await line(viewer, 'The observer fails for the moment').waitFor({ state: 'detached' });
    await line(viewer, 'Not stored').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?level=warn&q=enospc');
    await page.reload();
    await line(viewer, 'Not stored').waitFor();
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('enospc');
    await page.getByLabel('Text', { exact: true }).fill('stands nowhere');
    await page.getByText('No matching lines').waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
  });

  it('B173: does not show a late reply when the filter has changed', async () => {
    const { page } = viewer;
    const held = await holdReplies(page, /api\/logs\?.*text=older/);
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('older');
    await expect.poll(() => held.count()).toBe(1);
    await text.fill('enospc');
    await line(viewer, 'Not stored').waitFor();
    await held.release();
    expect(await page.locator('main button[aria-expanded]').count()).toBe(1);
    await text.fill('');
  });

  it('keeps its lines while the worker is not running, and adds the missed lines when the worker is back', async () => {
    const { page, pageErrors } = viewer;
    pageErrors.allow(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE/);
    await viewer.visit('/logs');
    await line(viewer, 'Not stored').waitFor();
    await viewer.killWorker();
    await page.getByText('The worker does not respond. This page updates again').waitFor();
    await line(viewer, 'Not stored').waitFor();
    write(viewer, 'Written while nobody answered');
    await viewer.startWorker();
    await line(viewer, 'Written while nobody answered').waitFor({ timeout: 45_000 });
    await page.getByText('The worker does not respond').waitFor({ state: 'detached' });
  });

  it('B171: reads only the end and stays small when the log is large', { timeout: 180_000 }, async () => {
    const { page } = viewer;
    write(viewer, 'The needle of this day');
    fill(viewer, LOG_BYTES);
    write(viewer, 'The end of this day');
    const bytesBefore = bytesReadBy(viewer);
    await page.goto(`${viewer.origin}/logs`);
    await line(viewer, 'The end of this day').waitFor();
    const bytesToOpen = bytesReadBy(viewer) - bytesBefore;
    const before = await heapOf(viewer);
    const lastRow = page.locator('[aria-posinset]').last();
    for (let at = 0; at < SCROLLED_LINES;) {
      await page.evaluate(() => {
        const scroller = document.getElementById('page');
        scroller?.scrollTo(0, scroller.scrollHeight);
      });
      const reached = async () => Number(await lastRow.getAttribute('aria-posinset'));
      await expect.poll(reached).toBeGreaterThan(at);
      at = await reached();
    }
    expect(await page.locator('[aria-posinset]').count()).toBeLessThan(80);
    const after = await heapOf(viewer);
    const { memoryBytes } = await viewer.ask<{ memoryBytes: number }>({ path: '/api/health' });
    await page.goto(`${viewer.origin}/logs?q=needle`);
    // The timeout is long, because the worker searches the complete file.
    await line(viewer, 'The needle of this day').waitFor({ timeout: 120_000 });
    expect(bytesToOpen).toBeLessThan(20 * MB);
    expect(after - before).toBeLessThan(25 * MB);
    expect(memoryBytes).toBeLessThan(200 * MB);
  });
});

const line = ({ page }: OpenViewer, text: string) =>
  page.locator('main button[aria-expanded]').filter({ hasText: text });
/** Returns the visible rows, from top to bottom. */
const visibleRows = ({ page }: OpenViewer) =>
  page
    .locator('[aria-posinset]')
    .evaluateAll((rows) =>
      rows
        .filter(
          (row) => row.getBoundingClientRect().bottom > 0 && row.getBoundingClientRect().top < innerHeight,
        )
        .map((row) => row.textContent),
    );
const isFilled = ({ page }: OpenViewer) =>
  page.locator('[aria-posinset]').evaluateAll((rows) => {
    const edges = rows.map((row) => row.getBoundingClientRect());
    return edges.some(({ top }) => top <= 0) && edges.some(({ bottom }) => bottom >= innerHeight);
  });

function fileOf({ home }: OpenViewer): string {
  const folder = path.join(home.dataDir, 'logs');
  const names = readdirSync(folder).filter((name) => /^worker-\d{4}-\d{2}-\d{2}\.log$/.test(name));
  return path.join(folder, names.sort().at(-1) ?? '');
}

function textOf(msg: string, level: string, fields: Record<string, unknown>): string {
  return `${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`;
}

function write(viewer: OpenViewer, msg: string, level = 'info', fields: Record<string, unknown> = {}): void {
  appendFileSync(fileOf(viewer), textOf(msg, level, fields));
}

function fill(viewer: OpenViewer, bytes: number): void {
  const block = Buffer.from(textOf('Filler', 'info', { words: 'x'.repeat(300) }).repeat(20_000));
  const file = openSync(fileOf(viewer), 'a');
  for (let written = 0; written < bytes; written += block.length) writeSync(file, block);
  closeSync(file);
}

/**
 * Returns the number of bytes that the worker has read, from files and other sources. 0 when the system does not
 * report the number.
 */
function bytesReadBy({ worker }: OpenViewer): number {
  const file = `/proc/${worker.pid}/io`;
  return existsSync(file) ? Number(/^rchar: (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1]) : 0;
}

async function heapOf({ page, context }: OpenViewer): Promise<number> {
  const debug = await context.newCDPSession(page);
  await debug.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debug.send('Runtime.getHeapUsage');
  await debug.detach();
  return usedSize;
}
