// Finds public data sets and recorded sessions, which are not part of the repository. Plain Node: `npm run eval` needs
// no build.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Paths in the folder of data sets, for each set of `npm run eval -- search`. */
export const SEARCH_SETS = {
  locomo: 'data/locomo',
  cosqa: 'data/cosqa',
  cacm: 'data/cacm',
  codemem: 'data/codemem',
  'codemem-events': 'data/codemem',
  'codemem-origins': 'data/codemem',
  paraphrases: 'prototypes/use-lite',
  'sde-bench': 'data/sde-bench',
};

export const RECORDED_SESSIONS = ['data/transcripts', 'tools/replay'];

/** Folder of the data sets: CLAUDE_MEM_SHARED, or `shared` beside the project. */
export function dataSetFolder(env = process.env) {
  return path.resolve(env.CLAUDE_MEM_SHARED ?? path.join(import.meta.dirname, '..', '..', '..', 'shared'));
}

/** @returns why these data sets cannot be used, or null when all of them exist */
export function missingDataReason(dataSets, folder = dataSetFolder()) {
  const missing = [...new Set(dataSets)].filter((name) => !existsSync(path.join(folder, name)));
  if (missing.length === 0) return null;
  return `data not found: ${missing.join(', ')}. Set CLAUDE_MEM_SHARED to the folder that contains it`;
}
