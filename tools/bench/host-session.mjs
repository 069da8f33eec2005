// A session of a real Claude Code with and without our hooks, pairs in turn. Run by hooks-in-host.mjs in a network of its
// own: node --import tsx host-session.mjs PAIRS COMMAND…; prints what each session took as JSON.
import path from 'node:path';
import { createTempHome, runningWorkerPid, runProgram, workspacePaths } from '@claude-mem/testing';
import { createScriptedModel } from '../clients/scripted-model.ts';
import { startClaude } from '../clients/start-claude.ts';
import { processorSeconds, secondsOfChildren } from './figures.mjs';

const CALLS = 40;
const PROMPT = 'Raise the limits';

const [pairs, ...command] = process.argv.slice(2);
const bare = await createTempHome();
const hooked = await createTempHome();
const model = await createScriptedModel();
try {
  await installHooks(hooked);
  const sessions = { bare: [], hooked: [] };
  // the first of each finds nothing in any cache, and no worker
  for (let pair = -1; pair < Number(pairs); pair += 1) {
    const took = { bare: await playSession(bare), hooked: await playSession(hooked) };
    if (pair < 0) continue;
    for (const name of Object.keys(sessions)) sessions[name].push(took[name]);
  }
  console.log(JSON.stringify({ calls: CALLS, ...sessions }));
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

/** @returns milliseconds of the turn and of the whole session, processor time of the host with its hooks, and of the worker */
async function playSession(home) {
  model.script(PROMPT, [...callsIn(home.project), { text: 'The limits are 10 now.' }]);
  const before = { host: secondsOfChildren(), worker: workerSeconds(home) };
  const started = performance.now();
  const args = ['--allowedTools', 'Write,Read'];
  const session = startClaude({ command, home, modelUrl: model.url, args });
  try {
    await session.say('Hello');
    const asked = performance.now();
    await session.say(PROMPT);
    const turn = performance.now() - asked;
    const code = await session.end();
    const whole = performance.now() - started;
    if (code !== 0) throw new Error(`the host ended with ${code}`);
    return {
      turn,
      whole,
      host: (secondsOfChildren() - before.host) * 1_000,
      worker: (workerSeconds(home) - before.worker) * 1_000,
    };
  } finally {
    await session[Symbol.asyncDispose]();
  }
}

/** Files are written and read in turn: one hook for the one, two for the other. */
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
