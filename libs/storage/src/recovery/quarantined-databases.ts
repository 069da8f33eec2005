import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@claude-mem/core';
import type { Salvaged } from './salvage.js';

/** Report about the recovery of a damaged database. */
export interface Recovery extends Salvaged {
  atEpoch: number;
  reason: string;
  /** Path of the damaged file, which is unchanged. */
  quarantinedAs: string;
}

export const quarantineName = (file: string, now: number): string => `${file}.corrupt-${now}`;

/** Path of the recovery report of a damaged file. */
export const reportName = (quarantinedAs: string): string =>
  path.join(
    path.dirname(quarantinedAs),
    `${path.basename(quarantinedAs).replace('.corrupt-', '.recovery-')}.json`,
  );

/** Returns the paths of damaged databases next to the file. */
export function listQuarantined(file: string): readonly string[] {
  const folder = path.dirname(file);
  const prefix = `${path.basename(file)}.corrupt-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && !/-(wal|shm|journal)$/.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}

export function listReports(file: string): readonly string[] {
  const prefix = `${path.basename(file)}.recovery-`;
  return readdirSync(path.dirname(file))
    .filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
    .map((name) => path.join(path.dirname(file), name));
}

/** Returns null if the report is missing or invalid. */
export function readRecovery(report: string): Recovery | null {
  try {
    const value: unknown = JSON.parse(readFileSync(report, 'utf8'));
    if (!isRecord(value)) return null;
    const {
      atEpoch,
      reason,
      quarantinedAs,
      saved,
      observations,
      fromBackup,
      unreadable,
      isCounted,
      restoredFrom,
    } = value;
    const areNumbers = [atEpoch, saved, observations, fromBackup, unreadable].every((one) =>
      Number.isSafeInteger(one),
    );
    const areTexts = typeof reason === 'string' && typeof quarantinedAs === 'string';
    const isName = restoredFrom === null || typeof restoredFrom === 'string';
    if (!areNumbers || !areTexts || !isName || typeof isCounted !== 'boolean') return null;
    return value as unknown as Recovery;
  } catch {
    return null;
  }
}

/** Message about a damaged database. */
export interface QuarantineNotice {
  /** True if all records of the damaged file were saved. */
  isComplete: boolean;
  text: string;
  /** What to do with the file. */
  advice: string;
}

/** Formats the message about a damaged database. */
export function formatQuarantineNotice(
  quarantinedAs: string,
  recovery = readRecovery(reportName(quarantinedAs)),
): QuarantineNotice {
  if (recovery === null)
    return {
      isComplete: false,
      text: `A damaged database is stored as ${quarantinedAs}. It is not known whether all of its records were saved`,
      advice:
        `Keep the file until you have checked it: copy it as claude-mem.db to an empty folder, set CLAUDE_MEM_DATA_DIR to that folder, and ` +
        `run "claude-mem start" and "claude-mem export > old.jsonl". Then unset CLAUDE_MEM_DATA_DIR and run "claude-mem import old.jsonl".`,
    };
  const { saved, observations, fromBackup, unreadable, isCounted, restoredFrom, isOlderThanLog } = recovery;
  const from = restoredFrom === null ? '' : `, ${fromBackup} of them from the backup ${restoredFrom}`;
  const what = isOlderThanLog
    ? `The database was older than its write-ahead log, probably because an old copy was restored, and was renamed to ${quarantinedAs}`
    : `The database was damaged and was renamed to ${quarantinedAs}`;
  if (unreadable === 0 && isCounted)
    return {
      isComplete: true,
      text: `${what}; everything was saved: ${countOf(saved, 'record')}, including ${countOf(observations, 'observation')}${from}`,
      advice: `No record is missing. You can delete ${quarantinedAs}.`,
    };
  const lost = isCounted
    ? `${unreadable} could not be read`
    : unreadable > 0
      ? `at least ${unreadable} could not be read`
      : 'the number of records that could not be read is not known';
  const begin =
    saved === 0
      ? 'no record could be saved, and the memory is empty'
      : `${countOf(saved, 'record')} were saved`;
  return {
    isComplete: false,
    text: `${what}; ${begin}, including ${countOf(observations, 'observation')}${from}; ${lost}`,
    advice:
      `Keep ${quarantinedAs}: it contains the only copy of the unreadable records. If another copy of the memory exists, run "claude-mem export" ` +
      `there and "claude-mem import" here.`,
  };
}

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
