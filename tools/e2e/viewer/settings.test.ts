import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

describe.skipIf(chromiumPath === null)('settings, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({
      memory: 'empty',
      env: { CLAUDE_MEM_VERBOSITY: 'minimal' },
    });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const file = () =>
    JSON.parse(readFileSync(path.join(viewer.home.dataDir, 'settings.json'), 'utf8')) as Record<
      string,
      unknown
    >;
  const field = (key: string) => viewer.page.locator(`[data-setting="${key}"]`);
  const save = () => viewer.page.getByRole('button', { name: 'Save', exact: true });

  it('saves only changed settings, and restores a default', async () => {
    const { page } = viewer;
    await viewer.visit('/settings');
    await field('CLAUDE_MEM_CONTEXT_TOKENS').fill('900');
    await page.getByText('1 unsaved change.').waitFor();
    await save().click();
    await page.getByText('1 setting saved').waitFor();
    expect(file()['CLAUDE_MEM_CONTEXT_TOKENS']).toBe(900);
    expect(Object.keys(file()).filter((key) => key.startsWith('CLAUDE_MEM_CONTEXT'))).toHaveLength(1);
    await page.getByText('Set in settings.json; the default is 1200.').waitFor();

    await page.getByRole('button', { name: 'Reset to default' }).click();
    await expect.poll(() => field('CLAUDE_MEM_CONTEXT_TOKENS').inputValue()).toBe('1200');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-setting')))
      .toBe('CLAUDE_MEM_CONTEXT_TOKENS');
    await save().click();
    await expect.poll(() => 'CLAUDE_MEM_CONTEXT_TOKENS' in file()).toBe(false);
    await page.getByText(/unsaved change/).waitFor({ state: 'detached' });
  });

  it('reports invalid values of the form and of the worker beside the field, and focuses the field', async () => {
    const { page } = viewer;
    await viewer.visit('/settings');
    await field('CLAUDE_MEM_CONTEXT_TOKENS').fill('many');
    await page.getByText('Must be a whole number from').waitFor();
    await field('CLAUDE_MEM_LANGUAGE').fill('x'.repeat(5_000));
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('language');
    await save().click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-setting')))
      .toBe('CLAUDE_MEM_CONTEXT_TOKENS');
    expect('CLAUDE_MEM_LANGUAGE' in file()).toBe(false);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => field('CLAUDE_MEM_CONTEXT_TOKENS').getAttribute('aria-invalid')).toBe('false');
  });

  it('R19: saves the fallback observers in the order in which they were chosen and moved', async () => {
    const { page } = viewer;
    await viewer.visit('/settings');
    const group = page.getByRole('group', { name: 'Fallback observers' });
    for (const name of ['openrouter', 'local', 'gemini']) await group.getByRole('checkbox', { name }).check();
    await group.getByRole('button', { name: 'Move gemini earlier' }).click();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('settings-order', { widths: [360, 1280] });
    await save().click();
    await expect
      .poll(() => file()['CLAUDE_MEM_PROVIDER_FALLBACK'])
      .toEqual(['openrouter', 'gemini', 'local']);
    await page.getByText(/unsaved change/).waitFor({ state: 'detached' });
  });

  it('disables settings that the environment sets', async () => {
    await viewer.visit('/settings');
    expect(await field('CLAUDE_MEM_VERBOSITY').isDisabled()).toBe(true);
    await viewer.page.getByText('The environment sets this setting. Change it there.').first().waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('settings', { isFullPage: true });
  });

  it('stores a secret, shows it masked, and removes it', async () => {
    const { page } = viewer;
    const key = 'CLAUDE_MEM_GEMINI_API_KEY';
    const secret = 'AIzaSyMadeUpMadeUpMadeUpMadeUpMadeUp123';
    await viewer.visit('/settings');
    const label = (await field(key).getAttribute('aria-label'))?.replace(/^Enter /, '') ?? '';
    await field(key).click();
    await field(key).fill(secret);
    await save().click();
    await page.getByText('1 setting saved').first().waitFor();
    expect(Object.values(file())).toContain(secret);
    // The page asks before it is closed while it has unsaved changes.
    await page.getByText(/unsaved change/).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: `Remove ${label}` }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: `Remove ${label}` }).click();
    await save().click();
    await page.getByText('1 setting saved').first().waitFor();
    expect(Object.values(file())).not.toContain(secret);
  });

  it('asks before unsaved changes are lost, and keeps unknown keys', async () => {
    const { page } = viewer;
    const kept = path.join(viewer.home.dataDir, 'settings.json');
    writeFileSync(kept, JSON.stringify({ ...file(), SOMETHING_ELSE: 'mine' }));
    await viewer.visit('/settings');
    await field('CLAUDE_MEM_CONTEXT_TOKENS').fill('700');
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect.poll(() => field('CLAUDE_MEM_CONTEXT_TOKENS').inputValue()).toBe('700');
    await save().click();
    await page.getByText('1 setting saved').waitFor();
    expect(file()).toMatchObject({ CLAUDE_MEM_CONTEXT_TOKENS: 700, SOMETHING_ELSE: 'mine' });
    await page.getByText(/unsaved change/).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor();
  });
});
