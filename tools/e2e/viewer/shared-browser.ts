import { createTempHome } from '@claude-mem/testing';
import { chromium, type Browser } from 'playwright-core';
import { endOfTests } from '../end-of-tests.js';
import { chromiumPath } from './find-chromium.js';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  // This foreign host name resolves to this machine, as in a DNS rebinding attack.
  '--host-resolver-rules=MAP evil.example 127.0.0.1',
];

/** Chromium loads these two pages for the address bar of every window, which no test sees. */
const OMNIBOX_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** The features that Playwright disables. Chromium reads only the last --disable-features. */
const PLAYWRIGHT_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/** These options reduce the processor time of tests by about 40 %. Benchmarks must not use them. */
const TEST_ARGUMENTS = [
  '--disable-extensions',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  `--disable-features=${[...PLAYWRIGHT_FEATURES, ...OMNIBOX_FEATURES].join(',')}`,
  // Test pages are short-lived, so optimizing a function costs more time than it saves.
  '--js-flags=--no-opt --no-maglev',
];

/** A browser in use. Disposal releases it. */
export interface AcquiredBrowser extends AsyncDisposable {
  browser: Browser;
}

interface SharedBrowser extends AcquiredBrowser {
  holders: number;
}

let shared: Promise<SharedBrowser> | null = null;

/**
 * In tests, returns the one Chromium of the process, because each start is slow. A closed browser is replaced, and
 * the last one is closed after the last test file. Outside of tests, starts a separate browser.
 */
export async function acquireBrowser(): Promise<AcquiredBrowser> {
  const atEnd = endOfTests();
  if (atEnd === null) return startBrowser(ARGUMENTS);
  shared = reuseOrStart(shared, atEnd);
  const held = await shared;
  held.holders += 1;
  return {
    browser: held.browser,
    async [Symbol.asyncDispose]() {
      held.holders -= 1;
      if (held.holders > 0) return;
      // Pages that a test did not close would run during the next test.
      await Promise.all(held.browser.contexts().map((context) => context.close()));
    },
  };
}

async function reuseOrStart(
  before: Promise<SharedBrowser> | null,
  atEnd: AsyncDisposable[],
): Promise<SharedBrowser> {
  const last = await before?.catch(() => null);
  if (last?.browser.isConnected()) return last;
  const started = { ...(await startBrowser([...ARGUMENTS, ...TEST_ARGUMENTS])), holders: 0 };
  atEnd.push(started);
  return started;
}

async function startBrowser(args: string[]): Promise<AcquiredBrowser> {
  // Chromium writes into its home folder.
  const home = await createTempHome();
  try {
    const executablePath = chromiumPath ?? '';
    const browser = await chromium.launch({ executablePath, args, env: home.env });
    return {
      browser,
      async [Symbol.asyncDispose]() {
        await browser.close();
        await home[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await home[Symbol.asyncDispose]();
    throw error;
  }
}
