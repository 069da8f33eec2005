// Measures durable ingest. Events are written to the spool like hooks do, and the worker stores them. Only committed
// events count.
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  inspectDatabase,
  spooledFiles,
  startWorker,
  waitFor,
} from '@claude-mem/testing';
import { perSecond, processorSeconds, row } from './figures.mjs';

const EVENTS = 20_000;
const WARM_UP_EVENTS = 1_000;
const SESSIONS = 50;
const DEADLINE_MS = 120_000;

export async function benchIngest({ report, scale }) {
  report('ingest');
  const home = await createTempHome();
  const worker = await startWorker(home);
  try {
    const bodies = createBodies(home.project, WARM_UP_EVENTS + scale(EVENTS));
    await storeAll(home, bodies.slice(0, WARM_UP_EVENTS), 0);
    const before = committed(home);
    const usedBefore = processorSeconds(worker.pid);
    const started = performance.now();
    const measured = bodies.slice(WARM_UP_EVENTS);
    await storeAll(home, measured, WARM_UP_EVENTS);
    const seconds = (performance.now() - started) / 1_000;
    const used = processorSeconds(worker.pid) - usedBefore;
    const stored = committed(home) - before;
    const rate = stored / seconds;
    return [
      row('durable ingest, 1.5 KB events in the spool', perSecond(rate), '3,000 events/s', rate >= 3_000),
      row(
        '  of it: events found in the database',
        `${stored} of ${measured.length}`,
        'all',
        stored === measured.length,
      ),
      row('  of it: processor time of the worker', `${((used / stored) * 1e6).toFixed(0)} µs per event`),
    ];
  } finally {
    await worker[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  }
}

function createBodies(cwd, count) {
  const sessions = Array.from({ length: SESSIONS }, () => claudePayloads({ cwd }));
  const text = 'const limit = readLimit(settings);\n'.repeat(30);
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify(
      sessions[index % SESSIONS].toolUse({
        input: {
          file_path: `${cwd}/src/file-${index}.ts`,
          old_string: 'const limit = 1;',
          new_string: text,
        },
      }),
    ),
  );
}

/** Writes the events like hook.sh and waits until the worker has removed all files. */
async function storeAll(home, bodies, firstId) {
  const spool = path.join(home.dataDir, 'spool');
  bodies.forEach((body, index) => {
    const id = `${firstId + index}-bench`;
    const file = path.join(spool, `claude-code.PostToolUse.${id}`);
    writeFileSync(`${file}.tmp`, `host: claude-code\nevent: PostToolUse\nevent-id: ${id}\n\n${body}`);
    renameSync(`${file}.tmp`, `${file}.json`);
  });
  await waitFor(() => spooledFiles(home).length === 0, {
    what: 'the spool to be empty',
    deadlineMs: DEADLINE_MS,
    everyMs: 10,
  });
}

function committed(home) {
  return inspectDatabase(home, (peek) => Number(peek.value('SELECT count(*) FROM event_ledger')));
}
