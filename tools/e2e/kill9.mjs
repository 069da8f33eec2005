// npm run e2e:kill9 -- [--rounds 50] [--seed 1] [--synthetic] [--turns 3] [--calls 12] [--only WORD] [--readers] [--replace]
// Sends the events of one session per round to the hooks while the worker is killed with SIGKILL at random moments. Only
// hooks restart the worker. After each round the queue must be empty, with the same counts as a run without kills: no
// event is lost or duplicated. At the end no worker process, socket or spooled event may remain.
// --readers: Python opens and closes the database at random moments. --replace: the database file is replaced by a copy once
// in each round.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createTempHome, inspectDatabase, stopWorker, waitUntilDrained } from '@claude-mem/testing';
import { accountFor, accountProblems } from './accounting.mjs';
import {
  leftovers,
  listStuckMessages,
  readLogTraces,
  waitForWorkerOfHook,
  workersOf,
} from './after-a-kill.mjs';
import { fireEvents, hookProblems } from './fire-events.mjs';
import { readAtRandom, replaceAtRandom } from './outside-programs.mjs';
import { eventsOfTranscript, syntheticSession, randomFrom, transcripts } from './session-source.mjs';

/** Counts that must be equal with and without kills. */
const COMPARED = ['sent', 'filtered', 'ledger', 'turns', 'prompts', 'status'];
/**
 * These counts must also be equal, unless they differ between two runs without kills. A prompt during a running turn
 * splits the turn depending on the time.
 */
const COMPARED_IF_STEADY = ['observations', 'summaries'];
const MAX_KILLS = 3;
const killedAt = [];

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    synthetic: { type: 'boolean', default: false },
    turns: { type: 'string', default: '3' },
    calls: { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
    readers: { type: 'boolean', default: false },
    replace: { type: 'boolean', default: false },
  },
});

async function main() {
  const rounds = Number(options.rounds);
  const seed = Number(options.seed);
  const random = randomFrom(seed);
  const sources = sessionSources();
  const home = await createTempHome();
  const problems = [];
  let kills = 0;
  let events = 0;
  try {
    const expected = await countWithoutKills(sources);
    for (let round = 1; round <= rounds; round += 1) {
      const source = sources[(round - 1) % sources.length];
      const result = await playRound({ home, source, round, random, expected: expected.get(source.name) });
      kills += result.kills;
      events += result.account.sent;
      problems.push(...result.problems);
      console.log(lineOf(round, source, result));
      for (const problem of result.problems) console.log(`  ${problem}`);
    }
    problems.push(...(await leftovers(home)));
  } finally {
    await home[Symbol.asyncDispose]();
  }
  console.log(
    `\n${rounds} rounds (seed ${seed}), ${kills} kills, ${events} tool events, ${problems.length} deviation(s)`,
  );
  for (const problem of problems.slice(0, 30)) console.log(`  ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Returns recorded sessions if they are available, otherwise generated ones. */
function sessionSources() {
  const files = options['synthetic'] ? [] : transcripts().filter((file) => file.includes(options.only));
  if (files.length === 0) {
    const [turns, calls] = [Number(options.turns), Number(options.calls)];
    const sources = [1, 2, 3].map((seed) => ({
      name: `synthetic-${seed}`,
      events: (where) => syntheticSession({ ...where, turns, calls, seed }),
    }));
    return options['synthetic'] ? sources.filter(({ name }) => name.includes(options.only)) : sources;
  }
  return files.map((file) => ({
    name: path.basename(file).replace(/\.jsonl(\.gz)?$/, ''),
    events: (where) => eventsOfTranscript(file, where),
  }));
}

/**
 * Returns the counts and the duration of each session without kills, and the names of the counts that must be equal
 * with kills.
 */
async function countWithoutKills(sources) {
  const [first, second] = [await playQuietly(sources), await playQuietly(sources)];
  for (const [name, one] of first) {
    const other = second.get(name).account;
    const steady = COMPARED_IF_STEADY.filter((key) => one.account[key] === other[key]);
    first.set(name, { ...one, compared: [...COMPARED, ...steady] });
  }
  return first;
}

async function playQuietly(sources) {
  const home = await createTempHome();
  const expected = new Map();
  try {
    for (const source of sources) {
      const sessionId = `without-kills-${source.name}`;
      const events = await source.events({ cwd: folderOf(home, source), sessionId });
      const started = performance.now();
      await fireEvents(home, events);
      const took = performance.now() - started;
      await waitUntilDrained(home, { deadlineMs: 60_000 });
      const account = inspectDatabase(home, (peek) => accountFor(peek, { sessionId, events }));
      expected.set(source.name, { took, account });
    }
    await stopWorker(home);
  } finally {
    await home[Symbol.asyncDispose]();
  }
  return expected;
}

async function playRound({ home, source, round, random, expected }) {
  const sessionId = `round-${round}`;
  const events = await source.events({ cwd: folderOf(home, source), sessionId });
  const session = { isOver: false };
  const killer = killAtRandom({ home, random, within: expected.took, session });
  const reader = options.readers ? readAtRandom({ home, random, session }) : null;
  const replacer = options.replace ? replaceAtRandom({ home, random, within: expected.took, session }) : null;
  const runs = await fireEvents(home, events);
  session.isOver = true;
  const kills = await killer;
  const [reads, replacements] = [await reader, await replacer];
  const waited = performance.now();
  await waitForWorkerOfHook(home);
  const stuck = await listStuckMessages(home);
  const { account, integrity } = inspectDatabase(home, (peek) => ({
    account: accountFor(peek, { sessionId, events }),
    integrity: peek.integrity(),
  }));
  const name = `round ${round}`;
  const problems = [
    ...stuck.map((problem) => `${name}: ${problem}`),
    ...hookProblems(runs).map((problem) => `${name}: ${problem}`),
    ...accountProblems(name, account),
    ...expected.compared
      .filter((key) => account[key] !== expected.account[key])
      .map(
        (key) => `${name} (${source.name}): ${key}: ${account[key]}, without kills ${expected.account[key]}`,
      ),
    ...(integrity === 'ok' ? [] : [`${name}: integrity check says ${integrity}`]),
    ...(account.missing > 0
      ? [...readLogTraces(home), `kills at ${killedAt.slice(-4).join(' ')}`].map(
          (trace) => `${name}: ${trace}`,
        )
      : []),
    ...runs
      .map((run, index) => ({ ...run, index }))
      .filter(({ event, toolUseId }) => event.startsWith('Post') && account.missingIds.includes(toolUseId))
      .map(
        ({ index, event, toolUseId, ms, startedAt }) =>
          `${name}: hook ${index} ${event} ${toolUseId} took ${ms.toFixed(0)} ms from ${new Date(startedAt).toISOString()}`,
      ),
  ];
  return {
    kills,
    reads,
    replacements,
    account,
    problems,
    hooks: runs.length,
    waited: performance.now() - waited,
  };
}

/** Kills the workers of this home at one to three random times before the session ends. */
async function killAtRandom({ home, random, within, session }) {
  let kills = 0;
  const moments = Array.from({ length: 1 + Math.floor(random() * MAX_KILLS) }, () => random() * within);
  const started = performance.now();
  for (const moment of moments.sort((a, b) => a - b)) {
    while (performance.now() - started < moment && !session.isOver) await pause(5);
    for (const { pid } of workersOf(home)) {
      process.kill(pid, 'SIGKILL');
      killedAt.push(new Date().toISOString());
      kills += 1;
    }
  }
  return kills;
}

function lineOf(round, source, { kills, reads, replacements, account, problems, hooks, waited }) {
  const cells = [
    `round ${`${round}`.padStart(3)}`,
    source.name.padEnd(30),
    `${hooks}`.padStart(4) + ' hooks',
    `${kills} kills`,
    ...(reads === null ? [] : [`${reads} reads`.padStart(9)]),
    ...(replacements === null ? [] : [`${replacements} replaced`]),
    `${account.sent}`.padStart(4) + ' events',
    `${account.missing} lost`,
    `${account.doubled} doubled`,
    `drained in ${(waited / 1_000).toFixed(1)} s`,
    problems.length === 0 ? 'ok' : `${problems.length} DEVIATIONS`,
  ];
  return cells.join('  ');
}

function folderOf(home, source) {
  const folder = path.join(home.home, 'work', source.name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

await main();
