// npm run e2e:readers -- [--seconds 60] [--readers 8] [--seed 1]: many processes read one memory through @claude-mem/search while
// the worker imports, deletes and records. Nobody may meet an error or a lock, and in the end everything must be indexed.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  claudePayloads,
  createTempHome,
  lookInto,
  requestWorker,
  runHook,
  startWorker,
  waitFor,
} from '@claude-mem/testing';
import { tracesOf } from './after-a-kill.mjs';
import { madeUpRecord } from './made-up-record.mjs';
import { randomFrom } from './session-source.mjs';

const FIRST = 3_000;
const CHUNK = 40;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    readers: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
  },
});

async function main() {
  const endsAt = () => performance.now() + Number(options.seconds) * 1_000;
  const random = randomFrom(Number(options.seed));
  const home = await createTempHome();
  const problems = [];
  const done = { imported: 0, deleted: 0, hooks: 0 };
  try {
    await startWorker(home);
    const record = () => madeUpRecord({ number: (done.imported += 1), random, project: home.project });
    const expect200 = (what, { status, text }) => {
      if (status !== 200) problems.push(`${what} was answered with ${status}: ${text.slice(0, 200)}`);
    };
    const importSome = async (count) => {
      const body = Array.from({ length: count }, record);
      expect200(
        'an import',
        await requestWorker(home, { method: 'POST', path: '/api/import', body, timeoutMs: 60_000 }),
      );
    };
    await importSome(FIRST);

    const readers = Array.from({ length: Number(options.readers) }, (_, index) => startReader(home, index));
    const payloads = claudePayloads({ cwd: home.project });
    for (const end = endsAt(); performance.now() < end; await pause(50)) {
      await importSome(CHUNK);
      const id = 1 + Math.floor(random() * FIRST);
      const gone = await requestWorker(home, { method: 'DELETE', path: `/api/observations/${id}` });
      expect200('a deletion', gone);
      done.deleted += gone.json?.changed ?? 0;
      if (done.imported % (CHUNK * 5) !== 0) continue;
      const run = await runHook(home, 'UserPromptSubmit', payloads.prompt(`Look at reader ${done.hooks}`));
      if (run.exit !== 0 || run.stderr !== '') problems.push(`a hook ended with ${run.exit}: ${run.stderr}`);
      done.hooks += 1;
    }
    const results = await Promise.all(readers.map((reader) => reader.stop()));
    for (const [index, { exit, stderr, report }] of results.entries()) {
      if (exit !== 0 || stderr !== '')
        problems.push(`reader ${index} ended with ${exit}: ${stderr.slice(0, 500)}`);
      for (const problem of report?.problems ?? []) problems.push(`reader ${index}: ${problem}`);
      if (report)
        console.log(
          `reader ${index}: ${report.searches} searches, ${report.found} hits, slowest ${report.slowestMs} ms`,
        );
    }
    await waitFor(
      async () => {
        const { json } = await requestWorker(home, { path: '/api/reindex' });
        return json.words.indexed === json.words.total;
      },
      { what: 'everything to be indexed', deadlineMs: 60_000 },
    );
    const { stored, integrity } = lookInto(home, (peek) => ({
      stored: Number(peek.value('SELECT count(*) FROM observations')),
      integrity: peek.integrity(),
    }));
    const expected = done.imported - done.deleted;
    if (stored !== expected) problems.push(`${stored} observations are stored, ${expected} were expected`);
    if (integrity !== 'ok') problems.push(`the integrity check says ${integrity}`);
    problems.push(...tracesOf(home).filter((line) => /busy|locked/i.test(line)));
  } finally {
    await home[Symbol.asyncDispose]();
  }
  console.log(
    `\n${options.readers} readers, ${options.seconds} s, ${done.imported} imported, ${done.deleted} deleted, ${done.hooks} prompts, ${problems.length} deviation(s)`,
  );
  for (const problem of problems.slice(0, 30)) console.log(`  ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** A process that searches until it is told to stop, and then says what it met. */
function startReader({ dataDir, env, root }, index) {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'reader.mjs'), dataDir, String(index + 1)],
    {
      cwd: root,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => (printed[name] += text));
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return {
    async stop() {
      child.stdin.on('error', () => undefined).end();
      const exit = await ended;
      return {
        exit,
        stderr: printed.stderr,
        report: printed.stdout === '' ? null : JSON.parse(printed.stdout),
      };
    },
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

await main();
