import { closeSync, existsSync, openSync } from 'node:fs';
import { makePrivate, removeDatabase } from '../database/database-file.js';
import { quarantineName, formatQuarantineNotice, type Recovery } from './quarantined-databases.js';
import { finishRecovery, putInPlace, unfinishedName } from './put-in-place.js';
import { salvage, type SalvageOptions } from './salvage.js';

export interface RecoverOptions extends SalvageOptions {
  reason: string;
  /** Closes what still has the damaged file open. Called after the move: a moved file is not written by closing it. */
  close: () => void;
}

/**
 * Puts a new database in the place of a damaged one, with all that can be read of it and what else the newest good backup has. The damaged
 * file is kept. When this fails, everything is as it was.
 */
export async function recoverFile(options: RecoverOptions): Promise<Recovery> {
  const { file, now, reason, logger } = options;
  logger.warn({ file, reason }, 'the database is damaged; what can be read of it is saved into a new one');
  finishRecovery(file);
  const target = unfinishedName(file);
  closeSync(openSync(target, 'w', 0o600));
  makePrivate(target);
  let recovery: Recovery;
  try {
    const salvaged = await salvage(options, target);
    recovery = { atEpoch: now, reason, keptAside: freeName(quarantineName(file, now)), ...salvaged };
  } catch (error) {
    removeDatabase(target);
    throw error;
  }
  putInPlace(file, recovery);
  options.close();
  const { text, isWhole } = formatQuarantineNotice(recovery.keptAside, recovery);
  logger[isWhole ? 'warn' : 'error']({ file, ...recovery }, text);
  return recovery;
}

function freeName(name: string): string {
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? name : `${name}-${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}
