// Rounds in which the worker is killed in a chosen phase of a request to the vendor of its observer.
import {
  createTempHome,
  descendantsOf,
  isProcessAlive,
  inspectDatabase,
  requestWorker,
  waitFor,
} from '@claude-mem/testing';
import { openObserver, plausibleReply } from '@claude-mem/testing/observers';
import { accountFor, accountProblems } from './accounting.mjs';
import { leftovers, listStuckMessages, waitForWorkerOfHook, workersOf } from './after-a-kill.mjs';
import { fireEvents, hookProblems } from './fire-events.mjs';
import { syntheticSession, randomFrom } from './session-source.mjs';

const PHASES = ['before the first byte', 'mid-stream', 'after the last byte'];
const TURNS = 2;
/** Maximum delay in milliseconds between the phase and the kill. A commit takes only a few milliseconds. */
const MAX_DELAY_MS = { [PHASES[0]]: 60, [PHASES[1]]: 60, [PHASES[2]]: 12 };
const COMPARED = ['sent', 'stored', 'evidence', 'empty', 'filtered', 'ledger', 'turns', 'prompts', 'observations', 'summaries', 'status']; // prettier-ignore

/**
 * @param first index of the phase in which the first round kills the worker; the others follow in order
 * @returns problems and counts: kills by phase, tool events, calls that the vendor received, calls on the usage meter
 */
export async function killedRounds({ provider, rounds, seed, first, print }) {
  const home = await createTempHome();
  const trap = createTrap();
  const fake = await openObserver(provider, home, trap.answer);
  const random = randomFrom(seed);
  const problems = [];
  const kills = Object.fromEntries(PHASES.map((phase) => [phase, 0]));
  let toolEvents = 0;
  try {
    const expected = await playRound({ home, provider, round: 0 });
    problems.push(...expected.problems);
    for (let round = 1; round <= rounds; round += 1) {
      const phase = PHASES[(first + round - 1) % PHASES.length];
      const plan = { phase, turn: 1 + Math.floor(random() * TURNS), chunks: 1 + Math.floor(random() * 2), afterMs: random() * MAX_DELAY_MS[phase] }; // prettier-ignore
      const started = performance.now();
      const { account, problems: found } = await playRound({ home, provider, round, plan, trap });
      kills[phase] += 1;
      toolEvents += account.sent;
      const differences = COMPARED.filter((key) => account[key] !== expected.account[key]).map(
        (key) =>
          `${provider} round ${round}: ${key}: ${account[key]}, without kills ${expected.account[key]}`,
      );
      const all = [...found, ...differences, ...(await checkUsage({ home, fake, provider, round }))];
      problems.push(...all);
      print(lineOf({ provider, round, plan, account, found: all, ms: performance.now() - started }));
      for (const problem of all) print(`  ${problem}`);
    }
    const metered = (await meterOf(home)).calls;
    problems.push(...(await leftovers(home)).map((problem) => `${provider}: ${problem}`));
    return { problems, kills: textOf(kills), toolEvents, calls: fake.requests.length, metered };
  } finally {
    await home[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
  }
}

/** Creates a response function for the wire fake that holds one request, the nth from now, in a phase. */
function createTrap() {
  const reply = plausibleReply();
  let set = null;
  return {
    set(plan) {
      set = { ...plan, left: plan.turn };
      set.reached = new Promise((resolve) => (set.resolve = resolve));
      return set.reached;
    },
    answer(request) {
      const usual = reply(request);
      if (set === null || (set.left -= 1) > 0) return usual;
      const { phase, chunks, resolve } = set;
      set = null;
      if (phase === PHASES[2]) {
        void request.ended.then(resolve);
        return usual;
      }
      resolve();
      return phase === PHASES[0] ? { kind: 'hang' } : { ...usual, stallAfterChunks: chunks };
    },
  };
}

/** Plays one session. With a plan, the worker is killed when its request reaches the phase. */
async function playRound({ home, provider, round, plan, trap }) {
  const sessionId = `round-${round}`;
  const name = `${provider} round ${round}`;
  const events = syntheticSession({ cwd: home.project, sessionId, turns: TURNS, calls: 4, seed: round + 1 });
  const killed = plan ? killWhen(trap.set(plan), { home, plan }) : Promise.resolve([]);
  const runs = await fireEvents(home, events);
  if (!plan) await waitForWorkerOfHook(home);
  const problems = [...(await killed), ...hookProblems(runs)];
  await waitForWorkerOfHook(home);
  problems.push(...(await listStuckMessages(home)));
  const { account, integrity } = inspectDatabase(home, (peek) => ({
    account: accountFor(peek, { sessionId, events }),
    integrity: peek.integrity(),
  }));
  if (integrity !== 'ok') problems.push(`integrity check says ${integrity}`);
  return {
    account,
    problems: [...problems.map((problem) => `${name}: ${problem}`), ...accountProblems(name, account)],
  };
}

/** Kills the worker when the phase is reached. Returns a problem for every child process that survives. */
async function killWhen(reached, { home, plan }) {
  await within(reached, 30_000, 'the request that was to be caught');
  await pause(plan.afterMs);
  // A hook may have started a second worker, which exits by itself.
  const running = workersOf(home).filter(({ state }) => state !== 'Z');
  const children = running.flatMap(({ pid }) => descendantsOf(pid));
  for (const { pid } of running) if (isProcessAlive(pid)) process.kill(pid, 'SIGKILL');
  if (running.length === 0) return ['no worker ran when one was to be killed'];
  try {
    await waitFor(() => children.every(({ pid }) => !isProcessAlive(pid)), {
      what: 'the children to end',
      deadlineMs: 5_000,
    });
    return [];
  } catch {
    return children
      .filter(({ pid }) => isProcessAlive(pid))
      .map(({ pid, command }) => `child ${pid} is left: ${command}`);
  }
}

/** Verifies that the usage contains every call that the vendor received, including those of killed workers. */
async function checkUsage({ home, fake, provider, round }) {
  const { calls, inputTokens } = await meterOf(home);
  const seen = fake.requests.length;
  const read = fake.requests.reduce(
    (sum, { instructions, prompt }) => sum + (instructions.length + prompt.length) / 4,
    0,
  );
  return [
    (calls < seen || calls > seen + round) &&
      `${provider} round ${round}: ${calls} calls on the meter, ${seen} seen`,
    inputTokens < read &&
      `${provider} round ${round}: ${inputTokens} tokens on the meter, ${Math.ceil(read)} were sent`,
  ].filter(Boolean);
}

async function meterOf(home) {
  const { json } = await requestWorker(home, { path: '/api/usage?by=total' });
  return json.total;
}

function lineOf({ provider, round, plan, account, found, ms }) {
  const cells = [
    `${provider} round ${`${round}`.padStart(3)}`,
    `turn ${plan.turn} ${plan.phase}`.padEnd(28),
    `${account.sent} events`,
    `${account.missing} lost`,
    `${account.doubled} doubled`,
    `${(ms / 1_000).toFixed(1)} s`,
    found.length === 0 ? 'ok' : `${found.length} DEVIATIONS`,
  ];
  return cells.join('  ');
}

const textOf = (counts) => Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(', '); // prettier-ignore

async function within(promise, ms, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms} ms for ${what}`)), ms);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
