import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

const MOST_BYTES = 2 * 1024 * 1024;

/**
 * The last lines of a file, oldest first; none when there is no such file. Reads a bounded part of its end, whatever its
 * size, and does not follow a link.
 */
export async function readTail(folder: string, name: string, lines: number): Promise<string[]> {
  const path = join(folder, name);
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ELOOP') return null;
      throw error;
    },
  );
  if (handle === null) return [];
  try {
    const found = await handle.stat();
    if (!found.isFile()) return [];
    const length = Math.min(found.size, MOST_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, found.size - length);
    const all = buffer.toString('utf8', 0, bytesRead).split('\n');
    if (length < found.size) all.shift();
    return all.filter((line) => line !== '').slice(-lines);
  } finally {
    await handle.close();
  }
}
