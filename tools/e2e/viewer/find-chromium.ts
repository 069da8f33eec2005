import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser that tests of the viewer drive; null where there is none, and they are skipped. CHROMIUM_PATH names another. */
export const chromiumPath =
  [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((file) => file !== '' && existsSync(file)) ?? null;

if (chromiumPath === null)
  process.stderr.write('No Chromium here: tests of the viewer in a browser are skipped.\n');
