// Measures search while typing: the time from the last key to the frame that shows the results of the complete text.
/* global window */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../e2e/session-source.mjs';
import { ms, p50, p50And95, p95, row } from './figures.mjs';
import { sampleRow, Samples, withTimeout } from './samples.mjs';
import { syntheticQueries } from './search-synthetic-memory.mjs';

const QUERIES = 20;
const MEMORY = 100_000;
const BUDGET_MS = 100;
const MIN_PAUSE_MS = 60;
const MAX_PAUSE_MS = 120;
/** Wait, because requests of the previous page may still be running. */
const SETTLE_MS = 300;

export async function benchViewerSearch({ page, visit }, { report, scale }) {
  report('search while typing');
  const random = randomFrom(3);
  const pause = () => MIN_PAUSE_MS + random() * (MAX_PAUSE_MS - MIN_PAUSE_MS);
  await visit('/search');
  await page.locator('#search-results article').first().waitFor();
  const samples = new Samples();
  for (const { text } of syntheticQueries(scale(QUERIES), MEMORY))
    await samples.add(() => typeQuery(page, text, pause));
  const summary = sampleRow(`viewer, search, last key to painted results`, samples, {
    format: (results) => `${p50And95(results.map(fullTime))}, ${results.length} texts`,
    budget: `p95 ${BUDGET_MS} ms`,
    isWithin: (results) => p95(results.map(fullTime)) <= BUDGET_MS,
  });
  return samples.values.length === 0 ? [summary] : [summary, ...componentRows(samples.values)];
}

/**
 * Types a query.
 * @returns the times that the probe in the page recorded
 */
async function typeQuery(page, text, pause) {
  await page.locator('#search-box').fill('');
  await sleep(SETTLE_MS);
  for (const key of text.slice(0, -1)) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await sleep(pause());
  }
  const drawn = await page.evaluateHandle((query) => {
    const answer = window.bench.answerDrawn(query);
    return { answer };
  }, text);
  try {
    await page.keyboard.press(text.at(-1));
    return await withTimeout(drawn.evaluate(({ answer }) => answer));
  } finally {
    await drawn.dispose();
  }
}

const fullTime = ({ key, drawn }) => drawn - key;

function componentRows(results) {
  const times = (read) => results.map(read);
  const components = [
    ['until the request', ({ key, asked }) => asked - key],
    ['worker', ({ asked, answered }) => answered - asked],
    ['transfer', ({ answered, came }) => came - answered],
    ['until the paint', ({ came, drawn }) => drawn - came],
  ];
  const kB = (bytes) => `${(bytes / 1_000).toFixed(0)} kB`;
  return [
    ...components.map(([name, read]) => row(`  ${name}`, p50And95(times(read)))),
    row('  response', `p50 ${kB(p50(times(({ bytes }) => bytes)))}, frame ${ms(1_000 / 60)}`),
  ];
}
