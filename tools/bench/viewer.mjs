// Measures the viewer in a real browser, with its own worker and 100,000 observations.
/* global window */
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { p50And95, p95, row, skippedRow } from './figures.mjs';
import { runMeasurements, sampleRow, Samples, withTimeout } from './samples.mjs';
import { benchViewerLive } from './viewer-live.mjs';
import { benchViewerSearch } from './viewer-search.mjs';

const LOADS = 10;
const PAINT_BUDGET_MS = 1_000;
const MAX_BYTES = 150_000;
const AFTER_FIRST_MS = 500;

/**
 * Measures the viewer.
 * @param options.minutes how long live events are sent
 */
export async function benchViewer(options) {
  const { report } = options;
  const { chromiumPath, openViewer, countLoaded } = await harness();
  if (chromiumPath === null)
    return [skippedRow('viewer', 'Chromium not found. Set CHROMIUM_PATH to the program')];
  report('opening the viewer of a large memory');
  const viewer = await openViewer({ memory: 'large' });
  return runMeasurements([
    ['viewer', () => benchPages(viewer, countLoaded, options)],
    // Disposal rejects if the browser logged errors.
    ['viewer, errors in the browser', () => viewer[Symbol.asyncDispose]()],
  ]);
}

async function benchPages(viewer, countLoaded, options) {
  await viewer.context.addInitScript({ path: path.join(import.meta.dirname, 'viewer-probe.mjs') });
  return runMeasurements([
    ['viewer, packed size of /', async () => [await weigh(viewer, countLoaded)]],
    ...Object.entries(await addresses(viewer)).map(([name, address]) => [
      `viewer, first useful paint, ${name}`,
      () => benchLoads(viewer, { name, address }, options),
    ]),
    ['viewer, search', () => benchViewerSearch(viewer, options)],
    ['viewer, live', () => benchViewerLive(viewer, options)],
  ]);
}

async function harness() {
  const load = (name) => tsImport(`../e2e/viewer/${name}.ts`, import.meta.url);
  return {
    ...(await load('find-chromium')),
    ...(await load('open-viewer')),
    ...(await load('count-loaded')),
  };
}

async function weigh({ context, origin }, countLoaded) {
  const page = await context.newPage();
  const loaded = await countLoaded(page);
  await page.goto(`${origin}/`);
  await page.locator('ol article').first().waitFor();
  const first = await loaded.total();
  await page.waitForTimeout(AFTER_FIRST_MS);
  const all = await loaded.total();
  await page.close();
  const kB = (bytes) => `${(bytes / 1_000).toFixed(1)} kB`;
  return row(
    'viewer, packed size of /',
    `${kB(first)} before the first records, ${kB(all)} with the requests after them, ${loaded.parts.size} files`,
    `${MAX_BYTES / 1_000} kB`,
    all < MAX_BYTES,
  );
}

/** Returns the URLs of the pages. They use the largest project and its latest session. */
async function addresses(viewer) {
  const { items: projects } = await viewer.ask({ path: '/api/projects' });
  const [project] = projects.toSorted((one, other) => other.observations - one.observations);
  const { items } = await viewer.ask({ path: `/api/sessions?projectId=${project.id}&limit=1` });
  return {
    feed: '/',
    search: '/search?q=token',
    project: `/projects/${project.id}`,
    session: `/sessions/${items[0].id}`,
  };
}

async function benchLoads({ origin, page, context }, { name, address }, { report, scale }) {
  report(`loads of the ${name}`);
  const [cold, warm] = [new Samples(), new Samples()];
  const debug = await context.newCDPSession(page);
  const load = async () => {
    await page.goto('about:blank');
    await page.goto(`${origin}${address}`, { waitUntil: 'commit' });
    return withTimeout(page.evaluate(() => window.bench.firstPainted()));
  };
  for (let index = 0; index < scale(LOADS); index += 1) {
    await cold.add(async () => {
      await debug.send('Network.clearBrowserCache');
      return load();
    });
    await warm.add(load);
  }
  await debug.detach().catch(() => undefined);
  const loadRow = (kind, samples) =>
    sampleRow(`viewer, first useful paint, ${name}, ${kind}`, samples, {
      format: p50And95,
      budget: `p95 ${PAINT_BUDGET_MS.toLocaleString('en')} ms`,
      isWithin: (times) => p95(times) <= PAINT_BUDGET_MS,
    });
  return [loadRow('cold', cold), loadRow('warm', warm)];
}
