import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { spawnQuiet } from '../spawn-quiet.js';

/** One way to run the hook. */
export interface HookRunner {
  name: string;
  isShell: boolean;
  /** Its sender is curl; else it is perl, or node itself. */
  usesCurl: boolean;
  command: string;
  /** Arguments before HOST and EVENT. */
  args: readonly string[];
}

export interface HookRun {
  exit: number | string;
  stdout: Buffer;
  stderr: string;
  ms: number;
}

export interface RunOptions {
  env: Readonly<Record<string, string>>;
  cwd?: string;
  keepStdinOpen?: boolean;
  /** The payload is written only then, as by a host on a busy machine. */
  writeAfterMs?: number;
  /** Sent to the hook's process once that has come. */
  signal?: { name: NodeJS.Signals; after: Promise<unknown> };
}

/** The built hook as it lies in an installation, with a stand-in for the worker's program beside it. */
export interface Installation extends AsyncDisposable {
  root: string;
  runners: readonly HookRunner[];
}

const PERL = '/usr/bin/perl';

/** Names of scripts in the installation: the one, and one that finds no perl. */
const [SCRIPT, WITHOUT_PERL] = ['hook.sh', 'hook-without-perl.sh'];

const SHELLS = [
  { name: 'dash', script: SCRIPT, paths: ['/usr/bin/dash', '/bin/dash'], flags: [] },
  {
    name: 'bash',
    script: SCRIPT,
    paths: ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'],
    flags: ['--posix'],
  },
  {
    name: 'busybox',
    script: SCRIPT,
    paths: ['/bin/busybox', '/usr/bin/busybox', '/usr/local/bin/busybox'],
    flags: ['sh'],
  },
  { name: 'sh without perl', script: WITHOUT_PERL, paths: ['/bin/sh'], flags: [] },
];

/** Every way to run the hook that this machine has; `command` is null where it has not. */
export const HOOK_SHELLS = SHELLS.map(({ paths, ...shell }) => ({
  ...shell,
  command: paths.find((path) => existsSync(path)) ?? null,
}));

/** Writes down what it was started with, then answers hooks like a worker that is ready. */
const WORKER_STAND_IN = `
import { appendFileSync, readFileSync, readlinkSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
const dataDir = process.env.CLAUDE_MEM_DATA_DIR ?? join(process.env.HOME, '.claude-mem');
const files = readdirSync('/proc/self/fd').flatMap((fd) => { try { return [[Number(fd), readlinkSync('/proc/self/fd/' + fd)]]; } catch { return []; } });
const stat = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
appendFileSync(join(dataDir, 'starts.jsonl'), JSON.stringify({ pid: process.pid, parent: Number(stat[1]), session: Number(stat[3]), cwd: process.cwd(), env: process.env, files, umask: process.umask() }) + '\\n');
if (process.env.STAND_IN === 'crash') process.exit(1);
const socket = join(dataDir, 'worker.sock');
setTimeout(() => {
  rmSync(socket, { force: true });
  createServer((request, response) => request.resume().on('end', () => response.end('{"from":"stand-in"}\\n'))).listen(socket);
}, Number(process.env.STAND_IN_DELAY ?? 0));
setTimeout(() => process.exit(0), 8000);
`;

/** Builds into a temporary folder: tests need no build before them. */
export async function createInstallation(name = 'installed here'): Promise<Installation> {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'cm-hook-'))), name);
  const dist = join(root, 'apps', 'hooks-cli', 'dist');
  mkdirSync(dist, { recursive: true });
  mkdirSync(join(root, 'apps', 'worker', 'dist'), { recursive: true });
  const source = join(import.meta.dirname, '..');
  writeFileSync(join(dist, '..', 'package.json'), '{ "name": "hooks", "version": "0.1.7" }');
  const text = readFileSync(join(source, 'hook.sh'), 'utf8');
  writeFileSync(join(dist, SCRIPT), text);
  writeFileSync(join(dist, WITHOUT_PERL), text.replaceAll(PERL, '/nowhere/perl'));
  await build({
    entryPoints: [join(source, 'hook.ts')],
    outfile: join(dist, 'hook.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@claude-mem/source'],
    logLevel: 'error',
  });
  writeFileSync(join(root, 'apps', 'worker', 'dist', 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'apps', 'worker', 'dist', 'main.js'), WORKER_STAND_IN);
  const shells = HOOK_SHELLS.flatMap(({ name, script, command, flags }) => {
    const usesCurl = script === WITHOUT_PERL || !existsSync(PERL);
    return command === null
      ? []
      : [{ name, isShell: true, usesCurl, command, args: [...flags, join(dist, script)] }];
  });
  const node = {
    name: 'node',
    isShell: false,
    usesCurl: false,
    command: process.execPath,
    args: [join(dist, 'hook.cjs')],
  };
  return {
    root,
    runners: [...shells, node],
    [Symbol.asyncDispose]: () => rm(join(root, '..'), { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Runs one event through the hook as a host does. */
export function fire(
  runner: HookRunner,
  call: readonly [host: string, event: string, option?: string],
  payload: string | Uint8Array,
  options: RunOptions,
): Promise<HookRun> {
  const started = performance.now();
  const child = spawnQuiet(runner.command, [...runner.args, ...call.map(String)], {
    env: { ...options.env },
    cwd: options.cwd ?? tmpdir(),
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
  void signal?.after.then(() => child.kill(signal.name));
  const guard = setTimeout(() => child.kill('SIGKILL'), 15_000);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => child.stdin?.destroy());
    child.once('close', (code, name) => {
      clearTimeout(guard);
      resolve({
        exit: code ?? name ?? 'gone',
        stdout: Buffer.concat(stdout),
        stderr,
        ms: performance.now() - started,
      });
    });
  });
}
