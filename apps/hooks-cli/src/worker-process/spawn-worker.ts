import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS_FILE_ONLY } from '@claude-mem/settings';
import { makeFolder } from '../make-folder.js';
import { spawnQuiet } from '../spawn-quiet.js';
import { findWorkerMain } from './find-worker-main.js';

export interface SpawnWorkerOptions {
  dataDir: string;
  logsDir: string;
  ownFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The worker takes settings from `env` too: only for a start that the user asked for. @default false */
  usesEnvironment?: boolean | undefined;
}

export type WorkerSpawn =
  /** `ended`: exit code, or what kept it from starting, once it has ended. */
  { kind: 'spawned'; log: string; ended: Promise<number | string> } | { kind: 'no-worker' };

/** What the worker printed before it had a log. */
const START_LOG = 'worker-start.log';

/** Session-bound variables, and those that slow a start down or change what Node is. */
const NOT_INHERITED: readonly string[] = [
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'CLAUDECODE',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
];

/** Variables that Node reads before the worker can remove them. Keep the list equal to the list in hook.sh. */
const READ_BY_NODE = /^(?:NODE|OPENSSL)_/i;

/** Garbage of searches would else hold 48 MiB, and threads that help with collecting it one more; the same as in hook.sh. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--v8-pool-size=1'];

/** Starts the worker in a session of its own; nothing of this process stays open in it. Does not wait. */
export function spawnWorker(options: SpawnWorkerOptions): WorkerSpawn {
  const { dataDir, logsDir, ownFolder, env, usesEnvironment = false } = options;
  const main = findWorkerMain(ownFolder, dataDir);
  if (main === null) return { kind: 'no-worker' };
  makeFolder(logsDir);
  const log = join(logsDir, START_LOG);
  const output = openSync(log, 'w', 0o600);
  const args = [...SMALL_HEAP, main, ...(usesEnvironment ? [] : [SETTINGS_FILE_ONLY])];
  const node = (usesEnvironment && env['CLAUDE_MEM_NODE']) || process.execPath;
  const isInherited = (name: string) =>
    !NOT_INHERITED.includes(name) && (usesEnvironment || !READ_BY_NODE.test(name));
  const child = spawnQuiet(node, args, {
    cwd: dataDir,
    // Node copies its own NODE_V8_COVERAGE into an environment that has no such name
    env: Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, isInherited(name) ? value : undefined]),
    ),
    detached: true,
    stdio: ['ignore', output, output],
  });
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'no code'));
  });
  child.unref();
  closeSync(output);
  return { kind: 'spawned', log, ended };
}
