import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ContextReply, RouteReply } from '@claude-mem/worker-protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { holdReplies } from './hold-replies.js';
import { HOSTILE } from './hostile-texts.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

const SHOP = '/repos/shop';
type Settings = RouteReply<'getSettings'>;

const addressOf = (search: Record<string, string>) => `/context?${new URLSearchParams(search)}`;
const preview = (viewer: OpenViewer, query: Record<string, string>) =>
  viewer.ask<ContextReply>({ path: `/api/context?${new URLSearchParams(query)}` });
const words = ({ page }: OpenViewer) => page.getByRole('region', { name: 'Injected text' }).locator('pre');
const settingOf = async (viewer: OpenViewer, key: string) =>
  (await viewer.ask<Settings>({ path: '/api/settings' })).settings[key];

describe.skipIf(chromiumPath === null)('context, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
    const { shown } = await preview(viewer, { cwd: SHOP });
    const [by, old] = shown;
    const body = { supersededBy: by?.id };
    await viewer.ask({ method: 'PATCH', path: `/api/observations/${old?.id}`, body });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());
  beforeEach(() => viewer.visit(addressOf({ cwd: SHOP })));

  it('shows the exact injected text, its tokens, its records and the skipped records', async () => {
    const { page } = viewer;
    const reply = await preview(viewer, { cwd: SHOP, host: 'claude-code' });
    await expect.poll(() => words(viewer).textContent()).toBe(reply.text);
    const cost = page.getByRole('meter', { name: 'Cost' });
    expect(await cost.getAttribute('aria-valuetext')).toBe(`${reply.tokens} of 1,200 tokens`);
    const inIt = page.getByRole('region', { name: /^Included/ });
    expect(await inIt.getByRole('rowheader').count()).toBe(reply.shown.length);
    expect(reply.skipped.length).toBeGreaterThan(0);
    const [out] = reply.skipped;
    const row = page.getByRole('table', { name: 'Skipped' }).getByRole('row').nth(1);
    expect(await row.getByRole('cell').first().textContent()).toBe(out?.reason);
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('context', { isFullPage: true });
    await row.getByRole('link', { name: out?.title ?? '' }).click();
    await page.waitForURL(`**/observations/${out?.id}`);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('previews changed settings without saving them, and discards them', async () => {
    const { page } = viewer;
    const before = await preview(viewer, { cwd: SHOP, host: 'claude-code' });
    await expect.poll(() => words(viewer).textContent()).toBe(before.text);
    const size = page.getByLabel('Context size');
    await size.fill('230');
    await expect.poll(() => words(viewer).textContent()).not.toBe(before.text);
    const cost = page.getByRole('meter', { name: 'Cost' });
    await expect.poll(() => cost.getAttribute('aria-valuetext')).toMatch(/of 230 tokens$/);
    await page.getByText('1 unsaved change.').waitFor();
    await page.getByLabel('timeline').uncheck();
    await page.getByText('2 unsaved changes.').waitFor();
    await page.getByText('no timeline is requested').first().waitFor();
    await expect.poll(() => page.getByText('Updating').count()).toBe(0);
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('context-tried', { isFullPage: true });
    expect(await settingOf(viewer, 'CLAUDE_MEM_CONTEXT_TOKENS')).toBe(1200);

    await page.getByRole('link', { name: 'Feed', exact: true }).click();
    await page.getByRole('heading', { name: 'Feed', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('2 unsaved changes.').waitFor();
    await expect.poll(() => size.inputValue()).toBe('230');

    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => size.inputValue()).toBe('1200');
    await expect.poll(() => words(viewer).textContent()).toBe(before.text);
    await expect.poll(() => page.getByText('unsaved change').count()).toBe(0);
  });

  it('reports an invalid value beside the field, and previews the valid values', async () => {
    const { page } = viewer;
    const size = page.getByLabel('Context size');
    await size.fill('many');
    await page.getByText('Must be a whole number from 0.').waitFor();
    expect(await size.getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('File history').click();
    await page.getByText('1 unsaved change.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => size.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await settingOf(viewer, 'CLAUDE_MEM_FILE_HISTORY')).toBe(true);
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  it('saves only the changed settings', async () => {
    const { page } = viewer;
    await page.getByLabel('Context at session start').click();
    await page.getByText('Not injected: CLAUDE_MEM_CONTEXT_ENABLED is off.').waitFor();
    await words(viewer).waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('context-off');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).toEqual({ CLAUDE_MEM_CONTEXT_ENABLED: false });
    await page.getByText('1 setting saved').waitFor();
    expect(await settingOf(viewer, 'CLAUDE_MEM_CONTEXT_ENABLED')).toBe(false);
    await expect.poll(() => page.getByText('unsaved change').count()).toBe(0);
    await expect.poll(() => page.getByLabel('Context at session start').isChecked()).toBe(false);
    await page.getByText('Not injected: CLAUDE_MEM_CONTEXT_ENABLED is off.').waitFor();
    await page.getByLabel('Context at session start').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => settingOf(viewer, 'CLAUDE_MEM_CONTEXT_ENABLED')).toBe(true);
  });

  it('shows the records for a prompt, or the reason why there are none', async () => {
    const { page } = viewer;
    await page.getByText('A prompt is sent').click();
    await page.getByText('Type a prompt').waitFor();
    await page.getByLabel('Prompt', { exact: true }).fill('How are prices kept: floats or whole cents?');
    await words(viewer).getByText('Prices are whole cents').waitFor();
    await viewer.screenshot('context-prompt');
    await page.getByLabel('Prompt', { exact: true }).fill('Write a haiku about the sea in winter');
    await page.getByText('Nothing to inject').waitFor();
    expect(new URL(page.url()).search).not.toContain('haiku');
    expect(await viewer.checkAccessibility('main')).toEqual([]);
  });

  it('keeps event, host and project in the URL when the page is reloaded', async () => {
    const { page } = viewer;
    await page.getByLabel('Host').selectOption('Cursor');
    await expect.poll(() => page.getByLabel('Host').inputValue()).toBe('cursor');
    await page.getByLabel('Project', { exact: true }).selectOption('docs-site');
    await expect.poll(() => new URL(page.url()).searchParams.get('cwd')).toBe('/repos/docs-site');
    const { text } = await preview(viewer, { cwd: '/repos/docs-site', host: 'cursor' });
    await page.reload();
    await expect.poll(() => words(viewer).textContent()).toBe(text);
    await expect.poll(() => page.getByLabel('Host').inputValue()).toBe('cursor');
    await page.getByLabel('Project', { exact: true }).selectOption('Another folder');
    await page.getByLabel('Folder').fill('/repos/none');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('The memory has no records of this project.').waitFor();
  });

  it('B173: never shows a late reply when another project was chosen', async () => {
    const { page } = viewer;
    const docs = await preview(viewer, { cwd: '/repos/docs-site', host: 'claude-code' });
    const held = await holdReplies(page, /\/api\/context\?cwd=%2Frepos%2Fshop&.*settings=/);
    await page.getByLabel('Context size').fill('300');
    await expect.poll(() => held.count()).toBe(1);
    await page.getByRole('status').getByText('Updating').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByLabel('Project', { exact: true }).selectOption('docs-site');
    await expect.poll(() => words(viewer).textContent()).toBe(docs.text);
    await held.release();
    expect(await words(viewer).textContent()).toBe(docs.text);
  });

  it('B058: shows hostile records as text', async () => {
    const { page } = viewer;
    const cwd = `/repos/${HOSTILE.project}`;
    await viewer.visit(addressOf({ cwd }));
    const { text } = await preview(viewer, { cwd, host: 'claude-code' });
    expect(text).not.toBe('');
    await expect.poll(() => words(viewer).textContent()).toBe(text);
    expect(await page.locator('main img, main iframe, main script, main b').count()).toBe(0);
    await viewer.screenshot('context-hostile');
    expect(viewer.pageErrors.take()).toEqual([]);
  });
});

describe.skipIf(chromiumPath === null)('context of a checkout, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({
      memory: 'empty',
      env: { CLAUDE_MEM_CLAUDE_MD: 'true', CLAUDE_MEM_CONTEXT_TOKENS: '700' },
    });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  it('describes the page when the memory is empty', async () => {
    await viewer.visit('/context');
    await viewer.page.getByText('Nothing to inject yet').waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('context-empty', { widths: [360, 1280] });
  });

  it('shows a new project and its context files, removes the files, and writes them again', async () => {
    const { page, home } = viewer;
    execFileSync('git', ['init', '-q'], { cwd: home.project });
    await work(viewer);
    await viewer.visit('/context?host=codex');
    await words(viewer).getByText('money.ts').first().waitFor();
    expect(await page.getByLabel('Context size').isDisabled()).toBe(true);
    await page.getByText('The environment sets this setting').first().waitFor();

    const files = page.getByRole('region', { name: 'Context files of the project' });
    await files.getByRole('rowheader', { name: 'CLAUDE.md Kept' }).waitFor();
    const file = path.join(home.project, 'CLAUDE.md');
    expect(readFileSync(file, 'utf8')).toContain('money.ts');

    // Claude Code reads that file, so the records are not injected again
    await page.getByLabel('Host').selectOption('Claude Code');
    await page.getByText('Nothing to inject').waitFor();
    await page.getByRole('cell', { name: 'in a file that the host reads itself' }).first().waitFor();
    await viewer.screenshot('context-files', { isFullPage: true });
    await files.getByRole('button', { name: 'Remove from all files' }).click();
    await files.getByText('Removed').waitFor();
    expect(existsSync(file)).toBe(false);
    await words(viewer).getByText('money.ts').first().waitFor();
    await files.getByRole('button', { name: 'Write again' }).click();
    await files.getByRole('rowheader', { name: 'CLAUDE.md Kept' }).waitFor();
    expect(existsSync(file)).toBe(true);
    expect(await viewer.checkAccessibility('main')).toEqual([]);
  });

  it('updates the preview when a record is added', async () => {
    await work(viewer, 'tariff');
    await viewer.visit('/context?host=codex');
    await words(viewer).getByText('tariff.ts').first().waitFor();
    expect(await words(viewer).textContent()).not.toContain('voucher.ts');
    await work(viewer, 'voucher');
    await words(viewer).getByText('voucher.ts').first().waitFor();
  });

  it('shows the records that are injected when a file is read', async () => {
    const { page } = viewer;
    await work(viewer, 'duty');
    await viewer.visit('/context?moment=file');
    await page.getByLabel('File', { exact: true }).fill('duty');
    await page.locator('datalist option[value="src/duty.ts"]').waitFor({ state: 'attached' });
    await page.getByLabel('File', { exact: true }).fill('src/duty.ts');
    await words(viewer).getByText('recorded about `src/duty.ts`').waitFor();
    await page.getByLabel('File', { exact: true }).fill('src/none.ts');
    await page.getByText('No record names the path src/none.ts in this project.').waitFor();
    expect(viewer.pageErrors.take()).toEqual([]);
  });
});

/** Plays a turn that writes a file. */
async function work(viewer: OpenViewer, name = 'money'): Promise<void> {
  const session = { session_id: name, cwd: viewer.home.project };
  const file = path.join(viewer.home.project, 'src', `${name}.ts`);
  await viewer.hook('SessionStart', { ...session, source: 'startup' });
  await viewer.hook('UserPromptSubmit', { ...session, prompt: 'Make prices whole cents' });
  await viewer.hook('PostToolUse', {
    ...session,
    tool_name: 'Write',
    tool_use_id: `toolu-${name}`,
    tool_input: { file_path: file, content: `export const ${name} = (price: number) => price * 100;` },
    tool_response: { type: 'create', filePath: file },
  });
  await viewer.hook('Stop', {
    ...session,
    last_assistant_message: `Prices are whole cents in ${name}.ts now.`,
  });
  await viewer.drained();
}
