// npm run e2e:readers -- [--searches 5000] [--readers 8] [--records 3000] [--seed 1]: several processes read one memory through
// @claude-mem/search while the worker imports, deletes and records. No search may fail or find the database locked.
// At the end every record must be indexed.
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  claudePayloads,
  createTempHome,
  inspectDatabase,
  requestWorker,
  runHook,
  runProgram,
  startWorker,
  waitFor,
} from '@claude-mem/testing';
import { readLogTraces } from './after-a-kill.mjs';
import { syntheticRecord } from './synthetic-record.mjs';
import { randomFrom } from './session-source.mjs';

const CHUNK = 40;
const PROMPT_EVERY = 5;

const { values: options } = parseArgs({
  options: {
    searches: { type: 'string', default: '5000' },
    readers: { type: 'string', default: '8' },
    records: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
  },
});

async function main() {
  const first = Number(options.records);
  const random = randomFrom(Number(options.seed));
  const home = await createTempHome();
  const problems = [];
  const done = { imported: 0, deleted: 0, hooks: 0 };
  try {
    await startWorker(home);
    const record = () => syntheticRecord({ number: (done.imported += 1), random, project: home.project });
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
    await importSome(first);

    const readers = Array.from({ length: Number(options.readers) }, (_, index) => runReader(home, index));
    const payloads = claudePayloads({ cwd: home.project });
    const reports = Promise.all(readers);
    let isOver = false;
    void reports.then(() => (isOver = true));
    for (let round = 1; !isOver || round <= PROMPT_EVERY; round += 1, await pause(50)) {
      await importSome(CHUNK);
      const id = 1 + Math.floor(random() * first);
      const gone = await requestWorker(home, { method: 'DELETE', path: `/api/observations/${id}` });
      expect200('a deletion', gone);
      done.deleted += gone.json?.changed ?? 0;
      if (round % PROMPT_EVERY !== 0) continue;
      const run = await runHook(home, 'UserPromptSubmit', payloads.prompt(`Look at reader ${done.hooks}`));
      if (run.exit !== 0 || run.stderr !== '') problems.push(`a hook ended with ${run.exit}: ${run.stderr}`);
      done.hooks += 1;
    }
    for (const [index, { exit, stderr, report }] of (await reports).entries()) {
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
    const { stored, integrity } = inspectDatabase(home, (peek) => ({
      stored: Number(peek.value('SELECT count(*) FROM observations')),
      integrity: peek.integrity(),
    }));
    const expected = done.imported - done.deleted;
    if (stored !== expected) problems.push(`${stored} observations are stored, ${expected} were expected`);
    if (integrity !== 'ok') problems.push(`the integrity check says ${integrity}`);
    problems.push(...readLogTraces(home).filter((line) => /busy|locked/i.test(line)));
  } finally {
    await home[Symbol.asyncDispose]();
  }
  console.log(
    `\n${options.readers} readers, ${options.searches} searches each, ${done.imported} imported, ${done.deleted} deleted, ${done.hooks} prompts, ${problems.length} deviation(s)`,
  );
  for (const problem of problems.slice(0, 30)) console.log(`  ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Starts a process that searches, and resolves with its report once it has ended. */
async function runReader(home, index) {
  const program = path.join(import.meta.dirname, 'reader.mjs');
  const run = await runProgram(
    process.execPath,
    [program, home.dataDir, String(index + 1), options.searches],
    { cwd: home.root, env: home.env, timeoutMs: 600_000 },
  );
  return { ...run, report: run.stdout === '' ? null : JSON.parse(run.stdout) };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

await main();
