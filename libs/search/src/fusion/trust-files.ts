import { between } from './weigh-arms.js';

/** One session, as words and files see it. */
export interface SessionEvidence {
  /** By words, 1 for the best of all sessions. */
  words: number;
  /** The share of the files at hand that it touched. */
  files: number;
}

/** Files that no session touched together are not one piece of work. */
const TOGETHER = { nothing: 0.4, fine: 0.9 };
/** By how much the best session by words must be ahead of the tenth for words to be sure. */
const SURE = { nothing: 0.4, fine: 0.6 };
/** How near the top by words the sessions that touched the files are: 1 is chance. */
const AGREEMENT = { nothing: 0.8, fine: 1.6 };
const COMPARED = 10;

/**
 * How far to believe the files at hand, 0 to 1: fully where a session touched most of them, unless words are sure of other sessions.
 * @param sessions those that words or files found
 */
export function trustFiles(sessions: readonly SessionEvidence[]): number {
  const byFiles = sessions.filter(({ files }) => files > 0).sort((a, b) => b.files - a.files);
  const together = between(byFiles[0]?.files ?? 0, TOGETHER);
  if (together === 0 || sessions.length < COMPARED) return together;
  const byWords = sessions.map(({ words }) => words).sort((a, b) => b - a);
  const sure = between((byWords[0] ?? 0) - (byWords[COMPARED - 1] ?? 0), SURE);
  return together * (1 - sure * (1 - between(agreementOf(byFiles.slice(0, COMPARED), byWords), AGREEMENT)));
}

/** The mean of −ln of each session's place by words as a share of all, which is 1 for places that are chance. */
function agreementOf(touched: readonly SessionEvidence[], byWords: readonly number[]): number {
  let sum = 0;
  let weight = 0;
  for (const { words, files } of touched) {
    const place = words > 0 ? byWords.indexOf(words) + 0.5 : byWords.length;
    sum += files ** 2 * -Math.log(place / byWords.length);
    weight += files ** 2;
  }
  return weight > 0 ? sum / weight : 1;
}
