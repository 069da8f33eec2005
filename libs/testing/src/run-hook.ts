import { spawn } from 'node:child_process';
import type { Environment, TempHome } from './temp-home.js';
import { workspacePaths } from './workspace-paths.js';

export interface HookRun {
  /** Exit code, or the signal's name. */
  exit: number | string;
  stdout: string;
  stderr: string;
  /** From start until the process had ended and its output was closed, as a host sees it. */
  ms: number;
}

export interface RunHookOptions {
  /** @default 'claude-code' */
  host?: string;
  env?: Environment;
  cwd?: string;
  /** Leaves stdin open after the payload, as some hosts do. */
  keepStdinOpen?: boolean;
  /** Another copy of the script. */
  script?: string;
  /** @default 20000; then the whole process group is killed */
  timeoutMs?: number;
}

/**
 * Runs the hook script as a host does: payload and a newline on stdin, everything else through the environment.
 * @param payload bytes and strings go as they are, anything else as JSON
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

/** Runs a program to its end; never rejects for what the program does. */
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
  // a program may end without reading its input
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
