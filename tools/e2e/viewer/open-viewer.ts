import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  isFullRun,
  requestWorker,
  startWorker,
  waitUntilDrained,
  workspacePaths,
  type Environment,
  type TempHome,
  type WorkerProcess,
} from '@claude-mem/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { buildWorker } from './build-worker.js';
import { checkAccessibility } from './check-accessibility.js';
import { chromiumPath } from './find-chromium.js';
import { acquireBrowser } from './shared-browser.js';
import { slowPages } from './slow-pages.js';
import { collectPageErrors, type PageErrors } from './collect-page-errors.js';
import { writeMemory, type MemoryName } from './write-memory.js';

/** The first test of a run also builds the worker and generates the large memory. */
export const OPEN_TIMEOUT_MS = 900_000;

/** Timeout of one page operation. It is generous, because other processes may use the processor. */
const STEP_TIMEOUT_MS = 60_000;

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1280, 2560] as const;
const SCREENS = path.join(workspacePaths.root, '.screens');

export interface OpenViewerOptions {
  /** @default 'small' */
  memory?: MemoryName;
  env?: Environment;
  theme?: (typeof THEMES)[number];
  /** Width of the window in pixels. @default 1280 */
  width?: number;
  /** Whether the browser has the session cookie. No page is loaded. @default true */
  isSignedIn?: boolean;
}

/**
 * A worker with its viewer in an isolated browser context. Disposal closes both, and throws if unhandled page errors
 * remain.
 */
export interface OpenViewer extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** Origin of the viewer, without a slash at the end. */
  origin: string;
  home: TempHome;
  worker: WorkerProcess;
  pageErrors: PageErrors;
  /** Loads a page of the viewer from the worker and waits for its heading. */
  visit(address: string): Promise<void>;
  /**
   * Opens another page without loading the viewer again, like a link. Takes a third of the time of `visit`. The pages
   * must have different components, because React keeps the heading when only the parameters change.
   */
  navigate(address: string): Promise<void>;
  /** Creates a sign-in URL, which is valid once. */
  signInAddress(): Promise<string>;
  /** Sends a request to the worker without the browser. Rejects unless the status is 200. */
  ask<Reply>(request: { method?: string; path: string; body?: unknown }): Promise<Reply>;
  /** Sends an event of Claude Code, like its hook. */
  hook(event: string, payload: unknown): Promise<void>;
  /** Resolves when the spool is empty and no message is pending. */
  drained(): Promise<void>;
  /** Kills the worker like a crash. `startWorker` starts a worker with the same port and memory. */
  killWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** Saves screenshots in both themes and three widths to .screens/. `npm test` saves none. */
  screenshot(name: string, options?: { widths?: readonly number[]; isFullPage?: boolean }): Promise<void>;
  /**
   * Returns the accessibility problems that axe finds on the current page. Checks both themes in the full run,
   * otherwise only the light theme.
   * @param within CSS selector of the part to check, by default the full page
   */
  checkAccessibility(within?: string): Promise<string[]>;
  /** Checks the full page in both themes, also in the quick run. */
  checkAccessibilityOfThemes(): Promise<string[]>;
}

export async function openViewer(options: OpenViewerOptions = {}): Promise<OpenViewer> {
  if (chromiumPath === null)
    throw new Error('Chromium is not installed. Set CHROMIUM_PATH to another browser.');
  const closers: Closer[] = [];
  try {
    return await open(options, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

type Closer = () => PromiseLike<void>;

async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const close of closers.toReversed()) await close();
}

async function open(options: OpenViewerOptions, closers: Closer[]): Promise<OpenViewer> {
  const { memory = 'small', theme = 'light', width = 1280, isSignedIn = true } = options;
  const main = await buildWorker();
  const home = await createTempHome();
  closers.push(() => home[Symbol.asyncDispose]());
  await writeMemory(home.dataDir, memory);
  const env = { CLAUDE_MEM_EMBEDDER: 'none', CLAUDE_MEM_PROVIDER: 'local', ...options.env };
  const start = () => startWorker(home, { main, env, deadlineMs: 60_000 });
  // The system chooses the port, because a port that was free before can be in use now.
  home.env['CLAUDE_MEM_WORKER_PORT'] = '0';
  let worker = await start();
  home.port = await portOf(home);
  home.env['CLAUDE_MEM_WORKER_PORT'] = String(home.port);
  closers.push(() => worker[Symbol.asyncDispose]());
  const origin = `http://127.0.0.1:${home.port}`;

  const held = await acquireBrowser();
  closers.push(() => held[Symbol.asyncDispose]());
  const context = await held.browser.newContext({
    viewport: heightFor(width),
    colorScheme: theme,
    locale: 'en-GB',
  });
  closers.push(() => context.close());
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  await slowPages(context, Number(process.env['CLAUDE_MEM_SLOW_PAGES'] ?? 1));
  const pageErrors = await collectPageErrors(context, origin);
  const page = await context.newPage();

  const ask = async <Reply>(request: { method?: string; path: string; body?: unknown }) => {
    const { status, json, text } = await requestWorker(home, request);
    if (status !== 200) throw new Error(`${request.path} was answered with ${status}: ${text.slice(0, 500)}`);
    return json as Reply;
  };
  const signInAddress = async () =>
    (await ask<{ url: string }>({ method: 'POST', path: '/api/sign-in-codes' })).url;
  const visit = async (address: string) => {
    await page.goto(`${origin}${address}`);
    await page.locator('main h1, main [role="status"]').first().waitFor();
  };
  const navigate = async (address: string) => {
    if (!page.url().startsWith(`${origin}/`)) return visit(address);
    await page.evaluate((target) => {
      for (const heading of document.querySelectorAll('main h1')) heading.setAttribute('data-previous', '');
      history.pushState(null, '', target);
    }, address);
    await page.locator('main h1:not([data-previous])').first().waitFor();
  };
  // Signs in without a page, so that the first page is the one that a test visits.
  if (isSignedIn) await context.request.get(await signInAddress(), { maxRedirects: 0 });
  const inEachTheme = async <Result>(
    look: (name: string) => Promise<Result[]>,
    themes: readonly (typeof THEMES)[number][] = THEMES,
  ) => {
    const found: Result[] = [];
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await look(colorScheme)));
    }
    await page.emulateMedia({ colorScheme: theme });
    return found;
  };

  const checkThemes = (themes: readonly (typeof THEMES)[number][], within?: string) =>
    inEachTheme(
      async (colours) =>
        // The themes differ only in their colours, so the dark theme is checked only for contrast.
        (await checkAccessibility(page, { within, isContrastOnly: colours !== THEMES[0] })).map(
          (line) => `${colours}: ${line}`,
        ),
      themes,
    );

  return {
    page,
    context,
    origin,
    home,
    get worker() {
      return worker;
    },
    pageErrors,
    visit,
    navigate,
    signInAddress,
    ask,
    async hook(event, payload) {
      await ask({ method: 'POST', path: `/api/hooks/claude-code/${event}`, body: payload });
    },
    async drained() {
      await waitUntilDrained(home);
    },
    async killWorker() {
      await worker.kill('SIGKILL');
    },
    async startWorker() {
      worker = await start();
    },
    async screenshot(name, { widths = WIDTHS, isFullPage = false } = {}) {
      if (process.env['CLAUDE_MEM_SCREENS'] === '0') return;
      mkdirSync(SCREENS, { recursive: true });
      const before = page.viewportSize() ?? heightFor(width);
      await inEachTheme(async (colours) => {
        for (const one of widths) {
          await page.setViewportSize(heightFor(one));
          if (isFullPage) await page.setViewportSize({ width: one, height: await fullHeight(page) });
          await page.evaluate(
            () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
          );
          const file = path.join(SCREENS, `${name}-${one}-${colours}.png`);
          await page.screenshot({ path: file, animations: 'disabled' });
        }
        return [];
      });
      await page.setViewportSize(before);
    },
    checkAccessibility: (within) => checkThemes(isFullRun ? THEMES : [THEMES[0]], within),
    checkAccessibilityOfThemes: () => checkThemes(THEMES),
    async [Symbol.asyncDispose]() {
      const left = pageErrors.take();
      await closeAll(closers);
      if (left.length > 0) throw new Error(`Unhandled page errors:\n${left.join('\n')}`);
    },
  };
}

/** The viewer scrolls inside the window, so a full-page screenshot needs a window of the height of the content. */
const fullHeight = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main');
    if (main === null) return document.documentElement.scrollHeight;
    return Math.max(innerHeight, main.scrollHeight + main.getBoundingClientRect().top);
  });

async function portOf(home: TempHome): Promise<number> {
  const { json } = await requestWorker(home, { path: '/api/health' });
  return (json as { tcp: { port: number } }).tcp.port;
}

const heightFor = (width: number) => ({ width, height: width < 500 ? 740 : width > 2000 ? 1440 : 800 });
