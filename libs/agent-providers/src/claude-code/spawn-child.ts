import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { systemClock } from '@claude-mem/core';

export interface SpawnChildOptions {
  command: string;
  args: string[];
  cwd?: string | undefined;
  env: Record<string, string | undefined>;
}

/** A child process whose exit is guaranteed by its owner. */
export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  /** Resolves when the process has exited or could not be started. Never rejects. */
  readonly gone: Promise<ChildEnd>;
  /** The exit of the process. Null while it runs. */
  end(): ChildEnd | null;
  /** The first lines of its standard error. */
  errorOutput(): string;
  /** Closes the standard input, sends SIGTERM later, and then SIGKILL. Resolves when the process has exited. */
  close(graceMs: number): Promise<void>;
  /** Sends SIGTERM at once, and SIGKILL later. Resolves when the process has exited. */
  stop(graceMs: number): Promise<void>;
}

interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The process could not be started. */
  error: Error | null;
}

const STDERR_LIMIT = 4_000;
const HAS_GROUPS = process.platform !== 'win32';

/** Starts a program without a shell and without a window, in its own process group. */
export function spawnChild({ command, args, cwd, env }: SpawnChildOptions): Child {
  // The agent SDK starts `node` by name, which may be another version than the running one.
  const program = command === 'node' ? process.execPath : command;
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: 'pipe',
    shell: false,
    windowsHide: true,
    detached: HAS_GROUPS,
  });
  const guard = child.pid === undefined ? null : startGuard(child.pid);
  let stderr = '';
  let ended: ChildEnd | null = null;

  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (stderr.length < STDERR_LIMIT) stderr += chunk;
  });
  child.stdin.on('error', () => undefined);

  const gone = new Promise<ChildEnd>((resolve) => {
    const settle = (end: ChildEnd) => {
      guard?.kill('SIGKILL');
      signalGroup(child, 'SIGKILL');
      resolve((ended ??= end));
    };
    child.once('close', (code, signal) => settle({ code, signal, error: null }));
    child.once('error', (error) => {
      if (child.pid === undefined) settle({ code: null, signal: null, error });
    });
    // A grandchild may hold the pipes open after the child has exited.
    child.once('exit', (code, signal) => {
      void systemClock.sleep(500).then(() => settle({ code, signal, error: null }));
    });
  });

  /** A real timer, because it measures a real process. */
  const isGoneWithin = (ms: number) => {
    const over = new AbortController();
    const timer = systemClock.sleep(ms, { signal: over.signal }).then(
      () => false,
      () => true,
    );
    return Promise.race([gone.then(() => true), timer]).finally(() => over.abort());
  };

  async function stop(graceMs: number): Promise<void> {
    if (ended) return;
    signalGroup(child, 'SIGTERM');
    if (await isGoneWithin(graceMs)) return;
    signalGroup(child, 'SIGKILL');
    await gone;
  }

  return {
    process: child,
    gone,
    end: () => ended,
    errorOutput: () => stderr.slice(0, STDERR_LIMIT),
    stop,
    async close(graceMs) {
      child.stdin.end();
      if (!(await isGoneWithin(graceMs))) await stop(graceMs);
    },
  };
}

/** Signals the complete process group, even when the child itself has exited. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (!HAS_GROUPS) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The process group is empty. Some systems report this with EPERM.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Stops the child when this process exits in any way, because the guard's pipe closes. Without the guard, the child
 * would first wait for the answer to its request.
 */
function startGuard(pid: number): ChildProcess | null {
  if (!HAS_GROUPS) return null;
  const script = 'read -r _ || { kill -TERM "-$1"; sleep 2; kill -KILL "-$1"; } 2>/dev/null';
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    windowsHide: true,
  });
  // Without a shell there is no guard: the child exits after its request.
  guard.on('error', () => undefined);
  guard.unref();
  return guard;
}
