import type { QueryTerm } from '../analysis/analyze-query.js';
import { LATIN_LANGUAGES, latinLanguageTerm, latinStemTerms } from '../analysis/latin-languages.js';
import type { DocumentSet } from '../documents/document-set.js';
import type { Accumulator } from './accumulator.js';
import { affordableTerms } from './affordable-terms.js';
import { discriminativeTerms } from './discriminative-terms.js';
import type { LoadedIndex } from './loaded-index.js';
import type { Lease } from './pool.js';
import { prefixTerms } from './prefix-terms.js';
import { scoreTerms, type CreateZeros, type TermScores } from './score-terms.js';
import { mergePostings, postingsAmong, type TermPostings } from './term-postings.js';

export interface ScoreRequest {
  terms: readonly QueryTerm[];
  /** The last term matches as a prefix, for search while the user types. @default false */
  prefixLast?: boolean;
  /** Uses only the discriminative terms of a long query. @default false */
  onlyDiscriminative?: boolean;
  /** Scores as if no other records existed. @default all */
  among?: DocumentSet;
}

/** Chooses the terms to read, with their inflected forms, and scores the records that contain them. */
export function scoreQuery(
  { terms, prefixLast = false, onlyDiscriminative = false, among }: ScoreRequest,
  { documents, postings, sessionLengths }: LoadedIndex,
  { accumulator, zeros }: { accumulator: Lease<Accumulator>; zeros: CreateZeros },
): TermScores {
  const beginning = prefixLast ? terms.at(-1) : undefined;
  // A prefix is not a common word.
  const wanted = beginning
    ? [...terms.slice(0, -1), { term: beginning.term, weight: beginning.weight }]
    : terms;
  const languages = LATIN_LANGUAGES.filter((language) => postings.costOf(latinLanguageTerm(language)) > 0);
  const formsOf = ({ term, word }: QueryTerm) =>
    word === undefined
      ? [term]
      : [term, ...languages.flatMap((language) => latinStemTerms(language, word))].filter(
          (form) => postings.costOf(form) > 0,
        );
  const postingsOf = (wanted: QueryTerm): TermPostings => {
    const forms =
      wanted.term === beginning?.term ? prefixTerms(wanted.term, postings).terms : formsOf(wanted);
    const merged = mergePostings(forms.map(postings.of));
    return among === undefined ? merged : postingsAmong(merged, among);
  };
  const countOf = (wanted: QueryTerm) =>
    formsOf(wanted).reduce((sum, term) => sum + postings.costOf(term), 0);
  const chosen = onlyDiscriminative ? discriminativeTerms(wanted, countOf, documents.live.size) : wanted;
  const affordable = affordableTerms(chosen, countOf);
  return scoreTerms(affordable, postingsOf, {
    documents,
    total: (among ?? documents.live).size,
    sessionLengths,
    zeros,
    accumulator: accumulator.acquire(documents.size),
    asked: wanted,
    countOf,
  });
}
