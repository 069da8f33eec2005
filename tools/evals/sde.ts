// npm run eval -- sde [options]: plays conversations through the hooks and measures whether the prompt of a new session is
// given the rule that one of them contains.
//   --show  prints each bug report with the text that is injected
//   --json  prints the figures as JSON
// Needs a build, which npm test makes. A figure beyond its goal does not change the exit code. The exit code is 1 when
// something could not be measured.
import { parseArgs } from 'node:util';
import { estimateTokens } from '@claude-mem/core';
import { randomFrom } from '@claude-mem/core/testing';
import type { Samples } from '../bench/samples.mjs';
import { readTurns } from './context/read-codemem.js';
import { dataSetFolder } from './recorded-turns.js';
import { formatTable, quantile, runPart, share, type Row } from './rows.js';
import {
  coverage,
  readDecoys,
  readTasks,
  ruleWords,
  textOf,
  type Conversation,
  type Task,
} from './sde/sde-bench.js';
import { usePlayedMemory, type Answer, type PlayedMemory } from './sde/use-played-memory.js';

const { values } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const TOP = 5;
const MAX_UNRELATED_PROMPTS = 120;
const SEED = 1;

interface Measured extends Answer {
  task: Task;
  words: readonly string[];
  /** Ids of the conversations of the observations that a search for the bug report finds. */
  found: readonly string[];
}

await measure(dataSetFolder());

async function measure(folder: string): Promise<void> {
  const tasks = readTasks(folder);
  const decoys = readDecoys(folder);
  const rows: Row[] = [];
  await runPart('bug reports', async (samples) => {
    const first = tasks.map(({ superseded, right }) => superseded[0] ?? right);
    const later = tasks.flatMap(({ superseded, right }) => [...superseded, right].slice(1));
    await usePlayedMemory([...shuffle([...decoys, ...first]), ...later], async (memory) => {
      const measured = await askTasks(memory, { tasks, samples });
      if (values.show && !values.json) for (const one of measured) console.log(formatMeasured(one));
      const unrelated = await askAll(memory, { prompts: unrelatedPrompts(folder), samples });
      const durations = [...measured, ...unrelated].map((answer) => answer.durations);
      rows.push(
        ...rowsOf(measured),
        ...rowsOfAmended(measured.filter(({ task }) => task.superseded.length > 0)),
        ...rowsOfDecoys(memory, decoys),
        injectedShare('unrelated prompts that are given something', unrelated, 0.01),
        ...rowsOfDurations(durations),
      );
    });
  });
  await runPart('a memory of decoys', async (samples) => {
    await usePlayedMemory(shuffle(decoys), async (memory) => {
      const answers = await askAll(memory, { prompts: tasks.map(({ bugReport }) => bugReport), samples });
      const measure = 'bug reports that are given something by a memory of decoys only';
      rows.push(injectedShare(measure, answers, 0.1));
    });
  });
  console.log(values.json ? JSON.stringify(rows, null, 2) : formatTable(rows));
}

async function askTasks(
  memory: PlayedMemory,
  { tasks, samples }: { tasks: readonly Task[]; samples: Samples },
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const task of tasks)
    await samples.add(async () => {
      const found = await memory.search(task.bugReport);
      measured.push({ task, words: ruleWords(task), found, ...(await memory.ask(task.bugReport)) });
    });
  return measured;
}

async function askAll(
  memory: PlayedMemory,
  { prompts, samples }: { prompts: readonly string[]; samples: Samples },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const prompt of prompts)
    await samples.add(async () => {
      answers.push(await memory.ask(prompt));
    });
  return answers;
}

function unrelatedPrompts(folder: string): string[] {
  const prompts = readTurns(folder).map(({ batch }) => (batch.promptNumber === 1 ? batch.prompt : null));
  return [...new Set(prompts.filter((prompt) => prompt !== null))].slice(0, MAX_UNRELATED_PROMPTS);
}

function rowsOf(measured: readonly Measured[]): Row[] {
  const covered = (name: string, read: (one: Measured) => string, goal: number | null = null) =>
    mean(
      name,
      measured.map((one) => coverage(one.words, read(one))),
      goal,
    );
  const tokens = measured.map(({ injected }) => estimateTokens(injected));
  return [
    covered('rule words in the text that the prompt injects', ({ injected }) => injected, 0.8),
    covered('… in the right conversation (upper limit)', ({ task }) => textOf(task.right)),
    covered(
      '… in what the start of the session and the prompt inject together',
      (one) => `${one.started}\n${one.injected}`,
    ),
    mean('tokens that the prompt injects', tokens),
    {
      measure: '… the most',
      figure: Math.max(0, ...tokens),
      of: `${tokens.length} tasks`,
      goal: 260,
      isUpperLimit: true,
    },
    share(
      `right conversation among the first ${TOP} of a search`,
      measured.filter(({ task, found }) => found.slice(0, TOP).includes(task.right.id)).length,
      measured.length,
      { goal: 0.95 },
    ),
  ];
}

function rowsOfAmended(amended: readonly Measured[]): Row[] {
  const count = (matches: (one: Measured) => boolean) => amended.filter(matches).length;
  return [
    share(
      'amended tasks: current rule before the superseded one in the search',
      count(({ task, found }) => isFirst(task, found)),
      amended.length,
      { goal: 1 },
    ),
    share(
      '… in what the prompt injects',
      count(({ task, conversations }) => isFirst(task, conversations)),
      amended.length,
      { goal: 1 },
    ),
    share(
      '… superseded rule injected',
      count(({ task, conversations }) => task.superseded.some(({ id }) => conversations.includes(id))),
      amended.length,
      { goal: 0, isUpperLimit: true },
    ),
  ];
}

/** Whether the list contains the right conversation, and none of the superseded ones before it. */
function isFirst({ right, superseded }: Task, conversations: readonly string[]): boolean {
  return conversations.find((id) => [right, ...superseded].some((one) => one.id === id)) === right.id;
}

function rowsOfDecoys({ visible }: PlayedMemory, decoys: readonly Conversation[]): Row[] {
  const observed = decoys.map(({ id }) => visible.filter((one) => one === id).length);
  return [
    share(
      'decoys with a visible observation that is not superseded',
      observed.filter((count) => count > 0).length,
      decoys.length,
      { goal: 0.15, isUpperLimit: true },
    ),
    mean('… observations per decoy', observed, null, 'decoys'),
  ];
}

function rowsOfDurations(durations: readonly (readonly number[])[]): Row[] {
  const all = durations.flat();
  const hooks = `${all.length} hooks`;
  return [
    {
      measure: 'prompt hook with recall: milliseconds, 50 of 100',
      figure: quantile(all, 0.5),
      of: hooks,
      goal: null,
    },
    { measure: '… 95 of 100', figure: quantile(all, 0.95), of: hooks, goal: null },
    share('… sent again because a hook was late', all.length - durations.length, all.length),
  ];
}

function injectedShare(measure: string, answers: readonly Answer[], goal: number): Row {
  const injected = answers.filter((answer) => answer.injected !== '').length;
  return share(measure, injected, answers.length, { goal, isUpperLimit: true });
}

function mean(
  measure: string,
  numbers: readonly number[],
  goal: number | null = null,
  what: string = 'tasks',
): Row {
  const total = numbers.reduce((sum, number) => sum + number, 0);
  return { measure, figure: total / Math.max(1, numbers.length), of: `${numbers.length} ${what}`, goal };
}

/** The same order each time. */
function shuffle<Item>(items: readonly Item[]): Item[] {
  const random = randomFrom(SEED);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}

function formatMeasured({ task, words, found, started, injected, conversations }: Measured): string {
  const rank = found.indexOf(task.right.id) + 1;
  const missing = words.filter((word) => coverage([word], injected) === 0);
  return [
    `\n=== ${task.id}: ${task.bugReport}`,
    `rule: ${task.policy}`,
    `rank in the search: ${rank === 0 ? 'not found' : rank}`,
    `rule words: ${coverage(words, injected).toFixed(2)} of ${words.length}, with the start of the session ${coverage(words, `${started}\n${injected}`).toFixed(2)}`,
    `missing: ${missing.join(', ') || 'none'}`,
    `injected (${estimateTokens(injected)} tokens; ${conversations.join(', ') || 'no record'}):`,
    injected || '(nothing)',
  ].join('\n');
}
