// npm start: installs, builds, starts the worker, and demonstrates it with a small sample session. Uses the same hook,
// worker and database as daily use.
import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sampleSession } from './sample/sample-session.mjs';
import { checkNode, installIfNeeded, root, run, step } from './workspace.mjs';

const CLI = path.join(root, 'apps/hooks-cli/dist/claude-mem.js');
const HOOK = path.join(root, 'apps/hooks-cli/dist/hook.sh');
const QUEUE_DEADLINE_MS = 30_000;

const claudeMem = (...args) => run(process.execPath, [CLI, ...args]);
const status = async () => JSON.parse(await claudeMem('status', '--json'));

async function main() {
  checkNode();
  await installIfNeeded();
  const programs = ['worker', 'hooks-cli', 'mcp-server'].map((name) => `@claude-mem/${name}`);
  await step('Building', () =>
    run('npx', ['--no', 'nx', 'run-many', '-t', 'build', `--projects=${programs.join()}`]),
  );
  // A running worker may have been started from earlier sources.
  await step('Starting the worker', () => claudeMem('restart'));
  const { memory } = await status();
  if (memory.prompts === 0) await showSample();
  printLocations(await status(), await viewerAddress());
}

async function showSample() {
  const folder = path.join(os.tmpdir(), 'claude-mem-sample', 'sample');
  mkdirSync(folder, { recursive: true });
  const events = sampleSession(folder);
  await step(`Replaying a sample session through the hook (${events.length} events)`, async () => {
    for (const { event, payload } of events) await fireHook(folder, event, payload);
  });
  await step('Waiting for the observer', waitForEmptyQueue);
  const answer = await step('Rendering the context of the next session', async () => {
    const next = { session_id: '5a3b1e00-0000-4000-8000-000000000002', cwd: folder };
    const context = await fireHook(folder, 'SessionStart', {
      ...next,
      hook_event_name: 'SessionStart',
      source: 'startup',
    });
    await fireHook(folder, 'SessionEnd', { ...next, hook_event_name: 'SessionEnd', reason: 'other' });
    return context;
  });
  console.log('\nThe next session in this project would begin with:\n');
  console.log(JSON.parse(answer).hookSpecificOutput.additionalContext);
}

function fireHook(folder, event, payload) {
  return run('sh', [HOOK, 'claude-code', event], {
    cwd: folder,
    env: { CLAUDE_PROJECT_DIR: folder },
    input: `${JSON.stringify(payload)}\n`,
  });
}

async function waitForEmptyQueue() {
  const deadline = Date.now() + QUEUE_DEADLINE_MS;
  for (;;) {
    const { queue } = await status();
    if (queue.pending + queue.processing === 0) return;
    if (Date.now() > deadline) {
      throw new Error(
        `${queue.pending + queue.processing} events still wait after 30 s; see: node ${CLI} logs`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns null when the worker has no TCP port. Everything except the viewer works without one. */
function viewerAddress() {
  return claudeMem('open', '--print').then(
    (address) => address.trim(),
    () => null,
  );
}

function printLocations({ paths, worker, memory }, viewer) {
  const command = path.join(paths.dataDir, 'bin', 'claude-mem');
  console.log(`
claude-mem is running (process ${worker.pid}).
  memory    ${memory.observations} observations, ${memory.summaries} summaries, ${memory.projects} ${memory.projects === 1 ? 'project' : 'projects'}
  data      ${paths.dataDir}
  log       ${paths.log}
  service   ${worker.url ?? 'Unix socket only, because the port is in use; claude-mem status shows what to do'}

Next:
  ${command} open                         the viewer in your browser
  ${command} install --host claude-code   record your own Claude Code sessions
  ${command} search WORDS                 search the memory
  ${command} status                       state of the worker
  ${command} stop                         stop the worker
${viewer === null ? '' : `\nOpen the viewer in your browser (the link is valid for ten minutes and for one browser):\n\n  ${viewer}`}`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
