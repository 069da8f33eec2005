// Search as one types: from the last key to the frame in which the answer of exactly that text is drawn.
/* global window */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../e2e/session-source.mjs';
import { ms, p50, p50And95, p95, row } from './figures.mjs';
import { madeUpQueries } from './search-made-up-memory.mjs';

const QUERIES = 20;
const MEMORY = 100_000;
const BUDGET_MS = 100;
const LEAST_PAUSE_MS = 60;
const MOST_PAUSE_MS = 120;
/** The pages before are still at work for a moment. */
const SETTLE_MS = 300;

export async function benchViewerSearch({ page, visit }, { say }) {
  say('search as one types');
  const random = randomFrom(3);
  const pause = () => LEAST_PAUSE_MS + random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS);
  await visit('/search');
  await page.locator('#search-results article').first().waitFor();
  const box = page.locator('#search-box');
  const answers = [];
  for (const text of texts()) {
    await box.fill('');
    await sleep(SETTLE_MS);
    for (const key of text.slice(0, -1)) {
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      await sleep(pause());
    }
    const drawn = await page.evaluateHandle((query) => {
      const answer = window.bench.answerDrawn(query);
      return { answer };
    }, text);
    await page.keyboard.press(text.at(-1));
    answers.push(await drawn.evaluate(({ answer }) => answer));
    await drawn.dispose();
  }
  return rowsOf(answers);
}

const texts = () => Array.from(madeUpQueries(QUERIES, MEMORY), ({ text }) => text);

function rowsOf(answers) {
  const times = (of) => answers.map(of);
  const all = times(({ key, drawn }) => drawn - key);
  const parts = [
    ['until it is asked', ({ key, asked }) => asked - key],
    ['worker', ({ asked, answered }) => answered - asked],
    ['transfer', ({ answered, came }) => came - answered],
    ['until it is drawn', ({ came, drawn }) => drawn - came],
  ];
  const kB = (bytes) => `${(bytes / 1_000).toFixed(0)} kB`;
  return [
    row(
      `viewer, search, last key to drawn answer, ${answers.length} texts`,
      p50And95(all),
      `p95 ${BUDGET_MS} ms`,
      p95(all) <= BUDGET_MS,
    ),
    ...parts.map(([name, of]) => row(`  ${name}`, p50And95(times(of)))),
    row('  answer', `p50 ${kB(p50(times(({ bytes }) => bytes)))}, frame ${ms(1_000 / 60)}`),
  ];
}
