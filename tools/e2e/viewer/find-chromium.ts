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
  process.stderr.write('No Chromium here: tests of the viewer in a browser are skipped.\n');
