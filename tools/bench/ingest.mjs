// Durable ingest: a load generator with keep-alive connections posts events. Only committed events count.
import { Agent, request } from 'node:http';
import { claudePayloads, createTempHome, lookInto, socketOf, startWorker } from '@claude-mem/testing';
import { ms, p95, perSecond, processorSeconds, row } from './figures.mjs';
import { sampleRow, Samples } from './samples.mjs';

const EVENTS = 20_000;
const WARM_UP_EVENTS = 1_000;
const CONNECTIONS = 64;
const SESSIONS = 50;
const TIMEOUT_MS = 30_000;

export async function benchIngest({ report, scale }) {
  report('ingest');
  const home = await createTempHome();
  const worker = await startWorker(home);
  try {
    const bodies = createBodies(home.project, WARM_UP_EVENTS + scale(EVENTS));
    await postAll(home, bodies.slice(0, WARM_UP_EVENTS));
    const before = committed(home);
    const usedBefore = processorSeconds(worker.pid);
    const started = performance.now();
    const samples = await postAll(home, bodies.slice(WARM_UP_EVENTS));
    const seconds = (performance.now() - started) / 1_000;
    const used = processorSeconds(worker.pid) - usedBefore;
    const acknowledged = samples.values.length;
    const stored = committed(home) - before;
    const rate = stored / seconds;
    return [
      sampleRow(`durable ingest, 1.5 KB events, ${CONNECTIONS} connections`, samples, {
        format: () => perSecond(rate),
        budget: '3,000 events/s',
        isWithin: () => rate >= 3_000,
      }),
      row(
        '  of it: acknowledged events found in the database',
        `${stored} of ${acknowledged}`,
        'all',
        // an event may be stored although its response was missed
        stored >= acknowledged,
      ),
      row('  of it: processor time of the worker', `${((used / stored) * 1e6).toFixed(0)} µs per event`),
      sampleRow('  of it: response time', samples, { format: (times) => `p95 ${ms(p95(times))}` }),
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
    Buffer.from(
      JSON.stringify(
        sessions[index % SESSIONS].toolUse({
          input: {
            file_path: `${cwd}/src/file-${index}.ts`,
            old_string: 'const limit = 1;',
            new_string: text,
          },
        }),
      ),
    ),
  );
}

async function postAll(home, bodies) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, timeout: TIMEOUT_MS });
  const socketPath = socketOf(home.dataDir);
  const samples = new Samples();
  let next = 0;
  const work = async () => {
    while (next < bodies.length) {
      const body = bodies[next];
      next += 1;
      await samples.add(async () => {
        const started = performance.now();
        await post(agent, socketPath, body);
        return performance.now() - started;
      });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  agent.destroy();
  return samples;
}

function post(agent, socketPath, body) {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        socketPath,
        method: 'POST',
        path: '/api/hooks/claude-code/PostToolUse',
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      },
      (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () =>
          response.statusCode === 200
            ? resolve()
            : reject(new Error(`the worker responded with ${response.statusCode}`)),
        );
      },
    );
    call.once('error', reject);
    call.once('timeout', () => call.destroy(new Error(`timed out after ${TIMEOUT_MS / 1_000} s`)));
    call.end(body);
  });
}

/** Tool events in the database, pending or completed. */
function committed(home) {
  return lookInto(home, (peek) => Number(peek.value('SELECT count(*) FROM event_ledger')));
}
