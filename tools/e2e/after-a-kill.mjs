// Checks that run after a worker was killed: hooks restart it, the queue becomes empty, and no files or processes
// remain.
import { existsSync, readFileSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  inspectDatabase,
  processesOf,
  readHealth,
  runHook,
  spooledFiles,
  stopWorker,
  waitFor,
  waitUntilDrained,
} from '@claude-mem/testing';

const WAITING = `SELECT session_id, prompt_number, kind, status, attempts, last_error, count(*) AS count
  FROM pending_messages GROUP BY 1, 2, 3, 4`;

export const workersOf = (home) =>
  processesOf(home.dataDir).filter(({ command }) => command.includes('main.js'));

/**
 * Starts the next session, whose hooks restart the worker. After a worker was killed during its start, hooks wait 30
 * seconds. The test skips this wait.
 */
export async function waitForWorkerOfHook(home) {
  const payload = claudePayloads({ cwd: home.project, sessionId: 'goes-on' }).sessionStart();
  const isAnswering = () =>
    readHealth(home).then(
      () => true,
      () => false,
    );
  await waitFor(
    async () => {
      if (await isAnswering()) return true;
      // Another worker is starting, so no hook is needed.
      if (workersOf(home).length > 0) return false;
      skipPause(home);
      await runHook(home, 'SessionStart', payload);
      return isAnswering();
    },
    { what: 'a hook to start the worker', deadlineMs: 60_000, everyMs: 200 },
  ).catch((error) => {
    const processes = processesOf(home.dataDir).map(
      ({ pid, state, command }) => `${pid} ${state} ${command}`,
    );
    throw new Error([error.message, ...processes, ...readLogTraces(home)].join('\n'), { cause: error });
  });
}

function skipPause(home) {
  const past = new Date(Date.now() - 31_000);
  try {
    utimesSync(path.join(home.dataDir, 'starting'), past, past);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** Returns a description of the messages that still wait after 90 seconds. Empty if there are none. */
export async function listStuckMessages(home) {
  try {
    await waitUntilDrained(home, { deadlineMs: 90_000 });
    return [];
  } catch (error) {
    const processes = workersOf(home).map(({ pid, state }) => `${pid} ${state}`);
    return [
      `${error.message}: ${error.cause?.message ?? 'no error'}`,
      `spool: ${spooledFiles(home).join(' ') || 'empty'}; processes: ${processes}`,
      ...inspectDatabase(home, (peek) => peek.rows(WAITING)).map((row) => `waits: ${JSON.stringify(row)}`),
      ...readLogTraces(home),
    ];
  }
}

/** Returns the rejected events and the last warnings from the log of the worker. */
export function readLogTraces(home) {
  const rejected = readdirSync(path.join(home.dataDir, 'spool', 'rejected'));
  const logs = readdirSync(path.join(home.dataDir, 'logs')).map((file) =>
    path.join(home.dataDir, 'logs', file),
  );
  const warnings = logs
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => /"level":"(warn|error)"/.test(line));
  return [...rejected.map((file) => `rejected: ${file}`), ...warnings.slice(-10)];
}

/** Stops the worker, and returns the files and processes that should not remain. */
export async function leftovers(home) {
  await stopWorker(home);
  const files = ['worker.sock', 'worker.json', 'starting'].filter((name) =>
    existsSync(path.join(home.dataDir, name)),
  );
  const spooled = readdirSync(path.join(home.dataDir, 'spool'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `spool/${name}`);
  return [
    ...processesOf(home.dataDir).map(({ pid, command }) => `process ${pid} is left: ${command}`),
    ...[...files, ...spooled].map((name) => `${name} is left`),
  ];
}
