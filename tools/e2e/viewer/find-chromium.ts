import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Path of the browser for viewer tests. Null when no browser is installed; the tests are then skipped. CHROMIUM_PATH
 * overrides the search.
 */
export const chromiumPath =
  [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((file) => file !== '' && existsSync(file)) ?? null;

if (chromiumPath === null)
  process.stderr.write(
    'Chromium is not installed, so viewer tests in a browser are skipped. CHROMIUM_PATH can name another browser.\n',
  );
