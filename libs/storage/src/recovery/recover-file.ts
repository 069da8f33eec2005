import { closeSync, existsSync, openSync } from 'node:fs';
import { makePrivate, removeDatabase } from '../database/database-file.js';
import { quarantineName, formatQuarantineNotice, type Recovery } from './quarantined-databases.js';
import { finishRecovery, replaceDatabase, unfinishedName } from './replace-database.js';
import { salvage, type SalvageOptions } from './salvage.js';

export interface RecoverOptions extends SalvageOptions {
  reason: string;
  /** Closes connections to the damaged file. Called after the move, because closing does not write to a moved file. */
  close: () => void;
}

/**
 * Replaces a damaged database by a new one with all readable rows and, for the gaps, rows of the newest intact
 * backup. The damaged file is kept. A failure changes nothing.
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
    recovery = { atEpoch: now, reason, quarantinedAs: freeName(quarantineName(file, now)), ...salvaged };
  } catch (error) {
    removeDatabase(target);
    throw error;
  }
  replaceDatabase(file, recovery);
  options.close();
  const { text, isComplete } = formatQuarantineNotice(recovery.quarantinedAs, recovery);
  logger[isComplete ? 'warn' : 'error']({ file, ...recovery }, text);
  return recovery;
}

function freeName(name: string): string {
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? name : `${name}-${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}
