/**
 * Formats the note on results that match only semantically: a clause in lower case, without a full stop.
 * @param isFiltered whether a filter, such as a project, limits the search
 */
export const noLexicalMatch = (isFiltered: boolean): string =>
  `no record${isFiltered ? ' of this selection' : ''} contains these words`;
