import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';

/**
 * `ids`: id of the content, and its id with LF instead of CRLF, which git stores when it converts line endings.
 * `unknown`: the file is outside of the folder, unreadable, too large, or not a regular file.
 */
export type FileContent =
  { kind: 'blob'; ids: readonly [string, ...string[]] } | { kind: 'missing' } | { kind: 'unknown' };

const MAX_BYTES = 2 * 1024 * 1024;
const UNKNOWN: FileContent = { kind: 'unknown' };

/**
 * Computes the ids that git can assign to the content of a file (blob hashes). Follows no link out of the folder.
 * @param path path relative to `root`, with `/`
 */
export async function readFileContent(root: string, path: string): Promise<FileContent> {
  if (!isInProject(path)) return UNKNOWN;
  try {
    const folder = await realpath(root);
    const real = await realpath(join(root, path)).catch(codeOf);
    if (real === 'ENOENT' || real === 'ENOTDIR') return await missing(folder, join(root, path));
    if (!isAbsolute(real) || !real.startsWith(folder + sep)) return UNKNOWN;
    await using file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_BYTES) return UNKNOWN;
    const content = await file.readFile();
    const ids: [string, ...string[]] = [blobIdOf(content)];
    if (content.includes('\r\n')) ids.push(blobIdOf(withLineFeeds(content)));
    return { kind: 'blob', ids };
  } catch (error) {
    codeOf(error);
    return UNKNOWN;
  }
}

/** Returns true for a relative path that does not lead out of the project. */
function isInProject(path: string): boolean {
  return path !== '' && !/^(?:[/~\\]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(path);
}

/** A link with a missing target is not a missing file. A path behind a link is not part of the project. */
async function missing(folder: string, path: string): Promise<FileContent> {
  const isThere = await lstat(path).then(() => true, codeOf);
  if (isThere === true) return UNKNOWN;
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const real = await realpath(parent).catch(codeOf);
    if (real === 'ENOENT' || real === 'ENOTDIR') continue;
    return real === folder || real.startsWith(folder + sep) ? { kind: 'missing' } : UNKNOWN;
  }
}

/** Returns the code of a file system error. Throws other errors again. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
}

const withLineFeeds = (content: Buffer): Buffer =>
  Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');

function blobIdOf(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
