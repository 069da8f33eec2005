import { rmSync } from 'node:fs';
import { listBackups, type Storage } from '@claude-mem/storage';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Backups as they are, oldest last, and when the last of them will have given way to newer ones. */
export function backupsBefore(
  backupsDir: string,
  { keep }: { keep: number },
): { count: number; untilEpoch: number | null } {
  const backups = listBackups(backupsDir);
  const [newest] = backups;
  return { count: backups.length, untilEpoch: newest ? newest.epoch + keep * DAY_MS : null };
}

/** A new backup takes the place of all, so that none is left with what was forgotten. */
export async function replaceBackups(backupsDir: string, storage: Pick<Storage, 'backup'>): Promise<void> {
  const written = await storage.backup();
  for (const { file } of listBackups(backupsDir)) if (file !== written) rmSync(file, { force: true });
}
