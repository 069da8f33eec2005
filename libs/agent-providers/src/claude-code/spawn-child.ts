import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { systemClock } from '@claude-mem/core';

export interface SpawnChildOptions {
  command: string;
  args: string[];
  cwd?: string | undefined;
  env: Record<string, string | undefined>;
}

/** A child process that somebody owns: it can always be ended. */
export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  /** Resolves when the process is gone, or was never there; never rejects. */
  readonly gone: Promise<ChildEnd>;
  /** How it ended; null while it lives. */
  end(): ChildEnd | null;
  /** The first lines it wrote to standard error. */
  said(): string;
  /** Closes its standard input, then asks, then kills; resolves when it is gone. */
  close(graceMs: number): Promise<void>;
  /** Asks at once, then kills; resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** It could not be started. */
  error: Error | null;
}

const STDERR_LIMIT = 4_000;
const HAS_GROUPS = process.platform !== 'win32';

/** Starts a program without a shell and without a window of its own, in a group of its own that ends with it. */
export function spawnChild({ command, args, cwd, env }: SpawnChildOptions): Child {
  // the vendor's package asks for `node` by name, which need not be the one that runs this
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
    // a grandchild may keep the pipes open when the child itself is gone
    child.once('exit', (code, signal) => {
      void systemClock.sleep(500).then(() => settle({ code, signal, error: null }));
    });
  });

  /** Real time always: it is about a real process. */
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
    said: () => stderr.slice(0, STDERR_LIMIT),
    stop,
    async close(graceMs) {
      child.stdin.end();
      if (!(await isGoneWithin(graceMs))) await stop(graceMs);
    },
  };
}

/** Reaches what the child has started too, also when it is gone itself. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (!HAS_GROUPS) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // nobody is left in it; some systems say so by EPERM
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Ends the child when this process is gone, however it went: a pipe that closes tells it. By itself the child would
 * first wait for the answer to its request.
 */
function startGuard(pid: number): ChildProcess | null {
  if (!HAS_GROUPS) return null;
  const script = 'read -r _ || { kill -TERM "-$1"; sleep 2; kill -KILL "-$1"; } 2>/dev/null';
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    windowsHide: true,
  });
  // without a shell there is no guard; the child then ends with its request
  guard.on('error', () => undefined);
  guard.unref();
  return guard;
}
