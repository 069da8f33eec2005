import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@claude-mem/core';
import { scrubText } from '@claude-mem/privacy';
import type { DataPaths } from '@claude-mem/settings';
import { EXCERPT_BYTES, readSpooled } from './spool-files.js';

/** The folder of spool files that cannot be used. Only a scrubbed excerpt of each readable file is kept. */
export function createRejectedFiles(
  { spoolDir, rejectedDir }: Pick<DataPaths, 'spoolDir' | 'rejectedDir'>,
  log: Logger,
) {
  return {
    /** Moves a file of the spool into the folder. */
    async add(name: string): Promise<void> {
      await mkdir(rejectedDir, { recursive: true, mode: 0o700 });
      const [from, to] = [join(spoolDir, name), join(rejectedDir, name)];
      let begin: Buffer | null = null;
      try {
        begin = readSpooled(from, Infinity);
      } catch (error) {
        log.debug({ file: name, error }, 'A rejected file cannot be read');
      }
      if (begin === null) return rename(from, to);
      // Scrubbing cannot find a secret that is cut, so the incomplete last word is removed.
      const text =
        begin.length < EXCERPT_BYTES ? begin.toString() : begin.toString().replace(/\S{1,512}$/, '');
      // The content is unknown, so it is scrubbed like all stored texts.
      await writeFile(to, scrubText(text).text, { mode: 0o600 });
      await rm(from, { force: true });
    },
    /** Deletes the files that were moved before this time, in epoch milliseconds. Returns how many. */
    async deleteBefore(latest: number): Promise<number> {
      let deleted = 0;
      for (const name of (await readdir(rejectedDir).catch(ignoreMissing)) ?? []) {
        const file = join(rejectedDir, name);
        const found = await lstat(file).catch(ignoreMissing);
        // `ctimeMs` is the time when the file was moved, not the time of the event.
        if (found === null || found.isDirectory() || found.ctimeMs >= latest) continue;
        await rm(file, { force: true });
        deleted += 1;
      }
      return deleted;
    },
  };
}

export function ignoreMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
