// npm run e2e:replay: sends every recorded Claude Code session through the real hook command at full speed, with
// parallel tool hooks, and everything a second time. Exits with 1 when a hook would disturb a host, when a tool event
// is missing, or when the second time changed the database. Needs a build and the recorded data (../shared).
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  dumpCanonical,
  inspectDatabase,
  processesOf,
  runProgram,
  spooledFiles,
  stopWorker,
  waitUntilDrained,
  workspacePaths,
} from '@claude-mem/testing';
import { accountFor, accountProblems } from './accounting.mjs';
import { hookProblems } from './fire-events.mjs';
import { eventsOfTranscript, replayProgram, transcripts } from './session-source.mjs';

const PASSES = 2;
const SHOWN = 20;
const WAITING = `SELECT s.content_session_id AS session, m.prompt_number AS turn, m.kind, m.status, m.attempts,
  m.last_error AS error, count(*) AS count FROM pending_messages m JOIN sdk_sessions s ON s.id = m.session_id
  GROUP BY s.id, m.prompt_number, m.kind, m.status`;

async function main() {
  const files = transcripts().filter((file) => process.argv.slice(2).every((word) => file.includes(word)));
  if (files.length === 0) {
    console.log('skipped: no recorded sessions here (set CLAUDE_MEM_SHARED, or put them in ../shared)');
    return;
  }
  const home = await createTempHome();
  const problems = [];
  try {
    const sessions = await prepare(home, files);
    const dumps = [];
    for (let pass = 1; pass <= PASSES; pass += 1) {
      console.log(`\npass ${pass}`);
      problems.push(...(await replayAll(home, sessions, pass)));
      problems.push(...(await drained(home)));
      inspectDatabase(home, (peek) => {
        problems.push(...showAccounts(peek, sessions));
        if (peek.integrity() !== 'ok') problems.push(`integrity check: ${peek.integrity()}`);
        dumps.push(dumpCanonical(peek));
      });
    }
    problems.push(...differences(dumps[0], dumps[1]));
    await stopWorker(home);
    problems.push(
      ...processesOf(home.dataDir).map(({ command }) => `still running after the stop: ${command}`),
    );
  } finally {
    await home[Symbol.asyncDispose]();
  }
  report(problems);
}

/** Returns the number of messages that still wait after the deadline. */
async function drained(home) {
  try {
    await waitUntilDrained(home, { deadlineMs: 30_000 });
    return [];
  } catch (error) {
    return [
      `${error.message}; spool: ${spooledFiles(home).join(' ') || 'empty'}`,
      ...inspectDatabase(home, (peek) => peek.rows(WAITING)).map((row) => `waits: ${JSON.stringify(row)}`),
    ];
  }
}

async function prepare(home, files) {
  const sessions = [];
  for (const file of files) {
    const name = path.basename(file).replace(/\.jsonl(\.gz)?$/, '');
    const cwd = path.join(home.home, 'work', name);
    mkdirSync(cwd, { recursive: true });
    const events = await eventsOfTranscript(file, { cwd });
    sessions.push({ name, file, cwd, events, sessionId: events[0].payload.session_id });
  }
  return sessions;
}

async function replayAll(home, sessions, pass) {
  const problems = [];
  for (const session of sessions) {
    const { runs, error } = await replayOne(home, session);
    if (error) problems.push(`${session.name}: ${error}`);
    problems.push(...hookProblems(runs).map((problem) => `${session.name}, pass ${pass}: ${problem}`));
    const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (share) => `${(times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(0)}`.padStart(5);
    console.log(
      `${session.name.padEnd(30)} ${`${runs.length}`.padStart(4)} hooks, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`,
    );
  }
  return problems;
}

async function replayOne(home, { file, cwd, events }) {
  // Each replay uses a new folder, because hooks must not depend on the location of the transcript.
  const scratch = mkdtempSync(path.join(home.root, 'replay-'));
  const reportFile = path.join(scratch, 'report.json');
  const args = [
    replayProgram(),
    ...['--transcript', file, '--cwd', cwd, '--parallel', '--speed', 'max', '--report', reportFile],
    ...['--transcript-dir', path.join(scratch, 'transcripts')],
    ...['--hook', `sh '${workspacePaths.hookScript}' claude-code {event}`],
  ];
  const run = await runProgram(process.execPath, args, { env: home.env, cwd: home.root, timeoutMs: 300_000 });
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    const error =
      report.events.length === events.length
        ? ''
        : `${report.events.length} of ${events.length} events were fired`;
    return { runs: report.events, error };
  } catch (cause) {
    return { runs: [], error: `no report: ${run.stderr.trim() || cause.message}` };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function showAccounts(peek, sessions) {
  const columns = ['sent', 'stored', 'evidence', 'empty', 'filtered', 'waiting', 'missing'];
  const more = ['prompts', 'observations', 'summaries'];
  const line = (name, cells) =>
    console.log(name.padEnd(30) + cells.map((cell) => `${cell}`.padStart(13)).join(''));
  line('tool events', [...columns, ...more]);
  const total = Object.fromEntries([...columns, ...more].map((column) => [column, 0]));
  const problems = [];
  for (const session of sessions) {
    const account = accountFor(peek, session);
    for (const column of Object.keys(total)) total[column] += account[column];
    line(
      session.name,
      [...columns, ...more].map((column) => account[column]),
    );
    problems.push(...accountProblems(session.name, account));
  }
  line('total', Object.values(total));
  return problems;
}

function differences(first, second) {
  const [before, after] = [new Set(first), new Set(second)];
  return [
    ...first
      .filter((line) => !after.has(line))
      .map((line) => `gone after the second pass: ${line.slice(0, 300)}`),
    ...second
      .filter((line) => !before.has(line))
      .map((line) => `new after the second pass: ${line.slice(0, 300)}`),
  ];
}

function report(problems) {
  console.log(`\n${problems.length} deviation(s)`);
  for (const problem of problems.slice(0, SHOWN)) console.log(`  ${problem}`);
  if (problems.length > SHOWN) console.log(`  … and ${problems.length - SHOWN} more`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

await main();
