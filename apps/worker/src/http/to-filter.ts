import type { SearchFilter } from '@claude-mem/search';
import type { SearchQuery } from '@claude-mem/worker-protocol';

type FilterQuery = Pick<
  SearchQuery,
  'project' | 'type' | 'concepts' | 'files' | 'dateFrom' | 'dateTo' | 'session' | 'host'
>;

/** Converts the filters of an address to a search filter. */
export function toFilter(query: FilterQuery): SearchFilter {
  const { project, type, concepts, files, dateFrom, dateTo, session } = query;
  const host = someOf(query.host);
  return {
    ...(project === undefined ? {} : { project }),
    ...(type === undefined ? {} : { type: wordsOf(type) }),
    ...(concepts === undefined ? {} : { concepts: wordsOf(concepts) }),
    ...(files === undefined ? {} : { files: wordsOf(files) }),
    ...(dateFrom === undefined ? {} : { dateFrom }),
    ...(dateTo === undefined ? {} : { dateTo }),
    ...(session === undefined ? {} : { session }),
    ...(host.length === 0 ? {} : { host }),
  };
}

/** Returns the values of a field. A client adds an empty value to a list with one value. */
export function someOf<Word extends string>(value: Word | readonly Word[] | undefined): readonly Word[] {
  if (value === undefined) return [];
  return (typeof value === 'string' ? [value] : value).filter((word) => word !== '');
}

/** A single value is split at commas; repeated values are not. */
export function wordsOf(value: string | readonly string[]): readonly string[] {
  const words = typeof value === 'string' ? value.split(',') : value;
  return words.map((word) => word.trim()).filter((word) => word !== '');
}
