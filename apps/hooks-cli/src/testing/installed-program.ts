import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { build } from 'esbuild';
import { spawnQuiet } from '../spawn-quiet.js';

const ROOT = join(import.meta.dirname, '../../../..');
const UNUSED_BY_WORKER = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
];

export interface InstalledProgram extends AsyncDisposable {
  root: string;
  /** Folder of claude-mem.js and hook.sh. */
  dist: string;
}

/** Command, hook and worker, built into a folder of their own as an installation has them. */
export async function installProgram(name = 'installed'): Promise<InstalledProgram> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cm-program-')));
  const root = join(top, name);
  const dist = join(root, 'hooks-cli', 'dist');
  mkdirSync(dist, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(top, 'node_modules'));
  for (const app of ['hooks-cli', 'worker']) {
    mkdirSync(join(root, app), { recursive: true });
    copyFileSync(join(ROOT, 'apps', app, 'package.json'), join(root, app, 'package.json'));
  }
  copyFileSync(join(ROOT, 'apps/hooks-cli/src/hook.sh'), join(dist, 'hook.sh'));
  await Promise.all([
    bundle('hooks-cli', 'main.ts', join(dist, 'claude-mem.js'), 'esm'),
    bundle('hooks-cli', 'hook.ts', join(dist, 'hook.cjs'), 'cjs'),
    bundle('worker', 'main.ts', join(root, 'worker', 'dist', 'main.js'), 'esm'),
  ]);
  return { root, dist, [Symbol.asyncDispose]: async () => rmSync(top, { recursive: true, force: true }) };
}

async function bundle(app: string, entry: string, outfile: string, format: 'esm' | 'cjs') {
  const name = basename(outfile, extname(outfile));
  await build({
    entryPoints: [{ in: join(ROOT, 'apps', app, 'src', entry), out: name }],
    outdir: dirname(outfile),
    outExtension: { '.js': extname(outfile) },
    // what is imported later has a file of its own, of which one is a thread's program
    splitting: format === 'esm',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    conditions: ['@claude-mem/source'],
    external: [
      'better-sqlite3',
      'better-sqlite3-n22',
      '@anthropic-ai/claude-agent-sdk',
      '@huggingface/transformers',
      ...UNUSED_BY_WORKER,
    ],
    logLevel: 'error',
    banner:
      format === 'cjs'
        ? {}
        : {
            js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
          },
  });
}

export interface ProgramRun {
  exit: number | string;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export function runProgram(
  command: string,
  args: readonly string[],
  { env, cwd, input = '' }: { env: Readonly<Record<string, string>>; cwd: string; input?: string },
): Promise<ProgramRun> {
  const child = spawnQuiet(command, args, { env: { ...env }, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // a program may end without reading its input
  child.stdin?.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ exit: code ?? signal ?? 'gone', stdout, stderr }));
  });
}

/** How recent something is counts a little, so a score is another one a moment later. */
export function withRoundScores(run: ProgramRun): ProgramRun {
  const round = (_: string, name: string, value: string) => `${name}${Number(value).toFixed(5)}`;
  return { ...run, stdout: run.stdout.replace(/("(?:score|value)": )(-?[\d.e-]+)/g, round) };
}
