// Plays sessions into a real worker that uses one observer and a fake vendor.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  inspectDatabase,
  readHealth,
  requestWorker,
  startWorker,
  waitUntilDrained,
} from '@claude-mem/testing';
import { openObserver } from '@claude-mem/testing/observers';
import { accountFor, accountProblems } from '../e2e/accounting.mjs';
import { Samples } from './samples.mjs';

/**
 * Plays sessions one after the other through the hooks route of a worker with that observer. A session that fails is
 * counted and skipped.
 * @param sources { name, events({ cwd, sessionId }) }
 * @returns the account and the requests { bytes, vendorTokens } of each session, the missed sessions, and the usage meter
 */
export async function observeSessions(provider, sources, { onSession = () => undefined } = {}) {
  const home = await createTempHome();
  const fake = await openObserver(provider, home);
  try {
    const worker = await startWorker(home);
    const samples = new Samples();
    for (const source of sources) {
      await samples.add(async () => {
        const session = await playSession({ home, fake, source });
        onSession(session);
        return session;
      });
    }
    const meter = await readMeter(home);
    await worker[Symbol.asyncDispose]();
    return { sessions: samples.values, missed: samples.formatMissed(), meter };
  } finally {
    await home[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
  }
}

async function playSession({ home, fake, source }) {
  const sessionId = `bench-${source.name}`;
  const cwd = path.join(home.home, 'work', source.name);
  mkdirSync(cwd, { recursive: true });
  const events = await source.events({ cwd, sessionId });
  const before = fake.requests.length;
  for (const { event, payload } of events) {
    const answer = await requestWorker(home, {
      method: 'POST',
      path: `/api/hooks/claude-code/${event}`,
      body: payload,
    });
    if (answer.status !== 200)
      throw new Error(`the worker responded to ${event} with ${answer.status}: ${answer.text}`);
  }
  await drained(home);
  const account = inspectDatabase(home, (peek) => accountFor(peek, { sessionId, events }));
  return {
    name: source.name,
    account,
    problems: accountProblems(source.name, account),
    requests: fake.requests.slice(before).map(sizeOf),
  };
}

async function drained(home) {
  try {
    await waitUntilDrained(home, { deadlineMs: 60_000 });
  } catch (error) {
    const { notices } = await readHealth(home);
    throw new Error(`${error.message}: ${notices.join(' ') || 'the worker reports no notices'}`, {
      cause: error,
    });
  }
}

const sizeOf = ({ raw, instructions, prompt }) => ({
  bytes: raw.length,
  vendorTokens: Math.ceil((instructions.length + prompt.length) / 4),
});

async function readMeter(home) {
  const answer = await requestWorker(home, { path: '/api/usage?by=total' });
  return answer.json.total;
}
