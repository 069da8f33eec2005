import { noLexicalMatch } from '@claude-mem/core';
import type { SearchRequest } from './memory-reader.js';

export const SEARCH_ALL_PROJECTS = 'To search all projects, use project: "all".';

/** Returns notes when no result contains the words of the query. */
export function createSemanticOnlyNotes(
  { items, strategy }: { items: readonly unknown[]; strategy: string },
  { project, type, concepts, files, host, dateFrom, dateTo, session }: Omit<SearchRequest, 'kind'>,
): string[] {
  if (strategy !== 'semantic' || items.length === 0) return [];
  const filters = [project, type, concepts, files, host, dateFrom, dateTo, session];
  const match = noLexicalMatch(filters.some((filter) => filter !== undefined));
  return [
    `${match}; these results match only semantically and may be unrelated`,
    ...(project === undefined ? [] : [SEARCH_ALL_PROJECTS]),
  ];
}
