// npm run eval -- sde [options]: plays conversations through the hooks and measures whether the rule of a conversation is
// injected with the prompt of a new session.
//   --show  prints each bug report with the text that is injected
//   --json  prints the figures as JSON
// Needs a build, which npm test makes. A figure beyond its goal does not change the exit code. The exit code is 1 when
// something could not be measured.
import { join } from 'node:path';
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

interface Measured {
  task: Task;
  words: readonly string[];
  /** Ids of the conversations of the observations that a search with the bug report returns. */
  found: readonly string[];
  /** Responses in sessions whose start is reported. */
  started: Answer;
  /** Responses in sessions whose start is not reported. */
  alone: Answer;
}

await measure(dataSetFolder());

async function measure(folder: string): Promise<void> {
  const set = join(folder, 'data', 'sde-bench');
  const tasks = readTasks(set);
  const decoys = readDecoys(set);
  const rows: Row[] = [];
  await runPart('bug reports', async (samples) => {
    const first = tasks.map(({ superseded, right }) => superseded[0] ?? right);
    const later = tasks.flatMap(({ superseded, right }) => [...superseded, right].slice(1));
    await usePlayedMemory([...shuffle([...decoys, ...first]), ...later], async (memory) => {
      const measured = await askTasks(memory, { tasks, samples });
      if (values.show && !values.json) for (const one of measured) console.log(formatMeasured(one));
      const unrelated = await askAll(memory, { prompts: unrelatedPrompts(folder), samples });
      rows.push(
        ...rowsOfSearch(measured),
        ...rowsOfStarts(measured),
        ...rowsOfPrompts('after the start of the session, the prompt', measured, ({ started }) => started),
        ...rowsOfPrompts('without a start, the prompt', measured, ({ alone }) => alone),
        ...rowsOfDecoys(memory, decoys),
        injectedShare('unrelated prompts that inject something', unrelated, 0.01),
        ...rowsOfDurations([...measured.flatMap(({ started, alone }) => [started, alone]), ...unrelated]),
      );
    });
  });
  await runPart('a memory of decoys', async (samples) => {
    await usePlayedMemory(shuffle(decoys), async (memory) => {
      const answers = await askAll(memory, { prompts: tasks.map(({ bugReport }) => bugReport), samples });
      const measure = 'bug reports that inject something from a memory of decoys only';
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
      const { bugReport } = task;
      const found = await memory.search(bugReport);
      const started = await memory.ask(bugReport, { isStarted: true });
      const alone = await memory.ask(bugReport, { isStarted: false });
      measured.push({ task, words: ruleWords(task), found, started, alone });
    });
  return measured;
}

/** The start is not reported. Otherwise it could inject records, which the prompt would then not inject. */
async function askAll(
  memory: PlayedMemory,
  { prompts, samples }: { prompts: readonly string[]; samples: Samples },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const prompt of prompts)
    await samples.add(async () => {
      answers.push(await memory.ask(prompt, { isStarted: false }));
    });
  return answers;
}

function unrelatedPrompts(folder: string): string[] {
  const prompts = readTurns(folder).map(({ batch }) => (batch.promptNumber === 1 ? batch.prompt : null));
  return [...new Set(prompts.filter((prompt) => prompt !== null))].slice(0, MAX_UNRELATED_PROMPTS);
}

function rowsOfSearch(measured: readonly Measured[]): Row[] {
  const amended = measured.filter(isAmended);
  return [
    share(
      `right conversation among the first ${TOP} of a search`,
      measured.filter(({ task, found }) => found.slice(0, TOP).includes(task.right.id)).length,
      measured.length,
      { goal: 0.95 },
    ),
    share(
      '… amended tasks: before the superseded one',
      amended.filter(({ task, found }) => isFirst(task, found)).length,
      amended.length,
      { goal: 1 },
    ),
  ];
}

function rowsOfStarts(measured: readonly Measured[]): Row[] {
  return [
    meanCoverage('rule words in the right conversation (upper limit)', measured, ({ task }) =>
      textOf(task.right),
    ),
    meanCoverage(
      '… in what the start of the session and the prompt inject together',
      measured,
      ({ started }) => textOfBoth(started),
    ),
  ];
}

function rowsOfPrompts(name: string, measured: readonly Measured[], read: (one: Measured) => Answer): Row[] {
  const amended = measured.filter(isAmended);
  const tokens = measured.map((one) => estimateTokens(read(one).injected));
  return [
    meanCoverage(`${name} injects: rule words`, measured, (one) => read(one).injected, 0.8),
    mean('… tokens', tokens),
    {
      measure: '… tokens, maximum',
      figure: Math.max(0, ...tokens),
      of: `${tokens.length} tasks`,
      goal: 260,
      isUpperLimit: true,
    },
    share(
      '… amended tasks: the current rule before the superseded one',
      amended.filter((one) => isFirst(one.task, read(one).conversations)).length,
      amended.length,
      { goal: 1 },
    ),
    share(
      '… amended tasks: the superseded rule',
      amended.filter((one) => one.task.superseded.some(({ id }) => read(one).conversations.includes(id)))
        .length,
      amended.length,
      { goal: 0, isUpperLimit: true },
    ),
  ];
}

function isAmended({ task }: Measured): boolean {
  return task.superseded.length > 0;
}

function textOfBoth({ started, injected }: Answer): string {
  return `${started}\n${injected}`;
}

function meanCoverage(
  measure: string,
  measured: readonly Measured[],
  read: (one: Measured) => string,
  goal: number | null = null,
): Row {
  return mean(
    measure,
    measured.map((one) => coverage(one.words, read(one))),
    { goal },
  );
}

/** Returns true if the list contains the right conversation before any superseded one. */
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
    mean('… observations per decoy', observed, { what: 'decoys' }),
  ];
}

function rowsOfDurations(answers: readonly Answer[]): Row[] {
  const all = answers.flatMap(({ durations }) => durations);
  const hooks = `${all.length} hooks`;
  return [
    {
      measure: 'prompt hook with recall: milliseconds, 50 of 100',
      figure: quantile(all, 0.5),
      of: hooks,
      goal: null,
    },
    { measure: '… 95 of 100', figure: quantile(all, 0.95), of: hooks, goal: null },
    share('… sent again because a hook was late', all.length - answers.length, all.length),
  ];
}

function injectedShare(measure: string, answers: readonly Answer[], goal: number): Row {
  const injected = answers.filter((answer) => answer.injected !== '').length;
  return share(measure, injected, answers.length, { goal, isUpperLimit: true });
}

function mean(
  measure: string,
  numbers: readonly number[],
  { goal = null, what = 'tasks' }: { goal?: number | null; what?: string } = {},
): Row {
  const total = numbers.reduce((sum, number) => sum + number, 0);
  return { measure, figure: total / Math.max(1, numbers.length), of: `${numbers.length} ${what}`, goal };
}

/** Shuffles the items. The order is the same in each run. */
function shuffle<Item>(items: readonly Item[]): Item[] {
  const random = randomFrom(SEED);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}

function formatMeasured({ task, words, found, started, alone }: Measured): string {
  const rank = found.indexOf(task.right.id) + 1;
  const format = ({ injected, conversations }: Answer) =>
    `${estimateTokens(injected)} tokens, rule words ${coverage(words, injected).toFixed(2)}, ${conversations.join(', ') || 'no record'}\n${injected}`;
  return [
    `\n=== ${task.id}: ${task.bugReport}`,
    `rule: ${task.policy}`,
    `rule words: ${words.join(', ')}`,
    `rank in the search: ${rank === 0 ? 'not found' : rank}`,
    `start of the session and prompt: rule words ${coverage(words, textOfBoth(started)).toFixed(2)}`,
    `prompt after the start: ${format(started)}`,
    `prompt without a start: ${format(alone)}`,
  ].join('\n');
}
