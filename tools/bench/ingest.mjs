// Durable ingest: events posted over the socket by a keep-alive load generator; counted only once they are committed.
import { Agent, request } from 'node:http';
import { claudePayloads, createTempHome, lookInto, socketOf, startWorker } from '@claude-mem/testing';
import { ms, p95, perSecond, processorSeconds, row } from './figures.mjs';

const EVENTS = 20_000;
const CONNECTIONS = 64;
const SESSIONS = 50;

export async function benchIngest() {
  const home = await createTempHome();
  const worker = await startWorker(home);
  try {
    const bodies = madeUpBodies(home.project);
    await postAll(home, bodies.slice(0, 1_000));
    const before = committed(home);
    const rest = bodies.slice(1_000);
    const usedBefore = processorSeconds(worker.pid);
    const started = performance.now();
    const times = await postAll(home, rest);
    const seconds = (performance.now() - started) / 1_000;
    const used = processorSeconds(worker.pid) - usedBefore;
    const kept = committed(home) - before;
    if (kept !== rest.length) throw new Error(`${rest.length} events acknowledged, ${kept} in the database`);
    const rate = kept / seconds;
    return [
      row(
        `durable ingest, 1.5 KB events, ${CONNECTIONS} connections`,
        perSecond(rate),
        '3,000 events/s',
        rate >= 3_000,
      ),
      row('  of it: acknowledged and found in the database', `${kept} of ${rest.length}`, 'all', true),
      row('  of it: processor time of the worker', `${((used / kept) * 1e6).toFixed(0)} µs per event`),
      row('  of it: answer time', `p95 ${ms(p95(times))}`),
    ];
  } finally {
    await worker[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  }
}

function madeUpBodies(cwd) {
  const sessions = Array.from({ length: SESSIONS }, () => claudePayloads({ cwd }));
  const text = 'const limit = readLimit(settings);\n'.repeat(30);
  return Array.from({ length: EVENTS + 1_000 }, (_, index) =>
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
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const socketPath = socketOf(home.dataDir);
  const times = [];
  let next = 0;
  const work = async () => {
    while (next < bodies.length) {
      const body = bodies[next];
      next += 1;
      const started = performance.now();
      await post(agent, socketPath, body);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  agent.destroy();
  return times;
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
            : reject(new Error(`the worker answered ${response.statusCode}`)),
        );
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

/** Tool events in the database: those that wait and those that have an end. */
function committed(home) {
  return lookInto(home, (peek) => Number(peek.value('SELECT count(*) FROM event_ledger')));
}
