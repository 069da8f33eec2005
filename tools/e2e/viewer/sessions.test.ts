import { bySize, claudePayloads, waitFor } from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { HOSTILE } from './hostile-texts.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

interface Page<Item> {
  items: readonly Item[];
}

const PROMPT = 'The limit is read twice. Please find out why.';
const ANSWER =
  'The limit was read again by its renderer, which had its own default. It now takes what was loaded.';

describe.skipIf(chromiumPath === null)('sessions, in a browser', { timeout: 60_000 }, () => {
  let viewer: OpenViewer;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const sessionOf = async (contentSessionId: string) => {
    const { items } = await viewer.ask<Page<{ id: number; contentSessionId: string }>>({
      path: '/api/sessions?limit=500',
    });
    return items.find((session) => session.contentSessionId === contentSessionId)?.id ?? 0;
  };
  const titles = () =>
    viewer.page.getByRole('list', { name: 'Sessions' }).getByRole('link').allTextContents();

  it('lists sessions newest first, and filters by project and host in the address', async () => {
    const { page } = viewer;
    await viewer.visit('/sessions');
    await expect.poll(titles).toHaveLength(5);
    expect(await titles()).toContain('Add a voucher field to the checkout.');
    await viewer.screenshot('sessions');
    await page.getByLabel('Project', { exact: true }).selectOption('docs-site');
    await expect.poll(titles).toEqual(['How are the pages of the reference made?']);
    expect(new URL(page.url()).search).toBe('?project=docs-site');
    await page.getByLabel('Host', { exact: true }).selectOption('Cursor');
    await page.getByText('No matching sessions').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(titles).toHaveLength(5);
    await viewer.visit('/sessions?host=cursor');
    await expect.poll(titles).toEqual(['Add a voucher field to the checkout.']);
  });

  it('shows a session by turns, each with its prompt, records and summary', async () => {
    const { page } = viewer;
    await viewer.visit(`/sessions/${await sessionOf('few-1')}`);
    const turns = page.getByRole('region', { name: /^Turn \d$/ });
    await expect.poll(() => turns.count()).toBe(2);
    await expect.poll(() => turns.nth(0).getByRole('article').count()).toBe(1);
    await expect.poll(() => turns.nth(1).getByRole('article').count()).toBe(2);
    await viewer.visit('/sessions');
    await page.getByRole('link', { name: 'Add a voucher field to the checkout.' }).press('Enter');
    await turns.first().waitFor();
    const texts = await turns.first().innerText();
    const order = [
      'Add a voucher field to the checkout.',
      'The checkout takes a voucher and shows what it takes off',
      'Prices are whole cents everywhere',
      'A voucher field in the checkout',
    ].map((text) => texts.indexOf(text));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const head = page.getByRole('region', { name: 'Session', exact: true });
    expect(await head.getByRole('link', { name: 'shop' }).getAttribute('href')).toMatch(/^\/projects\/\d+$/);
    await page
      .getByRole('region', { name: 'Summary', exact: true })
      .getByText('Ask whether gift cards')
      .waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('session', { isFullPage: true });
  });

  it('updates the page of an active session', async () => {
    const { page, hook, home } = viewer;
    const payloads = claudePayloads({ cwd: home.project });
    await hook('SessionStart', payloads.sessionStart());
    await hook('UserPromptSubmit', payloads.prompt(PROMPT));
    const id = await sessionOf(payloads.sessionId);
    await viewer.visit(`/sessions/${id}`);
    await page.getByRole('region', { name: 'Turn 1' }).getByText(PROMPT).waitFor();
    const head = page.getByRole('region', { name: 'Session', exact: true });
    await head.getByText('Running').waitFor();
    await hook('PostToolUse', payloads.toolUse());
    await hook('PostToolUse', payloads.toolUse());
    await hook('PostToolUseFailure', payloads.toolFailure({ name: 'Bash', input: { command: 'npm test' } }));
    await head.getByRole('link', { name: '3 waiting' }).waitFor();
    const tools = page.getByRole('list', { name: 'Uses by tool' });
    await tools
      .getByRole('listitem')
      .filter({ hasText: /^Edit\s*2$/ })
      .waitFor();
    await tools
      .getByRole('listitem')
      .filter({ hasText: /^Bash\s*1\s*1 failed$/ })
      .waitFor();
    await hook('Stop', payloads.stop(ANSWER));
    await page.getByRole('region', { name: 'Turn 1' }).getByRole('article').first().waitFor();
    await head.getByText('None', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Observer', exact: true })
      .getByText('Observed on this machine')
      .waitFor();
    await hook('UserPromptSubmit', payloads.prompt('And the other limit?'));
    await page.getByRole('region', { name: 'Turn 2' }).getByText('And the other limit?').waitFor();
    await hook('SessionEnd', payloads.sessionEnd());
    await head.getByText('Running').waitFor({ state: 'detached' });
    await viewer.screenshot('session-followed', { isFullPage: true });
  });

  it('shows the injected context and marks the records that were used afterwards', async () => {
    const { page, hook, home } = viewer;
    const [earlier, later] = [claudePayloads({ cwd: home.project }), claudePayloads({ cwd: home.project })];
    await hook('UserPromptSubmit', earlier.prompt(PROMPT));
    await hook('PostToolUse', earlier.toolUse());
    await hook('Stop', earlier.stop(ANSWER));
    await viewer.drained();
    await hook('SessionStart', later.sessionStart());
    const injected = page.getByRole('region', { name: 'Injected context' });
    await viewer.visit(`/sessions/${await sessionOf(later.sessionId)}`);
    await injected.getByRole('heading', { name: 'Start of the session' }).waitFor();
    expect(await injected.getByText('Used afterwards:').count()).toBe(0);
    await hook('UserPromptSubmit', later.prompt('Raise the limit.'));
    await hook('PostToolUse', later.toolUse());
    await hook('Stop', later.stop(ANSWER));
    await injected.getByText('Used afterwards:').first().waitFor();
    await injected
      .getByText(/^\d+ injections?, about \d+ tokens\. A named file .* for [1-9]\d* of \d+ records?\./)
      .waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
    await viewer.screenshot('session-injections', { isFullPage: true });
    await injected.getByRole('link').first().click();
    await page.waitForURL('**/observations/*');
  });

  it('loads the turns of a long session once each when the user scrolls', async () => {
    const { page, hook, home } = viewer;
    const payloads = claudePayloads({ cwd: home.project });
    const turns = bySize({ quick: 130, full: 230 });
    for (let turn = 1; turn <= turns; turn += 1)
      await hook('UserPromptSubmit', payloads.prompt(`Question ${turn}.`));
    await viewer.visit(`/sessions/${await sessionOf(payloads.sessionId)}`);
    await page.getByRole('heading', { name: 'Turn 1', exact: true }).waitFor();
    const headings = page.getByRole('heading', { name: /^Turn \d+$/ });
    await expect.poll(() => headings.count()).toBe(100);
    await waitFor(
      async () => {
        await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
        return (await page.getByRole('heading', { name: `Turn ${turns}`, exact: true }).count()) > 0;
      },
      { what: 'the last turn', deadlineMs: 30_000 },
    );
    const seen = await headings.allTextContents();
    expect(seen).toEqual(Array.from({ length: turns }, (_, index) => `Turn ${index + 1}`));
    await page.getByRole('button', { name: 'Newest turn first' }).click();
    await expect.poll(() => headings.first().textContent()).toBe(`Turn ${turns}`);
    await hook('UserPromptSubmit', payloads.prompt('One more.'));
    await expect.poll(() => headings.first().textContent()).toBe(`Turn ${turns + 1}`);
  });

  it('shows what is deleted before it deletes a session, and restores the session', async () => {
    const { page } = viewer;
    await viewer.visit(`/sessions/${await sessionOf('few-2')}`);
    await page.getByRole('button', { name: 'Forget session' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/1 observations?, 1 summar(y|ies) and 1 prompts? (are|will be) forgotten/).waitFor();
    await dialog.getByRole('button', { name: 'Forget the session' }).click();
    await page.getByText('No records of this session.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'Turn 1' }).getByText('How are the pages').waitFor();
  });

  it('shows hostile text as text', async () => {
    const { page } = viewer;
    await viewer.visit(`/sessions/${await sessionOf('hostile')}`);
    await page.getByRole('region', { name: 'Turn 1' }).getByText(HOSTILE.prompt).waitFor();
    await page.getByRole('region', { name: 'Summary', exact: true }).getByText(HOSTILE.next).waitFor();
    expect(await page.locator('main script, main img, main iframe, main style').count()).toBe(0);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('reports an unknown session', async () => {
    viewer.pageErrors.allow(/status of 404/);
    await viewer.visit('/sessions/999999');
    await viewer.page.getByText('There is no such session').waitFor();
    expect(await viewer.checkAccessibility('main')).toEqual([]);
  });
});
