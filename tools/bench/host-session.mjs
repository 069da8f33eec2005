// Plays sessions of a real Claude Code with and without hooks and prints their times as JSON. Run by hooks-in-host.mjs in
// a network namespace: node --import tsx host-session.mjs PAIRS COMMAND…
import path from 'node:path';
import { createTempHome, runningWorkerPid, runProgram, workspacePaths } from '@claude-mem/testing';
import { createScriptedModel } from '../clients/scripted-model.ts';
import { startClaude } from '../clients/start-claude.ts';
import { processorSeconds, secondsOfChildren } from './figures.mjs';
import { Samples } from './samples.mjs';

const CALLS = 40;
const PROMPT = 'Raise the limits';

const [pairs, ...command] = process.argv.slice(2);
const bare = await createTempHome();
const hooked = await createTempHome();
const model = await createScriptedModel();
try {
  await installHooks(hooked);
  const samples = new Samples();
  // The first pair starts with cold caches and without a worker.
  for (let pair = -1; pair < Number(pairs); pair += 1) {
    const play = async () => ({ bare: await playSession(bare), hooked: await playSession(hooked) });
    await samples.add(play, { isWarmUp: pair < 0 });
  }
  if (samples.values.length === 0) throw new Error(samples.formatMissed());
  console.log(JSON.stringify({ calls: CALLS, pairs: samples.values, missed: samples.formatMissed() }));
} finally {
  await model[Symbol.asyncDispose]();
  await bare[Symbol.asyncDispose]();
  await hooked[Symbol.asyncDispose]();
}

async function installHooks({ project, env }) {
  const { exit, stderr } = await runProgram(
    process.execPath,
    [workspacePaths.command, 'install', '--host', 'claude-code'],
    { cwd: project, env },
  );
  if (exit !== 0) throw new Error(`cannot install: ${stderr}`);
}

/**
 * Plays a session.
 * @returns milliseconds: the turn, the complete session, and the processor time of the host with its hooks and of the
 * worker
 */
async function playSession(home) {
  model.script(PROMPT, [...callsIn(home.project), { text: 'The limits are 10 now.' }]);
  const before = { host: secondsOfChildren(), worker: workerSeconds(home) };
  const started = performance.now();
  const args = ['--allowedTools', 'Write,Read'];
  const session = startClaude({ command, home, modelUrl: model.url, args });
  try {
    await session.reply('Hello');
    const asked = performance.now();
    await session.reply(PROMPT);
    const turn = performance.now() - asked;
    const code = await session.end();
    const complete = performance.now() - started;
    if (code !== 0) throw new Error(`the host ended with ${code}`);
    return {
      turn,
      whole: complete,
      host: (secondsOfChildren() - before.host) * 1_000,
      worker: (workerSeconds(home) - before.worker) * 1_000,
    };
  } finally {
    await session[Symbol.asyncDispose]();
  }
}

/** Writes and reads alternate. A write runs one hook, and a read runs two. */
function callsIn(project) {
  return Array.from({ length: CALLS }, (_, index) => {
    const file = path.join(project, `limit-${Math.floor(index / 2)}.ts`);
    const content = `export const limit = ${performance.now()};\n`;
    const tool =
      index % 2 === 0
        ? { name: 'Write', input: { file_path: file, content } }
        : { name: 'Read', input: { file_path: file } };
    return { tools: [tool] };
  });
}

function workerSeconds(home) {
  const pid = runningWorkerPid(home);
  return pid === null ? 0 : processorSeconds(pid);
}
