// Measures the memory of pages that stay open while events arrive: the feed at its top, scrolled down, and with a
// filter.
/* global document */
import { setTimeout as sleep } from 'node:timers/promises';
import { claudePayloads } from '@claude-mem/testing';
import { failedRow, mib, residentBytes, row } from './figures.mjs';
import { Samples, withTimeout } from './samples.mjs';

const PER_SECOND = 5;
const PER_PROMPT = 8;
const PROMPTS_PER_SESSION = 5;
/** The heap grows during the first minute, until the pages hold their maximum number of rows. */
const WARM_UP_MINUTES = 1;
const MIN_MINUTES = 4;
const MAX_GROWTH = 2 * 2 ** 20;
const MAX_NODES = 200;
const COUNTED_MINUTES = 10;

/**
 * Measures the memory of open pages.
 * @param options.minutes how long events are sent; growth is compared with the budget only after a few minutes
 */
export async function benchViewerLive(viewer, { report, minutes }) {
  const events = createEvents(viewer);
  await events.send();
  await viewer.drained();
  const pages = await openPages(viewer, events.project());
  const started = performance.now();
  const until = started + minutes * 60_000;
  const sampleMs = Math.min(60_000, (minutes * 60_000) / 6);
  const passed = () => (performance.now() - started) / 60_000;
  const samples = new Samples();
  const sends = new Samples();
  let isOver = false;
  const sending = (async () => {
    while (!isOver) {
      await Promise.all([sends.add(() => events.send()), sleep(1_000 / PER_SECOND)]);
    }
  })();
  try {
    for (let next = started; next <= until + 1; next += sampleMs) {
      await sleep(Math.max(0, next - performance.now()));
      await samples.add(() => withTimeout(sampleOf(viewer, pages, passed())));
      report(`live for ${passed().toFixed(1)} of ${minutes} min, ${events.sent()} events`);
    }
  } finally {
    isOver = true;
    await sending;
  }
  const waiting = await withTimeout(readWaiting(pages)).catch(() => pages.map(() => ''));
  for (const { page } of pages) await page.close().catch(() => undefined);
  const missed = [samples, sends].map((one) => one.formatMissed()).filter(Boolean);
  if (samples.values.length === 0) return [failedRow('viewer, live', missed.join('; '))];
  return [
    ...rowsOf({ pages, samples: samples.values, minutes, sent: events.sent(), waiting }),
    ...missed.map((text) => row('viewer, live, missed samples', text)),
  ];
}

/** Sends the events of sessions in one project, one at a time. */
function createEvents({ hook, home, ask }) {
  let payloads;
  let sent = 0;
  let project;
  const next = () => {
    const step = sent % (PER_PROMPT + 2);
    if (sent % (PROMPTS_PER_SESSION * (PER_PROMPT + 2)) === 0)
      payloads = claudePayloads({ cwd: home.project });
    sent += 1;
    if (step === 0) return ['UserPromptSubmit', payloads.prompt(`Raise the limit of part ${sent}, please`)];
    if (step === PER_PROMPT + 1) return ['Stop', payloads.stop(`The limit of part ${sent} is raised.`)];
    return ['PostToolUse', payloads.toolUse()];
  };
  return {
    async send() {
      await hook(...next());
      if (project !== undefined) return;
      project = (await ask({ path: '/api/feed?limit=1' })).items[0].project;
    },
    sent: () => sent,
    project: () => project,
  };
}

async function openPages({ origin, context }, project) {
  const open = async (name, address) => {
    const page = await context.newPage();
    await page.goto(`${origin}${address}`);
    await page.locator('ol article').first().waitFor();
    const debug = await context.newCDPSession(page);
    await debug.send('Performance.enable');
    return { name, page, debug };
  };
  const top = await open('at the top', '/');
  const down = await open('scrolled down', '/');
  await down.page.evaluate(() => document.getElementById('page').scrollBy(0, 4_000));
  const filtered = await open(
    'with a filter',
    `/?project=${encodeURIComponent(project)}&kind=observation&kind=prompt`,
  );
  return [top, down, filtered];
}

async function sampleOf({ worker }, pages, minute) {
  const sample = { minute, rss: residentBytes(worker.pid), pages: [] };
  for (const { debug } of pages) {
    await debug.send('HeapProfiler.collectGarbage');
    const { metrics } = await debug.send('Performance.getMetrics');
    const metric = (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? 0;
    sample.pages.push({
      heap: metric('JSHeapUsedSize'),
      nodes: metric('Nodes'),
      listeners: metric('JSEventListeners'),
    });
  }
  return sample;
}

/** Returns the text of the "new records" button of each page. */
function readWaiting(pages) {
  return Promise.all(
    pages.map(({ page }) =>
      page.evaluate(() => document.querySelector('[role="status"] button')?.textContent ?? ''),
    ),
  );
}

function rowsOf({ pages, samples, minutes, sent, waiting }) {
  const isLong = minutes >= MIN_MINUTES;
  const counted = isLong ? samples.filter(({ minute }) => minute >= WARM_UP_MINUTES) : samples;
  const [first, last] = [samples[0], samples.at(-1)];
  const growthOf = (read) => slope(counted.map((sample) => [sample.minute, read(sample)])) * COUNTED_MINUTES;
  const signed = (bytes) => `${bytes < 0 ? '−' : '+'}${(Math.abs(bytes) / 2 ** 20).toFixed(2)} MiB`;
  return [
    ...pages.map(({ name }, which) => {
      const heap = growthOf((sample) => sample.pages[which].heap);
      const nodes = growthOf((sample) => sample.pages[which].nodes);
      const at = (sample) => sample.pages[which];
      const button = waiting[which] === '' ? '' : `, "${waiting[which].trim()}"`;
      return row(
        `viewer, live for ${minutes} min, ${name}`,
        `heap ${mib(at(first).heap)} to ${mib(at(last).heap)}, nodes ${at(first).nodes} to ${at(last).nodes}, ` +
          `listeners ${at(first).listeners} to ${at(last).listeners}; ${signed(heap)} and ` +
          `${Math.round(nodes)} nodes in ${COUNTED_MINUTES} min${button}`,
        `${mib(MAX_GROWTH)}, ${MAX_NODES} nodes`,
        isLong ? heap <= MAX_GROWTH && nodes <= MAX_NODES : null,
      );
    }),
    row(
      `viewer, live for ${minutes} min, worker`,
      `${mib(first.rss)} to ${mib(last.rss)}, ${sent} events, ${(sent / minutes / 60).toFixed(1)} a second`,
    ),
  ];
}

/** Returns the slope of the least-squares line. */
function slope(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [atX, atY] = [mean(([x]) => x), mean(([, y]) => y)];
  const spread = points.reduce((sum, [x]) => sum + (x - atX) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - atX) * (y - atY), 0) / spread;
}
