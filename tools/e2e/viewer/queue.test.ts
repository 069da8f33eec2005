import path from 'node:path';
import { openStorage } from '@claude-mem/storage';
import { bySize } from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { HOSTILE } from './hostile-texts.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

const MANY = bySize({ quick: 1_000, full: 10_000 });

describe.skipIf(chromiumPath === null)('the queue, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('shows the reason and the possible actions for a parked message', async () => {
    const { page } = viewer;
    await viewer.visit('/queue');
    const parked = page.getByRole('listitem').filter({ hasText: 'Parked' });
    await parked.getByText('The provider answered in prose three times').waitFor();
    await parked.getByText('Retry it after the cause is fixed').waitFor();
    for (const words of [
      'Bash',
      'ALTER TABLE invoices',
      'shop',
      'Claude Code',
      '1 failed attempt',
      'received 2 hours ago',
    ])
      await parked.getByText(words, { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Parked\s*1$/ }).waitFor();
    await viewer.screenshot('queue', { isFullPage: true });
  });

  it('drops a message only after confirmation, and shows what is lost', async () => {
    const { page } = viewer;
    const parked = page.getByRole('listitem').filter({ hasText: 'ALTER TABLE invoices' });
    await parked.getByRole('button', { name: /^Drop/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Drop 1 message' });
    await dialog.getByText('This cannot be undone').waitFor();
    expect(await viewer.checkAccessibility('[role="dialog"]')).toEqual([]);
    await viewer.screenshot('queue-drop', { widths: [360, 1280] });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await droppedSoFar(viewer)).toBe(0);
    await parked.getByRole('button', { name: /^Drop/ }).click();
    await dialog.getByRole('button', { name: 'Drop it' }).click();
    await page.getByText('1 message dropped').waitFor();
    await parked.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    expect(await droppedSoFar(viewer)).toBe(1);
  });

  it('shows messages from arrival to completion', async () => {
    const { page } = viewer;
    const base = { session_id: 'live', cwd: viewer.home.project, transcript_path: '/nowhere' };
    await viewer.hook('UserPromptSubmit', {
      ...base,
      hook_event_name: 'UserPromptSubmit',
      prompt: 'Look at it',
    });
    await viewer.hook('PostToolUse', {
      ...base,
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_use_id: 'toolu_live',
      tool_input: { file_path: `${viewer.home.project}/live.ts`, old_string: 'a', new_string: 'b' },
      tool_response: { filePath: `${viewer.home.project}/live.ts` },
    });
    await page.getByRole('listitem').filter({ hasText: 'live.ts' }).waitFor();
    await page.getByRole('button', { name: /^Waiting\s*\d$/ }).waitFor();
    await viewer.hook('Stop', { ...base, hook_event_name: 'Stop', last_assistant_message: 'Done.' });
    await page.getByRole('listitem').filter({ hasText: 'live.ts' }).waitFor({ state: 'detached' });
  });

  it('keeps its content with a notice while the worker is not running, and updates when the worker is back', async () => {
    const { page, pageErrors } = viewer;
    pageErrors.allow(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE/);
    await page.getByText('Queue is empty').waitFor();
    await viewer.killWorker();
    await page.getByText('The worker does not respond. This page updates again').waitFor({ timeout: 45_000 });
    await page.getByText('Queue is empty').waitFor();
    await viewer.startWorker();
    await page.getByText('The worker does not respond').waitFor({ state: 'detached', timeout: 45_000 });
  });
});

describe.skipIf(chromiumPath === null)(
  `a queue of ${MANY} messages, in a browser`,
  { timeout: 90_000 },
  () => {
    let viewer: OpenViewer;
    beforeAll(async () => {
      viewer = await openViewer({
        memory: 'small',
        env: {
          CLAUDE_MEM_PROVIDER: 'gemini',
          CLAUDE_MEM_GEMINI_API_KEY: 'nobody-is-asked',
          CLAUDE_MEM_BUDGET_DAY_CALLS: '1',
        },
      });
      viewer.pageErrors.allow(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE/);
      await viewer.killWorker();
      await writeMany(viewer);
      await viewer.startWorker();
    }, OPEN_TIMEOUT_MS);
    afterAll(() => viewer[Symbol.asyncDispose]());

    it('reports a used budget, the end of the pause, and the setting', async () => {
      const { page } = viewer;
      await viewer.visit('/queue');
      await page.getByText(/^Events are paused until/).waitFor();
      await page.getByText(/The budget of 1 calls a day is used up/).waitFor();
      const main = page.getByRole('main');
      expect(await main.getByRole('link', { name: 'Usage of today' }).getAttribute('href')).toBe('/usage');
      expect(await main.getByRole('link', { name: 'Change the budget' }).getAttribute('href')).toBe(
        '/settings',
      );
      expect(await viewer.checkAccessibility('main')).toEqual([]);
      expect(await overflowWhenNarrow(page)).toBe(0);
      await viewer.screenshot('queue-paused');
    });

    it('keeps only the visible rows in the page', async () => {
      const { page } = viewer;
      const items = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
      await items.first().waitFor();
      let last = '';
      await expect
        .poll(
          async () => {
            last = await page.evaluate(() => {
              const scroller = document.getElementById('page');
              scroller?.scrollTo(0, scroller.scrollHeight);
              return [...document.querySelectorAll('[aria-posinset]')].at(-1)?.textContent ?? '';
            });
            return last;
          },
          { timeout: 60_000, interval: 30 },
        )
        .toContain(`step ${MANY - 1}`);
      expect(await items.count()).toBeLessThan(60);
      expect(viewer.pageErrors.take()).toEqual([]);
    });

    it('B058: shows hostile text of a message as text', async () => {
      const { page } = viewer;
      await page.evaluate(() => document.getElementById('page')?.scrollTo(0, 0));
      await page.getByText(HOSTILE.title).first().waitFor();
      expect(await page.locator('main img, main iframe, main script').count()).toBe(0);
    });

    it('drops the selected messages with the keyboard', async () => {
      const { page } = viewer;
      const before = await droppedSoFar(viewer);
      const boxes = page.getByRole('list', { name: 'Messages' }).getByRole('checkbox');
      await boxes.nth(1).focus();
      await page.keyboard.press('Space');
      await boxes.nth(2).focus();
      await page.keyboard.press('Space');
      await page.getByText('2 messages selected').waitFor();
      await page
        .getByRole('group', { name: 'Selected messages' })
        .getByRole('button', { name: 'Drop' })
        .focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Drop 2 messages' });
      await dialog.getByRole('list', { name: 'By project' }).waitFor();
      await dialog.getByRole('button', { name: 'Drop them' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('2 messages dropped').waitFor();
      expect(await droppedSoFar(viewer)).toBe(before + 2);
      await page.getByText('2 messages selected').waitFor({ state: 'detached' });
    });

    it('retries parked messages', async () => {
      const { page } = viewer;
      await page.getByRole('button', { name: 'Retry all parked' }).click();
      await page.getByText('1 message back in the queue').waitFor();
      await page.getByRole('button', { name: /^Parked\s*0$/ }).waitFor();
      await page.getByRole('button', { name: /^Parked/ }).click();
      await page.getByText('Nothing is parked').waitFor();
      await page.getByRole('button', { name: /^Waiting/ }).click();
      await page.getByRole('listitem').filter({ hasText: 'ALTER TABLE invoices' }).waitFor();
      await page.getByRole('button', { name: 'Retry all parked' }).waitFor({ state: 'detached' });
    });
  },
);

async function droppedSoFar(viewer: OpenViewer): Promise<number> {
  const { outcomes } = await viewer.ask<{ outcomes: Record<string, number> }>({ path: '/api/stats' });
  return outcomes['dropped'] ?? 0;
}

async function writeMany({ home }: OpenViewer): Promise<void> {
  await using storage = await openStorage({
    file: path.join(home.dataDir, 'claude-mem.db'),
    backupsDir: path.join(home.dataDir, 'backups'),
    backupKeep: 1,
  });
  const now = Date.now();
  const event = (key: string, index: number) => ({
    host: 'codex' as const,
    contentSessionId: `many-${Math.floor(index / 100)}`,
    cwd: '/repos/shop',
    projectDir: '/repos/shop',
    promptId: null,
    agentId: null,
    agentType: null,
    dedupeKey: key,
    occurredAtEpoch: now - MANY + index,
    project: { key: '/repos/shop', name: 'shop' },
    filterReason: null,
  });
  for (let from = 0; from < MANY; from += 500)
    await storage.store.capture(
      Array.from({ length: 500 }, (_, offset) => {
        const index = from + offset;
        return {
          ...event(`many-${index}`, index),
          kind: 'tool-use' as const,
          toolName: index === 0 ? HOSTILE.title : 'Bash',
          toolUseId: `toolu-many-${index}`,
          input: { command: index === 0 ? HOSTILE.narrative : `step ${index}` },
          response: { stdout: '' },
          outcome: 'succeeded' as const,
          error: null,
          isInterrupt: false,
          durationMs: 1,
        };
      }),
    );
}
