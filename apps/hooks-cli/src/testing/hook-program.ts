import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { spawnQuiet } from '../spawn-quiet.js';

/** One way to run the hook. */
export interface HookRunner {
  name: string;
  isShell: boolean;
  command: string;
  /** Arguments before HOST and EVENT. */
  args: readonly string[];
  /** Arguments for a hook that waits a minute for the worker, so that a busy machine does not change the result. */
  longTimeoutArgs: readonly string[];
}

export interface HookRun {
  exit: number | string;
  stdout: Buffer;
  stderr: string;
}

export interface RunOptions {
  env: Readonly<Record<string, string>>;
  cwd?: string;
  keepStdinOpen?: boolean;
  /** Runs the hook with `longTimeoutArgs`. */
  hasLongTimeout?: boolean;
  /** Delay before the payload is written, as on a busy machine. */
  writeAfterMs?: number;
  /** Sends the signal to the hook when `after` resolves. */
  signal?: { name: NodeJS.Signals; after: Promise<unknown> };
}

/** The built hook in its installation folder, next to a fake worker. */
export interface Installation extends AsyncDisposable {
  runners: readonly HookRunner[];
  /** Copies the installation to another temporary folder with this name. */
  copyTo(name: string): Installation;
}

const SCRIPT = 'hook.sh';

const SHELLS = [
  { name: 'dash', paths: ['/usr/bin/dash', '/bin/dash'], flags: [] },
  { name: 'bash', paths: ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'], flags: ['--posix'] },
  { name: 'busybox', paths: ['/bin/busybox', '/usr/bin/busybox', '/usr/local/bin/busybox'], flags: ['sh'] },
];

/** All shells that can run the hook. `command` is null when the shell is not installed. */
export const HOOK_SHELLS = SHELLS.map(({ paths, ...shell }) => ({
  ...shell,
  command: paths.find((path) => existsSync(path)) ?? null,
}));

/** Records its arguments and environment, then answers hooks like a ready worker. */
const SUBSTITUTE_WORKER = `
import { appendFileSync, readFileSync, readlinkSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
const dataDir = process.env.CLAUDE_MEM_DATA_DIR ?? join(process.env.HOME, '.claude-mem');
const files = readdirSync('/proc/self/fd').flatMap((fd) => { try { return [[Number(fd), readlinkSync('/proc/self/fd/' + fd)]]; } catch { return []; } });
const stat = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
appendFileSync(join(dataDir, 'starts.jsonl'), JSON.stringify({ pid: process.pid, args: process.argv.slice(2), parent: Number(stat[1]), session: Number(stat[3]), cwd: process.cwd(), env: process.env, files, umask: process.umask() }) + '\\n');
if (process.env.STAND_IN === 'crash') process.exit(1);
const socket = join(dataDir, 'worker.sock');
setTimeout(() => {
  rmSync(socket, { force: true });
  createServer((request, response) => request.resume().on('end', () => response.end('{"from":"stand-in"}\\n'))).listen(socket);
}, Number(process.env.STAND_IN_DELAY ?? 0));
// a test ends this process; the timeout ends it when the test was killed
setTimeout(() => process.exit(0), 60_000);
`;

/** The time limits of the hook, and their replacements in the hook with long timeouts. */
const SHELL_LIMITS = [
  ['limit=0.8', 'limit=60'],
  ['limit=0.3', 'limit=60'],
  ['deadline=$((now + 80))', 'deadline=$((now + 6000))'],
  ['post "0.$((deadline - now))"', 'post 60'],
] as const;
const NODE_LIMITS = [
  ['WAIT_MS = 800;', 'WAIT_MS = 6e4;'],
  ['TOOL_RESULT_WAIT_MS = 300;', 'TOOL_RESULT_WAIT_MS = 6e4;'],
] as const;

/** Builds the hook into a temporary folder. */
export async function createInstallation(): Promise<Installation> {
  const root = createRoot('installed here');
  const source = join(import.meta.dirname, '..');
  const app = join(root, 'apps', 'hooks-cli');
  mkdirSync(join(root, 'apps', 'worker', 'dist'), { recursive: true });
  const script = readFileSync(join(source, 'hook.sh'), 'utf8');
  const { outputFiles } = await build({
    entryPoints: [join(source, 'hook.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@claude-mem/source'],
    logLevel: 'error',
    write: false,
  });
  const program = outputFiles[0]?.text ?? '';
  const write = (folder: string, shellText: string, nodeText: string) => {
    mkdirSync(join(app, folder), { recursive: true });
    writeFileSync(join(app, folder, SCRIPT), shellText);
    writeFileSync(join(app, folder, 'hook.cjs'), nodeText);
  };
  write('dist', script, program);
  write('long-timeout', replaceAll(script, SHELL_LIMITS), replaceAll(program, NODE_LIMITS));
  writeFileSync(join(app, 'package.json'), '{ "name": "hooks", "version": "0.1.7" }');
  writeFileSync(join(root, 'apps', 'worker', 'dist', 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'apps', 'worker', 'dist', 'main.js'), SUBSTITUTE_WORKER);
  return installationAt(root);
}

function createRoot(name: string): string {
  return join(realpathSync(mkdtempSync(join(tmpdir(), 'cm-hook-'))), name);
}

function installationAt(root: string): Installation {
  const app = join(root, 'apps', 'hooks-cli');
  const argsOf = (file: string, flags: readonly string[] = []) => ({
    args: [...flags, join(app, 'dist', file)],
    longTimeoutArgs: [...flags, join(app, 'long-timeout', file)],
  });
  const shells = HOOK_SHELLS.flatMap(({ name, command, flags }) =>
    command === null ? [] : [{ name, isShell: true, command, ...argsOf(SCRIPT, flags) }],
  );
  const node = {
    name: 'node',
    isShell: false,
    command: process.execPath,
    ...argsOf('hook.cjs'),
  };
  return {
    runners: [...shells, node],
    copyTo(name) {
      const copy = createRoot(name);
      cpSync(root, copy, { recursive: true });
      return installationAt(copy);
    },
    [Symbol.asyncDispose]: () => rm(join(root, '..'), { recursive: true, force: true, maxRetries: 5 }),
  };
}

function replaceAll(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The hook has no text "${from}". Update the list of limits.`);
    return result.replaceAll(from, to);
  }, text);
}

/** Runs one event through the hook as a host does. */
export function fire(
  runner: HookRunner,
  call: readonly [host: string, event: string, option?: string],
  payload: string | Uint8Array,
  options: RunOptions,
): Promise<HookRun> {
  const args = options.hasLongTimeout ? runner.longTimeoutArgs : runner.args;
  const child = spawnQuiet(runner.command, [...args, ...call.map(String)], {
    env: { ...options.env },
    cwd: options.cwd ?? '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // a hook may end without reading its input
  child.stdin?.on('error', () => undefined);
  const write = () => {
    child.stdin?.write(payload);
    if (!options.keepStdinOpen) child.stdin?.end();
  };
  if (options.writeAfterMs === undefined) write();
  else setTimeout(write, options.writeAfterMs);
  const { signal } = options;
  void signal?.after.then(
    () => child.kill(signal.name),
    () => undefined,
  );
  const guard = setTimeout(() => child.kill('SIGKILL'), 55_000);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => child.stdin?.destroy());
    child.once('close', (code, name) => {
      clearTimeout(guard);
      resolve({
        exit: code ?? name ?? 'gone',
        stdout: Buffer.concat(stdout),
        stderr,
      });
    });
  });
}
