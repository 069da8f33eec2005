import { cpSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnQuiet } from '../spawn-quiet.js';

const ROOT = join(import.meta.dirname, '../../../..');

/** Folder of claude-mem.js and hook.sh. `npm test` builds both. To build them manually: npx nx run-many -t build */
export const BUILT_PROGRAM = join(ROOT, 'apps', 'hooks-cli', 'dist');

export interface InstalledProgram extends AsyncDisposable {
  root: string;
  /** Folder of claude-mem.js and hook.sh. */
  dist: string;
}

/** Copies the built command, hook and worker to a temporary installation that a test may change. */
export function installProgram(name = 'installed'): InstalledProgram {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cm-program-')));
  const root = join(top, name);
  mkdirSync(root);
  symlinkSync(join(ROOT, 'node_modules'), join(top, 'node_modules'));
  for (const app of ['hooks-cli', 'worker']) {
    cpSync(join(ROOT, 'apps', app, 'dist'), join(root, app, 'dist'), { recursive: true });
    copyFileSync(join(ROOT, 'apps', app, 'package.json'), join(root, app, 'package.json'));
  }
  return {
    root,
    dist: join(root, 'hooks-cli', 'dist'),
    [Symbol.asyncDispose]: async () => rmSync(top, { recursive: true, force: true }),
  };
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

/** Rounds scores. The age of a record is part of its score, so the last digits differ between runs. */
export function withRoundScores(run: ProgramRun): ProgramRun {
  const round = (_: string, name: string, value: string) => `${name}${Number(value).toFixed(5)}`;
  return { ...run, stdout: run.stdout.replace(/("(?:score|value)": )(-?[\d.e-]+)/g, round) };
}
