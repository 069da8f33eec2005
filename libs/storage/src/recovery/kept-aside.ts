import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@claude-mem/core';
import type { Salvaged } from './salvage.js';

/** What was done about a damaged database. */
export interface Recovery extends Salvaged {
  atEpoch: number;
  reason: string;
  /** Where the damaged file lies now, unchanged. */
  keptAside: string;
}

export const keptAsideName = (file: string, now: number): string => `${file}.corrupt-${now}`;

/** What was done is remembered beside the file for as long as that is kept. */
export const reportName = (keptAside: string): string =>
  path.join(path.dirname(keptAside), `${path.basename(keptAside).replace('.corrupt-', '.recovery-')}.json`);

/** Damaged databases that were kept, until someone removes them. */
export function listKeptAside(file: string): readonly string[] {
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

/** Null where there is none, or none that can be understood. */
export function readRecovery(report: string): Recovery | null {
  try {
    const value: unknown = JSON.parse(readFileSync(report, 'utf8'));
    if (!isRecord(value)) return null;
    const {
      atEpoch,
      reason,
      keptAside,
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
    const areTexts = typeof reason === 'string' && typeof keptAside === 'string';
    const isName = restoredFrom === null || typeof restoredFrom === 'string';
    if (!areNumbers || !areTexts || !isName || typeof isCounted !== 'boolean') return null;
    return value as unknown as Recovery;
  } catch {
    return null;
  }
}

/** One damaged database that is kept, in plain sentences. */
export interface KeptAsideNotice {
  /** True when the kept file holds nothing that the memory lacks. */
  isWhole: boolean;
  text: string;
  /** What to do with the file. */
  advice: string;
}

/** What a person should know about a damaged database that lies beside the memory. */
export function noticeOf(keptAside: string, recovery = readRecovery(reportName(keptAside))): KeptAsideNotice {
  if (recovery === null)
    return {
      isWhole: false,
      text: `an earlier damaged database is kept as ${keptAside}; whether the memory has all of it is not known`,
      advice:
        `Keep it until you know. To see what it holds: copy it as claude-mem.db into an empty folder, and with CLAUDE_MEM_DATA_DIR set to ` +
        `that folder run "claude-mem start" and "claude-mem export > old.jsonl"; then, without it, "claude-mem import old.jsonl".`,
    };
  const { saved, observations, fromBackup, unreadable, isCounted, restoredFrom, isOlderThanLog } = recovery;
  const from =
    restoredFrom === null
      ? ''
      : `, ${fromBackup} of them from the backup ${restoredFrom}, which took the place of what was damaged`;
  const what = isOlderThanLog
    ? `the database was older than its write-ahead log, as after an old copy was restored, and was renamed to ${keptAside}`
    : `the database was damaged and was renamed to ${keptAside}`;
  if (unreadable === 0 && isCounted)
    return {
      isWhole: true,
      text: `${what}; everything was saved: ${countOf(saved, 'record')}, ${countOf(observations, 'observation')} among them${from}`,
      advice: `Nothing is missing: ${keptAside} may be removed.`,
    };
  const lost = isCounted
    ? `${unreadable} could not be read`
    : unreadable > 0
      ? `at least ${unreadable} could not be read`
      : 'how many could not be read is not known';
  const begin =
    saved === 0
      ? 'nothing could be saved and the memory started empty'
      : `${countOf(saved, 'record')} were saved`;
  return {
    isWhole: false,
    text: `${what}; ${begin}, ${countOf(observations, 'observation')} among them${from}; ${lost}`,
    advice:
      `Keep ${keptAside}: what could not be read is nowhere else. Nothing more is to be done for the rest; what another copy of the memory ` +
      `still has comes in with "claude-mem export" there and "claude-mem import" here.`,
  };
}

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
