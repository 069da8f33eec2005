import type { PostingsSource } from './postings-source.js';

/** Maximum number of terms of a prefix. */
const MOST_TERMS = 256;
/** Maximum number of records of these terms. */
const MOST_RECORDS = 200_000;

/** Returns the terms with a prefix, limited in number. `isCut`: there are more. */
export function prefixTerms(
  prefix: string,
  postings: Pick<PostingsSource, 'costOf' | 'termsWithPrefix'>,
): { terms: readonly string[]; isCut: boolean } {
  const found = postings.termsWithPrefix(prefix, MOST_TERMS);
  let cost = 0;
  const terms = [...new Set([prefix, ...found])].filter((term) => {
    cost += postings.costOf(term);
    return term === prefix || cost <= MOST_RECORDS;
  });
  return { terms, isCut: found.length === MOST_TERMS || cost > MOST_RECORDS };
}
