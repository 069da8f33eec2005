import { fileTerms, type QueryTerm } from '@claude-mem/lexical-index/analysis';
import {
  type DocumentSet,
  LENGTH_NORMALIZATION,
  type LexicalReader,
  NONE,
  type TermScores,
} from '@claude-mem/lexical-index';
import { FUSION_WEIGHTS, NEIGHBOUR_WEIGHTS, SESSION_AS_ONE } from '../fusion/fusion-weights.js';
import { trustFiles } from '../fusion/trust-files.js';
import { agreementOf, weighArms, WORDS_ALONE, type ArmWeights } from '../fusion/weigh-arms.js';
import type { HitEvidence, ScorePart } from '../memory.js';
import type { VectorHit } from '../ports/vector-index.js';
import { findSessions, mostOf, type FoundSessions } from './find-sessions.js';
import { nearestBySlot } from './nearest-by-slot.js';

/** Lexical scores by slot; 0 without a match. */
export interface MatchedWords extends Pick<TermScores, 'of' | 'found'> {
  /** Matches within the filter, best first. */
  best: readonly { slot: number; score: number }[];
  /** Session text scores and found records, by session number. */
  sessions: { asOne: Float64Array; found: FoundSessions };
  /** For plain-text queries. */
  asText?: TermScores;
}

export interface SignalsRequest {
  words: MatchedWords;
  within: DocumentSet;
  contextFiles: readonly string[];
  semantic: readonly VectorHit[];
  /** Minimum time of results that are found only semantically. */
  semanticFromEpoch: number;
}

/** The scores of each record by itself and by its surroundings. */
export interface Signals {
  /** Records within the filter that vectors or files found. */
  readonly extra: ReadonlySet<number>;
  lexical(slot: number): number;
  /** The same for a lexical score. */
  lexicalOf(score: number): number;
  semantic(slot: number): number;
  filesTouched(slot: number): number;
  /** The sum of the three. */
  own(slot: number): number;
  /** Whether a record has a negligible score of its own. It ranks behind all others, whatever its surroundings are. */
  isNegligible(slot: number): boolean;
  neighbours(slot: number): number;
  /** Session text score, files, and lexical results, by session number. */
  readonly sessions: { asOne: Float64Array; files: Float64Array; words: FoundSessions };
  /** The cause of a part for the user. Null when there is none. */
  detail(part: ScorePart['name'], slot: number): string | null;
  /** How well it matches by itself, comparable between queries. */
  evidence(slot: number): HitEvidence;
}

export function scoreSignals(reader: LexicalReader, request: SignalsRequest): Signals {
  const { documents } = reader;
  const { words, within, semanticFromEpoch } = request;
  const most = words.best[0]?.score ?? 0;
  const files = reader.score({ terms: termsOfFiles(request.contextFiles) });
  const nearest = nearestBySlot(documents, within, request.semantic);
  const weights = words.asText ? weightsOf(words.asText) : WORDS_ALONE;
  const answers = words.asText === undefined ? [] : answersByWords(words.asText);
  const isAnswered = answers.length > 0;
  const nearEnough = Math.max(NEAR, ...answers.map((slot) => nearest.get(slot)?.share ?? 0));
  const extra = new Set<number>();
  for (const [slot, { share }] of nearest) {
    const isOld = (documents.createdAt[slot] ?? 0) < semanticFromEpoch;
    const isNear = !isAnswered || (weights.meaning > 0 && share >= nearEnough);
    if ((!isOld && isNear) || words.of(slot) > 0) extra.add(slot);
  }
  const { asOne, found: wordsOfSessions } = words.sessions;
  const touched = filesOfSessions();
  const filesWeight = FUSION_WEIGHTS.files * touched.trust;
  if (filesWeight > 0) for (const { slot } of files.best({ within, limit: MOST_BY_FILES })) extra.add(slot);
  // Files that no record touched have no weight.
  const known = files.terms.reduce((sum, { idf, documents: count }) => sum + (count > 0 ? idf : 0), 0);
  const all = files.terms.reduce((sum, { idf }) => sum + idf, 0);
  const shareOfFiles = (slot: number) => (files.of(slot) > 0 ? (files.coverage(slot) * all) / known : 0);

  const around: number[] = [];
  const aroundWeights: number[] = [];
  const signals: Signals = {
    extra,
    lexical: (slot) => signals.lexicalOf(words.of(slot)),
    lexicalOf: (score) => (most > 0 ? weights.words * Math.min(score / most, 1) : 0),
    semantic(slot) {
      const isBehind = isAnswered && words.of(slot) === 0;
      return (
        (isBehind ? NEGLIGIBLE : Math.max(weights.meaning, NEGLIGIBLE)) * (nearest.get(slot)?.share ?? 0)
      );
    },
    filesTouched: (slot) => filesWeight * shareOfFiles(slot),
    own: (slot) => signals.lexical(slot) + signals.semantic(slot) + signals.filesTouched(slot),
    isNegligible: (slot) => signals.own(slot) <= NEGLIGIBLE,
    neighbours(slot) {
      let sum = 0;
      around.length = 0;
      aroundWeights.length = 0;
      const take = (other: number, weight: number) => {
        const isHolding = words.asText !== undefined && words.of(other) > 0;
        if (isHolding) {
          around.push(other);
          aroundWeights.push(weight);
        }
        sum += weight * (signals.own(other) - (words.asText ? signals.lexical(other) : 0));
      };
      let other = slot;
      for (const weight of NEIGHBOUR_WEIGHTS.before) {
        other = documents.previous(other);
        if (other === NONE) break;
        take(other, weight);
      }
      other = slot;
      for (const weight of NEIGHBOUR_WEIGHTS.after) {
        other = documents.next(other);
        if (other === NONE) break;
        take(other, weight);
      }
      // Neighbours outside the filter may contain words when no record inside it does.
      if (!words.asText || around.length === 0 || most === 0) return sum;
      const together = words.asText.withNeighbours(slot, around, aroundWeights) - words.of(slot);
      return sum + weights.words * Math.min(Math.max(together, 0) / most, 1);
    },
    sessions: { asOne, files: touched.shares, words: wordsOfSessions },
    detail(part, slot) {
      if (part === 'lexical') return detailOf(words.asText?.explain(slot) ?? []);
      if (part === 'files') return detailOf(files.explain(slot));
      const hit = part === 'semantic' ? nearest.get(slot)?.hit : undefined;
      return hit ? `${hit.id} ${hit.score.toFixed(2)}` : null;
    },
    evidence: (slot) => ({ words: words.asText?.matched(slot) ?? [] }),
  };
  return signals;

  /** The records with all words of a query that is a name. Empty for other queries. */
  function answersByWords({ terms, coverage }: TermScores): number[] {
    if (terms.some(({ isCommon }) => isCommon)) return [];
    if (terms.filter(({ weight }) => weight >= 1).length > FEW_WORDS) return [];
    const best = words.best.slice(0, MOST_COVERING).map(({ slot }) => slot);
    return best.filter((slot) => coverage(slot) >= ALL_WORDS);
  }

  function weightsOf(scores: TermScores): ArmWeights {
    if (nearest.size === 0) return WORDS_ALONE;
    const best = words.best.slice(0, MOST_COMPARED);
    const covering = best.slice(0, MOST_COVERING);
    const covered = covering.reduce((sum, { slot }) => sum + scores.coverage(slot), 0);
    const coverage = covering.length > 0 ? covered / covering.length : 0;
    const mass = scores.terms.reduce((sum, { weight, idf }) => sum + weight * idf, 0);
    return weighArms({
      coverage,
      rareWords: (coverage * mass) / Math.log(1 + documents.live.size),
      agreement: agreementOf(
        best.map(({ slot, score }) => ({
          score,
          isNear: (nearest.get(slot)?.place ?? Infinity) <= MOST_COMPARED,
        })),
      ),
    });
  }

  /** For each session, the share of the files that any of its records touched, times the weight of the files. */
  function filesOfSessions(): { shares: Float64Array; trust: number } {
    if (files.found.count === 0) return { shares: reader.numbersOfSessions(), trust: 0 };
    const { scores: shares, most: mostShared } = files.scoreSessions({ saturation: 0, lengthShare: 0 });
    const byFiles = findSessions(reader, files.found, within);
    const byWords = wordsOfSessions;
    const mostAsOne = Math.max(mostOf(asOne, byWords), mostOf(asOne, byFiles));
    const shareOf = (session: number) => (shares[session] ?? 0) / mostShared;
    const wordsOf = (session: number) =>
      (most > 0 ? (byWords.scores[session] ?? 0) / most : 0) +
      (mostAsOne > 0 ? (asOne[session] ?? 0) / mostAsOne : 0);
    const sessions = [
      ...byWords.sessions.subarray(0, byWords.count),
      ...byFiles.sessions.subarray(0, byFiles.count).filter((session) => byWords.best[session] === 0),
    ];
    const mostWords = sessions.reduce((top, session) => Math.max(top, wordsOf(session)), 0) || 1;
    const trust = trustFiles(
      sessions.map((session) => ({ words: wordsOf(session) / mostWords, files: shareOf(session) })),
    );
    for (const [session, share] of shares.entries()) shares[session] = (trust * share) / mostShared;
    return { shares, trust };
  }
}

/** Lexical results of a plain-text query, with the number of best ones. */
export function matchedWords(
  reader: LexicalReader,
  asText: TermScores,
  { within, limit }: { within: DocumentSet; limit: number },
): MatchedWords {
  const { of, found } = asText;
  const lengthShare = LENGTH_NORMALIZATION.share;
  const asOne = asText.scoreSessions({ ...SESSION_AS_ONE, lengthShare }).scores;
  const sessions = { asOne, found: findSessions(reader, found, within) };
  return { of, found, best: asText.best({ within, limit }), sessions, asText };
}

/** The weight of vectors that are not trusted: results that only they found are listed at the end. */
const NEGLIGIBLE = 0.001;
/**
 * A query with at most this number of words, none of them common, is a name. A record with all of its words answers
 * it. Records that match only semantically rank behind that record, and only if they are at least as near.
 */
const FEW_WORDS = 2;
const ALL_WORDS = 0.99;
const NEAR = 0.8;
/** The best lexical results show how much of the query they cover, and how near they are to it. */
const MOST_COVERING = 3;
const MOST_COMPARED = 10;
/** Maximum number of records that are ranked because they touched the current files, without a word of the query. Those with the most files come first. */
const MOST_BY_FILES = 400;

const detailOf = (terms: readonly { term: string; score: number }[]) =>
  terms.length === 0 ? null : terms.map(({ term, score }) => `${term} ${score.toFixed(2)}`).join(', ');

function termsOfFiles(files: readonly string[]): QueryTerm[] {
  return [...new Set(files.map((file) => fileTerms(file).complete))].map((term) => ({ term, weight: 1 }));
}
