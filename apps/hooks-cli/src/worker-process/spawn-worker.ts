import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS_FILE_ONLY } from '@claude-mem/settings';
import { createFolder } from '../create-folder.js';
import { spawnQuiet } from '../spawn-quiet.js';
import { findWorkerMain } from './find-worker-main.js';

export interface SpawnWorkerOptions {
  dataDir: string;
  logsDir: string;
  ownFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The worker also reads settings from `env`. Only for a start by the user. @default false */
  usesEnvironment?: boolean | undefined;
}

export type WorkerSpawn =
  /** `ended` resolves with the exit code, the signal, or the error that prevented the start. */
  { kind: 'spawned'; log: string; ended: Promise<number | string> } | { kind: 'no-worker' };

/** Output of the worker before it opens its own log. */
const START_LOG = 'worker-start.log';

/** Variables of the session of the host, and variables that slow down or change Node. */
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

/** Saves 48 MiB of garbage from searches and 1 MiB of collector threads. The same options are in hook.sh. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--v8-pool-size=1'];

/** Starts the worker as a detached process that inherits no files, and returns immediately. */
export function spawnWorker(options: SpawnWorkerOptions): WorkerSpawn {
  const { dataDir, logsDir, ownFolder, env, usesEnvironment = false } = options;
  const main = findWorkerMain(ownFolder, dataDir);
  if (main === null) return { kind: 'no-worker' };
  createFolder(logsDir);
  const log = join(logsDir, START_LOG);
  const output = openSync(log, 'w', 0o600);
  const args = [...SMALL_HEAP, main, ...(usesEnvironment ? [] : [SETTINGS_FILE_ONLY])];
  const node = (usesEnvironment && env['CLAUDE_MEM_NODE']) || process.execPath;
  const isInherited = (name: string) =>
    !NOT_INHERITED.includes(name) && (usesEnvironment || !READ_BY_NODE.test(name));
  const child = spawnQuiet(node, args, {
    cwd: dataDir,
    // undefined values are required: Node adds its own NODE_V8_COVERAGE to an environment without the name
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
