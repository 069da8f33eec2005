import { spawn } from 'node:child_process';
import type { Environment, TempHome } from './temp-home.js';
import { workspacePaths } from './workspace-paths.js';

export interface HookRun {
  /** Exit code, or the name of the signal. */
  exit: number | string;
  stdout: string;
  stderr: string;
  /** Milliseconds from the start until the process has ended and its output is closed. */
  ms: number;
}

export interface RunHookOptions {
  /** @default 'claude-code' */
  host?: string;
  env?: Environment;
  cwd?: string;
  /** Keeps stdin open after the payload, like some hosts. */
  keepStdinOpen?: boolean;
  script?: string;
  /** Afterwards the process group is killed. @default 20000 */
  timeoutMs?: number;
}

/**
 * Runs the hook script like a host: passes the payload and a line end to stdin, and everything else in the
 * environment.
 * @param payload strings and bytes are passed unchanged, other values as JSON
 */
export function runHook(
  home: TempHome,
  event: string,
  payload: unknown,
  options: RunHookOptions = {},
): Promise<HookRun> {
  const { host = 'claude-code', script = workspacePaths.hookScript } = options;
  return runProgram('sh', [script, host, event], {
    input: encode(payload),
    env: { ...home.env, CLAUDE_PROJECT_DIR: home.project, ...options.env },
    cwd: options.cwd ?? home.project,
    keepStdinOpen: options.keepStdinOpen ?? false,
    timeoutMs: options.timeoutMs ?? 20_000,
  });
}

export interface RunProgramOptions {
  input?: string | Uint8Array;
  env: Environment;
  cwd: string;
  keepStdinOpen?: boolean;
  timeoutMs?: number;
}

/** Runs a program until it ends. Rejects only when the program cannot be started. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: RunProgramOptions,
): Promise<HookRun> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    windowsHide: true,
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => (printed[name] += chunk));
  }
  // The program may end before it reads its input.
  child.stdin.on('error', () => undefined);
  child.stdin.write(options.input ?? '');
  if (!options.keepStdinOpen) child.stdin.end();
  const timer = setTimeout(() => killGroup(child.pid), options.timeoutMs ?? 20_000);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => child.stdin.destroy());
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ exit: code ?? signal ?? 'gone', ...printed, ms: performance.now() - started });
    });
  });
}

function killGroup(pid: number | undefined) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function encode(payload: unknown): string | Uint8Array {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload;
  return `${JSON.stringify(payload)}\n`;
}
