import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeSideFiles, sizeOf, syncFile } from '../database/database-file.js';
import {
  listQuarantined,
  listReports,
  readRecovery,
  reportName,
  type Recovery,
} from './quarantined-databases.js';

/** Path of the new database. An existing file there can be deleted. */
export const unfinishedName = (file: string): string => `${file}.recovering`;

/** The complete new database. From here on it replaces the old one in any case. */
const finishedName = (file: string): string => `${file}.recovered`;
const planName = (file: string): string => `${file}.recovered.json`;

/**
 * Replaces a damaged database, which is kept with its side files. After a kill at any time, one of them has the name
 * of the database, and `finishRecovery` completes the replacement. Open connections to the damaged file no longer
 * write.
 */
export function replaceDatabase(file: string, recovery: Recovery): void {
  const plan = `${planName(file)}.tmp`;
  writeFileSync(plan, JSON.stringify(recovery), { mode: 0o600 });
  syncFile(plan);
  renameSync(plan, planName(file));
  renameSync(unfinishedName(file), finishedName(file));
  syncFile(finishedName(file));
  finish(file, recovery);
}

/** Completes an interrupted replacement. Must be called before a database is opened for writing. */
export function finishRecovery(file: string): void {
  const folder = path.dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const plan = readRecovery(planName(file));
  if (existsSync(finishedName(file)) && plan !== null) finish(file, plan);
  else if (plan !== null && existsSync(plan.quarantinedAs))
    renameSync(planName(file), reportName(plan.quarantinedAs));
  else rmSync(planName(file), { force: true });
  const name = path.basename(unfinishedName(file));
  for (const found of readdirSync(folder))
    if (found.startsWith(name)) rmSync(path.join(folder, found), { force: true });
  const kept = new Set(listQuarantined(file).map(reportName));
  for (const report of listReports(file)) if (!kept.has(report)) rmSync(report, { force: true });
}

function finish(file: string, recovery: Recovery): void {
  const { quarantinedAs } = recovery;
  if (existsSync(file) && !existsSync(quarantinedAs)) keepUnderBothNames(file, quarantinedAs);
  // SQLite would use a remaining log for the new database.
  for (const side of ['-wal', '-journal'])
    if (sizeOf(file + side) > 0 && !existsSync(quarantinedAs + side))
      renameSync(file + side, quarantinedAs + side);
  removeSideFiles(file);
  renameSync(finishedName(file), file);
  renameSync(planName(file), reportName(quarantinedAs));
  syncFile(file);
}

/** Keeps the old file under both names until the new database replaces it under the first name. */
function keepUnderBothNames(file: string, quarantinedAs: string): void {
  try {
    linkSync(file, quarantinedAs);
  } catch {
    // Some file systems have no hard links. There, the first name is missing for a short time.
    renameSync(file, quarantinedAs);
  }
}
