import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadSettings } from '@claude-mem/settings';
import { createLocalWorkerLink } from '@claude-mem/worker-protocol/local';
import { listMemoryObstacles } from '../list-memory-obstacles.js';
import { spawnQuiet } from '../spawn-quiet.js';
import { startAndWait } from '../worker-process/start-and-wait.js';
import { takeOverStartupLock } from '../worker-process/startup-lock.js';
import { stopAndWait } from '../worker-process/stop-and-wait.js';

import { fail, ok, type Check, type CheckContext, type CheckResult } from './check.js';

const STORE_TIMEOUT_MS = 10_000;
const FIX = 'Run: claude-mem logs --level warn';

/**
 * Sends an event through hook, worker and database in a temporary data folder. Skips the test when the configured data folder
 * cannot store events, because a success would be misleading.
 */
export const roundTripCheck: Check = {
  title: 'round trip',
  async run(context) {
    const [obstacle] = listMemoryObstacles(context);
    if (obstacle !== undefined)
      return fail(`not tried, because no event can be stored: ${obstacle.message}`, obstacle.fix);
    if (context.health?.status === 'failed')
      return fail(
        `not tried, because the worker stores no events: ${context.health.reason ?? 'no reason reported'}`,
        FIX,
      );
    const dataDir = mkdtempSync(join(tmpdir(), 'cm-doctor-'));
    const env = {
      ...context.env,
      CLAUDE_MEM_DATA_DIR: dataDir,
      CLAUDE_MEM_WORKER_PORT: '0',
      CLAUDE_MEM_ENABLED: 'true',
    };
    const loaded = loadSettings({ env, home: context.home });
    const trial = { ...context, env, loaded, worker: createLocalWorkerLink(loaded.paths) };
    try {
      return await runTrial(trial, dataDir);
    } finally {
      await stopAndWait(trial);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function runTrial(trial: CheckContext, dataDir: string): Promise<CheckResult> {
  const started = await startAndWait(trial);
  if (started.kind === 'failed')
    return fail(`the worker cannot start: ${started.reason}`, 'See the other lines above.');
  // without the lock, a hook that times out would start a second worker
  takeOverStartupLock(trial.loaded.paths.startupLock, { now: Date.now() });
  const payload = {
    session_id: 'doctor',
    cwd: dataDir,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'Is it well?',
  };
  const began = performance.now();
  const { code, stderr } = await runHookScript(trial, 'UserPromptSubmit', `${JSON.stringify(payload)}\n`);
  const ms = Math.round(performance.now() - began);
  if (code !== 0 || stderr !== '')
    return fail(`the hook exited with ${code} and printed: ${stderr.trim() || 'nothing'}`, FIX);
  if (!(await waitForSpool(trial.loaded.paths.spoolDir)))
    return fail('the worker did not store the event of the hook', FIX);
  const { prompts } = await trial.worker.client.stats();
  return prompts === 1
    ? ok(`an event was stored in ${ms} ms, in a temporary folder`)
    : fail('the event is not in the database', FIX);
}

/** The worker stores an event from the spool when the hook timed out. */
async function waitForSpool(spoolDir: string): Promise<boolean> {
  for (const deadline = Date.now() + STORE_TIMEOUT_MS; ; await setTimeout(50)) {
    if (!readdirSync(spoolDir).some((name) => /\.(json|tmp|event)$/.test(name))) return true;
    if (Date.now() > deadline) return false;
  }
}

function runHookScript(
  trial: CheckContext,
  event: string,
  input: string,
): Promise<{ code: number | null; stderr: string }> {
  const isWindows = process.platform === 'win32';
  const [command, script] = isWindows ? [process.execPath, 'hook.cjs'] : ['sh', 'hook.sh'];
  return new Promise((resolve) => {
    const child = spawnQuiet(command, [join(trial.ownFolder, script), 'claude-code', event], {
      // a hook refuses a data folder inside its current folder
      cwd: trial.ownFolder,
      env: { ...trial.env, CLAUDE_MEM_OBSERVER: '' },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', (error) => resolve({ code: null, stderr: error.message }));
    child.once('close', (code) => resolve({ code, stderr }));
    child.stdin?.on('error', () => undefined).end(input);
  });
}
