import { rmSync } from 'node:fs';
import { listBackups, type Storage } from '@claude-mem/storage';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Existing backups, oldest last, and when the last of them will be replaced by newer ones. */
export function backupsBefore(
  backupsDir: string,
  { keep }: { keep: number },
): { count: number; untilEpoch: number | null } {
  const backups = listBackups(backupsDir);
  const [newest] = backups;
  return { count: backups.length, untilEpoch: newest ? newest.epoch + keep * DAY_MS : null };
}

/** Replaces all backups by a new one, so that none contains the deleted records. */
export async function replaceBackups(backupsDir: string, storage: Pick<Storage, 'backup'>): Promise<void> {
  const written = await storage.backup();
  for (const { file } of listBackups(backupsDir)) if (file !== written) rmSync(file, { force: true });
}
