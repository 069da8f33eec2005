import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFullRun } from '@claude-mem/core/testing';
import { HOOK_SHELLS } from './hook-program.js';

const DEFAULT_SHELL = HOOK_SHELLS.find(({ command }) => command !== null)?.name ?? 'node';

/** The payload of a host. */
export const PAYLOAD =
  '{"session_id":"s-1","cwd":"/srv/app","hook_event_name":"PostToolUse","tool_name":"Read"}\n';
export const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'FileRead',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SessionEnd',
];
/** Events whose answer the host uses. */
export const QUESTIONS = ['SessionStart', 'UserPromptSubmit', 'FileRead'];

/** Names of all ways to run the hook. */
export const RUNNERS = [...HOOK_SHELLS.map(({ name }) => name), 'node'];

/**
 * Names of the runners that execute every case in `npm test`. The other shells run only a few cases. `npm run test:full`
 * runs every case with every runner.
 */
export const MAIN_RUNNERS = isFullRun ? RUNNERS : [DEFAULT_SHELL, 'node'];

/** Result of a hook without a response. */
export const SILENT = { exit: 0, stdout: Buffer.alloc(0), stderr: '' };

/** An empty home and data directory for one test. */
export function createHome(name = 'home') {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-home-')));
  const home = join(root, name);
  const dataDir = join(root, 'data');
  mkdirSync(home);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, CLAUDE_MEM_DATA_DIR: dataDir };
  const spool = () => (existsSync(join(dataDir, 'spool')) ? readdirSync(join(dataDir, 'spool')) : []);
  const starts = () =>
    existsSync(join(dataDir, 'starts.jsonl'))
      ? readFileSync(join(dataDir, 'starts.jsonl'), 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  const remove = () => {
    for (const { pid } of starts()) kill(pid);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  return { root, home, dataDir, socket: join(dataDir, 'worker.sock'), env, spool, starts, remove };
}

/** Kills a process. Does nothing when it has ended. */
export function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Holds the startup lock, so that hooks start no worker. */
export const holdStartupLock = (home: { dataDir: string }) =>
  mkdirSync(join(home.dataDir, 'starting'), { recursive: true });

/** Writes the process id of this test to worker.pid, so that hooks assume a running worker. */
export function markAlive(home: { dataDir: string }) {
  mkdirSync(home.dataDir, { recursive: true });
  writeFileSync(join(home.dataDir, 'worker.pid'), `${process.pid}\n`);
}

/** Creates the marker file that lets hooks post tool results. */
export function turnOnFailureRecall(home: { dataDir: string }) {
  mkdirSync(home.dataDir, { recursive: true });
  writeFileSync(join(home.dataDir, 'recall-on-failure'), '');
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean, description: string) {
  for (const deadline = Date.now() + 50_000; !condition();) {
    if (Date.now() > deadline) throw new Error(`waited 50 s for ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
