import { createHash } from 'node:crypto';
import { cpSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { runProgram, waitFor, workspacePaths } from '@claude-mem/testing';
import { CACHE, createOnce } from './create-once.js';

const { root } = workspacePaths;
const SOURCES = ['libs', 'apps/worker', 'apps/viewer', 'package-lock.json'];
const MAX_ATTEMPTS = 10;
const NO_SOURCE = /(^|\/)(dist|out-tsc|node_modules|__fixtures__|evals)(\/|$)|\.test\.tsx?$|\.md$/;

/**
 * Builds the worker and the viewer of the current sources, unless `npm test` has just built them. If a build fails
 * because of an incomplete edit, the build is repeated after the next change of a source file.
 * @returns path of main.js
 */
export async function buildWorker(): Promise<string> {
  if (process.env['CLAUDE_MEM_TESTS_ARE_BUILT'] === '1') return workspacePaths.workerMain;
  for (let attempt = 1; ; attempt += 1) {
    const state = fingerprint();
    try {
      const folder = await createOnce({ folder: path.join(CACHE, `worker-${state}`), make: build });
      return path.join(folder, 'dist', 'main.js');
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(await hasChanged(state))) throw error;
    }
  }
}

function hasChanged(state: string): Promise<boolean> {
  return waitFor(() => fingerprint() !== state, { what: 'a change', deadlineMs: 30_000, everyMs: 500 }).catch(
    () => false,
  );
}

async function build(folder: string): Promise<void> {
  const app = (name: string) => path.join(root, 'apps', name);
  cpSync(path.join(app('worker'), 'package.json'), path.join(folder, 'package.json'));
  const main = path.join(folder, 'dist', 'main.js');
  await run(
    process.execPath,
    [path.join(root, 'tools', 'bundle.mjs'), 'src/main.ts', main, '--split'],
    app('worker'),
  );
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const fromSources = [
    '--import',
    'tsx',
    '--conditions=@claude-mem/source',
    vite,
    'build',
    '--configLoader',
    'native',
  ];
  await run(
    process.execPath,
    [...fromSources, '--outDir', path.join(folder, 'dist', 'viewer')],
    app('viewer'),
  );
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const { exit, stdout, stderr } = await runProgram(program, args, { cwd, env, timeoutMs: 120_000 });
  if (exit !== 0) throw new Error(`${args[0] ?? ''} ended with ${exit}:\n${stdout}${stderr}`);
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const walk = (place: string) => {
    const found = statSync(place, { throwIfNoEntry: false });
    if (!found || NO_SOURCE.test(place.slice(root.length))) return;
    if (found.isDirectory()) for (const name of readdirSync(place).toSorted()) walk(path.join(place, name));
    else hash.update(`${place} ${found.mtimeMs} ${found.size}\n`);
  };
  for (const source of SOURCES) walk(path.join(root, source));
  return hash.digest('hex').slice(0, 12);
}
