// Shared by the start and test scripts. Plain Node: this file runs before any package is installed.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSqlite } from './build-sqlite.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const MINIMUM = { 20: 19, 22: 12 };
/** Exits with a message if this version of Node cannot run the project. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || minor >= (MINIMUM[major] ?? Infinity)) return;
  console.error(
    `claude-mem needs Node 22.12 or newer, or Node 20 from 20.19; this is ${process.versions.node}.`,
  );
  process.exit(1);
}

/** SQLite drivers to try, best first. The first has compiled binaries in its package, for Node 22 and newer. */
const SQLITE_DRIVERS =
  Number(process.versions.node.split('.')[0]) >= 22
    ? ['better-sqlite3-n22', 'better-sqlite3']
    : ['better-sqlite3'];

/**
 * Runs `npm ci` unless the packages of the lock file are installed, and compiles SQLite unless a driver loads.
 * No install script of a package runs, except the one that compiles SQLite.
 * @throws Error with three lines when no driver works and none can be compiled
 */
export async function installIfNeeded() {
  // A driver with compiled binaries that does not load is damaged.
  if (!isInstalled() || (SQLITE_DRIVERS.length > 1 && !canLoadSqlite())) {
    // The npm configuration of the user, or NODE_ENV, may exclude these packages.
    const include = ['--include=dev', '--include=optional'];
    await step('Installing packages (npm ci)', () =>
      run('npm', ['ci', ...include, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
    );
  }
  if (canLoadSqlite()) return;
  await step('Compiling SQLite for this Node (about two minutes)', () => buildSqlite(run));
  if (!canLoadSqlite())
    throw new Error('The compiled SQLite driver does not load. Delete node_modules and run npm start again.');
}

/**
 * Installs the agent SDK for tests of the claude-code observer. The SDK is not a dependency of the workspace. Without
 * it, the tests are skipped.
 */
export async function installAgentSdkIfNeeded() {
  const cwd = path.join(root, 'tools', 'clients');
  const name = '@anthropic-ai/claude-agent-sdk';
  const wanted = readJson(path.join(cwd, 'package.json')).dependencies[name];
  if (readJson(path.join(cwd, 'node_modules', name, 'package.json'))?.version === wanted) return;
  const install = () =>
    run('npm', ['ci', '--ignore-scripts', '--fetch-retries=0', '--loglevel=error'], { cwd });
  await step('Installing the agent SDK for the tests', install).catch((error) =>
    console.log(`  its tests are skipped: ${error.message.split('\n')[1] ?? error.message}`),
  );
}

/**
 * True when `node_modules/.package-lock.json` lists every package of the lock file at its version. Optional
 * packages may be absent, except the SQLite driver that this Node prefers.
 */
function isInstalled() {
  const installed = readJson(path.join(root, 'node_modules', '.package-lock.json'))?.packages;
  const locked = Object.entries(readJson(path.join(root, 'package-lock.json'))?.packages ?? {});
  const isPresent = ([location, { version, link, optional, devOptional }]) =>
    !location.startsWith('node_modules/') ||
    link ||
    ((optional || devOptional) && location !== `node_modules/${SQLITE_DRIVERS[0]}`) ||
    installed[location]?.version === version;
  return installed !== undefined && locked.every(isPresent);
}

/** Returns null when the file does not exist or is not valid JSON. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Loads a driver in a child process, because a driver that was compiled for another Node can crash the process. */
function canLoadSqlite() {
  return SQLITE_DRIVERS.some((name) => {
    const script = `new (require('${name}'))(':memory:')`;
    return spawnSync(process.execPath, ['-e', script], { cwd: root, stdio: 'ignore' }).status === 0;
  });
}

/**
 * Prints the name and the duration of a step on one line. In a terminal, the duration is updated while the step runs.
 */
export async function step(title, work) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const isTerminal = process.stdout.isTTY;
  if (!isTerminal) console.log(`… ${title}`);
  const timer = isTerminal && setInterval(() => process.stdout.write(`\r… ${title} ${seconds()} `), 100);
  try {
    const result = await work();
    clearInterval(timer);
    console.log(`${isTerminal ? '\r' : ''}✔ ${title} (${seconds()})`);
    return result;
  } catch (error) {
    clearInterval(timer);
    console.log(`${isTerminal ? '\r' : ''}✘ ${title} (${seconds()})`);
    throw error;
  }
}

/**
 * Runs a program in the project folder. Prints its output only after an error, or continuously with `show`.
 * @returns the standard output
 */
export function run(command, args, { env = {}, input, show = false, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      shell: process.platform === 'win32',
      windowsHide: true,
    });
    const chunks = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name]?.setEncoding('utf8').on('data', (chunk) => (chunks[name] += chunk));
    }
    child.stdin?.on('error', () => {}).end(input);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve(chunks.stdout);
      const output = `${chunks.stdout}${chunks.stderr}`.trim();
      reject(new Error(`${command} ${args.join(' ')} ended with ${code}${output ? `\n${output}` : ''}`));
    });
  });
}
