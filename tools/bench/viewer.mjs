// The viewer in a real browser, with a worker of its own at 100,000 observations.
/* global window */
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { p50And95, p95, row } from './figures.mjs';
import { benchViewerLive } from './viewer-live.mjs';
import { benchViewerSearch } from './viewer-search.mjs';

const LOADS = 10;
const PAINT_BUDGET_MS = 1_000;
const MOST_BYTES = 150_000;
const AFTER_FIRST_MS = 500;

/** @param options.minutes how long live events are watched */
export async function benchViewer({ say, minutes }) {
  const { chromiumPath, openViewer, countLoaded } = await harness();
  if (chromiumPath === null) return [row('viewer', 'not measured: there is no Chromium here')];
  say('opening the viewer of a large memory');
  const viewer = await openViewer({ memory: 'large' });
  try {
    await viewer.context.addInitScript({ path: path.join(import.meta.dirname, 'viewer-probe.mjs') });
    const rows = [await weigh(viewer, countLoaded)];
    for (const [name, address] of Object.entries(await addresses(viewer))) {
      say(`loads of the ${name}`);
      rows.push(...(await benchLoads(viewer, name, address)));
    }
    rows.push(...(await benchViewerSearch(viewer, { say })));
    rows.push(...(await benchViewerLive(viewer, { say, minutes })));
    return rows;
  } finally {
    await viewer[Symbol.asyncDispose]();
  }
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
    `${kB(first)} before the first records, ${kB(all)} with what follows, ${loaded.parts.size} files`,
    `${MOST_BYTES / 1_000} kB`,
    all < MOST_BYTES,
  );
}

/** Of the largest project, and its latest session. */
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

async function benchLoads({ origin, page, context }, name, address) {
  const cold = [];
  const warm = [];
  const debug = await context.newCDPSession(page);
  for (let load = 0; load < LOADS; load += 1) {
    await debug.send('Network.clearBrowserCache');
    for (const times of [cold, warm]) {
      await page.goto('about:blank');
      await page.goto(`${origin}${address}`, { waitUntil: 'commit' });
      times.push(await page.evaluate(() => window.bench.firstPainted()));
    }
  }
  await debug.detach();
  const line = (kind, times) =>
    row(
      `viewer, first useful paint, ${name}, ${kind}`,
      p50And95(times),
      `p95 ${PAINT_BUDGET_MS.toLocaleString('en')} ms`,
      p95(times) <= PAINT_BUDGET_MS,
    );
  return [line('cold', cold), line('warm', warm)];
}
