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

/** Where the new database is written; what lies there may be thrown away. */
export const unfinishedName = (file: string): string => `${file}.recovering`;

/** The new database, whole: from here on it takes the place of the old one, whatever happens. */
const finishedName = (file: string): string => `${file}.recovered`;
const planName = (file: string): string => `${file}.recovered.json`;

/**
 * Puts the new database in the place of the damaged one, which is kept with what lies beside it. A kill at any moment leaves one of them
 * under the name, and `finishRecovery` does the rest. Connections to the damaged file may be open: they write no more.
 */
export function putInPlace(file: string, recovery: Recovery): void {
  const plan = `${planName(file)}.tmp`;
  writeFileSync(plan, JSON.stringify(recovery), { mode: 0o600 });
  syncFile(plan);
  renameSync(plan, planName(file));
  renameSync(unfinishedName(file), finishedName(file));
  syncFile(finishedName(file));
  finish(file, recovery);
}

/** Goes on with what a kill interrupted. To be called before a database is opened for writing. */
export function finishRecovery(file: string): void {
  const folder = path.dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const plan = readRecovery(planName(file));
  if (existsSync(finishedName(file)) && plan !== null) finish(file, plan);
  else if (plan !== null && existsSync(plan.keptAside))
    renameSync(planName(file), reportName(plan.keptAside));
  else rmSync(planName(file), { force: true });
  const name = path.basename(unfinishedName(file));
  for (const found of readdirSync(folder))
    if (found.startsWith(name)) rmSync(path.join(folder, found), { force: true });
  const kept = new Set(listQuarantined(file).map(reportName));
  for (const report of listReports(file)) if (!kept.has(report)) rmSync(report, { force: true });
}

function finish(file: string, recovery: Recovery): void {
  const { keptAside } = recovery;
  if (existsSync(file) && !existsSync(keptAside)) keepAs(file, keptAside);
  // a log that stayed would be taken for one of the new database
  for (const side of ['-wal', '-journal'])
    if (sizeOf(file + side) > 0 && !existsSync(keptAside + side)) renameSync(file + side, keptAside + side);
  removeSideFiles(file);
  renameSync(finishedName(file), file);
  renameSync(planName(file), reportName(keptAside));
  syncFile(file);
}

/** Under both names until the new database takes the first. */
function keepAs(file: string, keptAside: string): void {
  try {
    linkSync(file, keptAside);
  } catch {
    // not every file system has links; there the first name is missing for a moment
    renameSync(file, keptAside);
  }
}
